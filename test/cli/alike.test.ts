import { expect, test } from "vitest";
import { enumerate } from "../../cli/alike";

test("of eleven texts the last is counted, and of ten all are told", () => {
  const names = Array.from({ length: 11 }, (_, at) => `s${at}`);
  expect(enumerate(names)).toMatch(/^s0, .*, s9, and 1 more$/);
  expect(enumerate(names.slice(1))).toMatch(/^s1, .*, s9, s10$/);
});
