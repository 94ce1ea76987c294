import { randomInt } from "node:crypto";
import fc from "fast-check";
import { beforeEach, inject } from "vitest";

/** Of all that the tests of a file generate: another one each time, unless it is given. */
const seed = inject("sizes").seed ?? randomInt(2 ** 31);
fc.configureGlobal({ seed });
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => console.log(`SEED=${seed} generates the same again.`));
});
