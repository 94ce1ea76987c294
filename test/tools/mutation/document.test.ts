import { expect, it } from "vitest";
import { documentOf } from "../../../tools/mutation/document.mjs";
import { type Breach, groups } from "../../../tools/mutation/promises.mjs";
import { cellsOf } from "../../../tools/mutation/promises-section.mjs";
import { readDocument } from "../../../tools/mutation/read-document.mjs";

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
    {},
  );
  const ran = "2026-01-02, Stryker 1.2.3, Node.js 20.0.0";
  expect(text).toContain(`| retry | api/retry.ts | 20 | 19 | 1 | 0 | 95 | 95 | ${ran} |`);
  expect(text).toContain(`| lifecycle | lifecycle/a.ts | 10 | 9 | 1 | 0 | 90 |  | ${ran} |`);
  expect(text).toContain(`| lifecycle | all | 20 | 19 | 1 | 0 | 95 | 95 | ${ran} |`);
  expect(text).toMatch(/\| wire \| not run yet \|/);
  expect(text).toContain("**95 %** of all changes to\nthe parts of `provider/` that have been run");
});

it("names each promise with how it is broken, the test that fails, and when that was seen", () => {
  const [{ title, breaches }] = groups as [(typeof groups)[number]];
  const [breach] = breaches as [Breach];
  const cells = `| ${breach.change} | \`${breach.file}\` | \`${breach.test}\`: ${breach.name} |`;
  expect(documentOf({}, {})).toContain(`### ${title}\n\n`);
  expect(documentOf({}, {})).toContain(`${cells} not run yet |`);
  expect(documentOf({}, { [cellsOf(breach).join(" | ")]: "2026-01-02" })).toContain(`${cells} 2026-01-02 |`);
});

it("is read back as it was written, so that a run of one part keeps what others came to", () => {
  const outcomes = {
    retry: outcome({ "provider/api/retry.ts": [19, 1] }),
    lifecycle: {
      ...outcome({ "provider/lifecycle/a.ts": [9, 1], "provider/lifecycle/b.ts": [10, 0] }),
      date: "2026-01-03",
    },
  };
  const seen = Object.fromEntries(
    groups.flatMap(({ breaches }) => breaches.map((each) => [cellsOf(each).join(" | "), "2026-01-02"])),
  );
  expect(readDocument(documentOf(outcomes, seen))).toEqual({ outcomes, seen });
  expect(readDocument(documentOf({}, {}))).toEqual({ outcomes: {}, seen: {} });
});
