import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../tools/root.mjs";

const promises = readFileSync(join(ROOT, "docs", "promises.md"), "utf8");
const bench = readFileSync(join(ROOT, "bench", "performance.md"), "utf8");

/** The cells of a table's rows, by the first. */
const rows = (text: string) =>
  new Map(
    [...text.matchAll(/^\| (.*?) \| (.*) \|$/gm)].map(([, first = "", others = ""]) => [
      first,
      others.split(" | "),
    ]),
  );
const numbers = (text = "") =>
  [...text.matchAll(/[\d.,]+\d/g)].map(([each]) => Number(each.replace(",", "")));
const [, promised = ""] = promises.split("\n## How fast\n");
const measured = rows(bench.split("\n## 1,000 websites\n")[1]?.split("\n## ")[0] ?? "");
const goals = rows(bench.split("\n## ")[0] ?? "");

it.each([...rows(promised)].filter(([, [most]]) => Number(most) > 0))(
  "the page promises of %s no more than the benchmark measured",
  (operation, [most, requests]) => {
    const [, , , , , ours, native, sent] = measured.get(operation) ?? [];
    for (const form of [ours, native]) expect(numbers(form)[0]).toBeLessThanOrEqual(Number(most));
    for (const count of numbers(requests?.match(/[\d,]+ (POST|PUT|DELETE|list)/)?.[0]))
      expect(numbers(sent)).toContain(count);
  },
);

it("the page's other figures are those of the benchmark's goals", () => {
  const of = (name: string) => numbers(goals.get(name)?.[1]);
  const [, slower] = /at least (\d) times as long/.exec(promised) ?? [];
  expect(of("`up` of 1000")[0]).toBeGreaterThanOrEqual(Number(slower));
  const [, ours, plugin] =
    /at most ([\d.]+) times the memory.*plugin at most ([\d.]+) times/s.exec(promised) ?? [];
  const [memory = 0, native = 0, floor = 1] = of("peak memory, `up`");
  expect(memory / floor).toBeLessThanOrEqual(Number(ours));
  expect(native / floor).toBeLessThanOrEqual(Number(plugin));
  const [, usual, here] = /(\d) KB of state for each website, at most ([\d.]+) KB/.exec(promised) ?? [];
  const [small = 0, , , large = 0] = of("state of a website");
  expect(small).toBeLessThanOrEqual(Number(here) * 1000);
  expect(Math.floor(large / 1000)).toBe(Number(usual));
});
