import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withAddresses } from "../../tools/links.mjs";
import { ROOT } from "../../tools/root.mjs";
import { readme } from "../docs/readme";

const place = { address: "https://github.com/ours/it", ref: "v1.0.0" };

it("points links to the repository's address, and pictures to the raw file", () => {
  const text = "![a b](docs/a.svg) [guide](docs/guide.md#drift) [here](#here) [npm](https://npmjs.com)";
  expect(withAddresses(text, place)).toBe(
    "![a b](https://github.com/ours/it/raw/v1.0.0/docs/a.svg) [guide](https://github.com/ours/it/blob/v1.0.0/docs/guide.md#drift) [here](#here) [npm](https://npmjs.com)",
  );
});

it("leaves no relative link in the README", () => {
  const targets = [...withAddresses(readme, place).matchAll(/\]\(([^)]*)\)/g)].map(
    ([, target = ""]) => target,
  );
  expect(targets.filter((target) => !/^(https:\/\/|#)/.test(target))).toEqual([]);
  const files = targets.flatMap(
    (target) => /ours\/it\/(?:blob|raw)\/v1\.0\.0\/([^#]+)/.exec(target)?.[1] ?? [],
  );
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

it("finds nothing in the README that npm's page does not draw", () => {
  expect(readme).not.toMatch(/```mermaid|<(img|picture|details)\b/);
});
