import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { documentOf } from "../../bench/document.mjs";
import { Figures } from "../../bench/figures.mjs";
import { GOALS } from "../../bench/goals.mjs";
import { OPERATIONS, type Operation } from "../../bench/operations.mjs";
import { requestViolations } from "../../bench/requests.mjs";
import { codeOf } from "../../provider/hosts/dynamic/identity";
import { website } from "../../provider/resources/website";
import { measuredCode } from "../../tools/measured-code.mjs";
import { tableBelow } from "./page";
import { ran, sent } from "./runs";

const page = readFileSync("docs/performance.md", "utf8");

/** What the page says was measured for a goal. */
function measured(text: string, what: string): string | undefined {
  return tableBelow(text, "## Goals").find((row) => row.what === what)?.measured;
}

/** The sizes that a page has a section of, as it writes them. */
function sizesOf(text: string): string[] {
  return [...text.matchAll(/^## ([\d,]+) websites$/gm)].map(([, size = ""]) => size);
}

/** Milliseconds of the longest round, from a cell such as `4.4 s (1.19 ×), 3.9 to 4.9 s`. */
function longest(cell = ""): number {
  const [, median = "0", most = median] = /^([\d.]+) s(?:.* to ([\d.]+))?/.exec(cell) ?? [];
  return Number(most) * 1000;
}

/** What this package's requests break of the promise, by the cells of a page. */
function violations(text: string): string[] {
  return sizesOf(text).flatMap((size) => {
    const section = text.slice(text.indexOf(`\n## ${size} websites\n`) + 1);
    const ours = (line: string, { title }: Operation) =>
      tableBelow(section, line).find((row) => row[""] === title)?.ours;
    return OPERATIONS.flatMap((operation) => {
      const cell = ours("Requests (`list` reads one page of a list, `look` one record):", operation);
      if (cell === undefined) return [`${operation.name} of ${size} is not on the page`];
      const requests = Object.fromEntries(
        [...cell.matchAll(/(\d+) (\w+)/g)].map(([, count, kind = ""]) => [kind, Number(count)]),
      );
      // If the engine reads one record before all others, that one takes a separate request.
      const grant = { spare: 1, ms: longest(ours("Time, and its ratio to the floor's:", operation)) };
      return requestViolations(operation, Number(size.replace(",", "")), sent(requests), grant);
    });
  });
}

/** A page of a run with these requests of `refresh`, and as promised otherwise. */
function pageOf(refresh: Parameters<typeof sent>[0]): string {
  const runs = OPERATIONS.map(({ name, write, reads }) => {
    const written = write === undefined ? {} : { [write]: 10, list: 1 };
    return ran({ operation: name, requests: sent(reads ? refresh : written) });
  });
  const states = [{ candidate: "ours", size: 10, state: { bytes: 1234, providers: [codeOf(website)] } }];
  const circumstances = { machine: [], command: "npm run bench", rounds: () => 5 };
  return documentOf({ figures: new Figures(runs), states }, circumstances);
}

describe("a page of the bench", () => {
  it("is read back as it was written", () => {
    const text = pageOf({ list: 1 });
    expect(sizesOf(text)).toEqual(["10"]);
    expect(tableBelow(text, "## State")).toEqual([{ websites: "10", "ours, bytes each": "1,234" }]);
    expect(measured(text, "state of a website with defaults")).toBe("1,234 bytes");
    expect(violations(text)).toEqual([]);
  });

  it("with a request too many is noticed", () => {
    expect(violations(pageOf({ list: 1, look: 10 }))).toEqual(["refresh of 10 read 11 times, not 1"]);
  });
});

describe("docs/performance.md", () => {
  it("has the constant text in state that this code writes, and in no size more requests than it promises", () => {
    const bytes = Buffer.byteLength(codeOf(website));
    expect(measured(page, "`__provider`")).toBe(`1 text, ${bytes} bytes`);
    expect(sizesOf(page).length).toBeGreaterThan(0);
    expect(violations(page)).toEqual([]);
  });

  it("judges by the goals that this code has", ({ skip }) => {
    if (measuredCode(page) === undefined) skip("the page is from before it named its commit");
    const goals = tableBelow(page, "## Goals").map(({ what, goal }) => [what, goal]);
    expect(goals).toEqual(GOALS.map(({ what, goal }) => [what, goal]));
  });
});
