import { expect, it } from "vitest";
import { documentOf } from "../../../tools/mutation/document.mjs";

const outcome = (files: Record<string, [number, number]>) => ({
  date: "2026-01-02",
  stryker: "1.2.3",
  node: "20.0.0",
  files: Object.fromEntries(
    Object.entries(files).map(([file, [noticed, survived]]) => [file, { noticed, survived, unreached: 0 }]),
  ),
});

it("has a row for each file, one for a part of several, and one for a part that has not been run", () => {
  const text = documentOf(
    {
      retry: outcome({ "provider/api/retry.ts": [19, 1] }),
      lifecycle: outcome({ "provider/lifecycle/a.ts": [9, 1], "provider/lifecycle/b.ts": [10, 0] }),
    },
    [],
  );
  expect(text).toContain("| retry | api/retry.ts | 20 | 19 | 1 | 0 | 95 | 95 | 2026-01-02 |");
  expect(text).toContain("| lifecycle | lifecycle/a.ts | 10 | 9 | 1 | 0 | 90 |  | 2026-01-02 |");
  expect(text).toContain("| lifecycle | all | 20 | 19 | 1 | 0 | 95 | 95 | 2026-01-02 |");
  expect(text).toMatch(/\| wire \| not run yet \|/);
  expect(text).toContain("Stryker 1.2.3 on Node.js 20.0.0");
  expect(text).toContain("**95 %** of all changes to the parts of `provider/` that have been run");
});

it("names for each promise how it is broken and the test that fails", () => {
  const breach = { promise: "one record", change: "two", file: "a.ts", test: "a.test.ts", name: "is one" };
  expect(documentOf({}, [breach])).toContain("| one record | `a.ts` | two | `a.test.ts`: is one |");
});
