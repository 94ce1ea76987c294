import { expect, test } from "vitest";
import type { Notice } from "../../provider/lifecycle";
import { Notices } from "../../provider/notices";

const notice = (at: number, groupKey = "it changes"): Notice => ({
  text: `website ${at}: its ${groupKey}`,
  groupKey,
});
/** What is printed for so many notices of each sort, one after the other. */
function printed(...sorts: [count: number, groupKey?: string][]): string[] {
  const lines: string[] = [];
  const notices = new Notices((line) => lines.push(line));
  for (const [count, groupKey] of sorts)
    for (let at = 0; at < count; at += 1) notices.add(notice(at, groupKey));
  return lines;
}

test("ten that are alike are ten lines, and all further ones are one", () => {
  expect(printed([10])).toHaveLength(10);
  const lines = printed([25]);
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe("and more, not shown: it changes");
});

test("each sort is counted by itself", () => {
  const lines = printed([11, "one"], [3, "two"], [20, "three"]);
  expect(lines).toHaveLength(25);
  expect(lines.filter((line) => line.startsWith("and more, not shown"))).toHaveLength(2);
});

test("the same is said of the same record once, and not counted again", () => {
  const lines: string[] = [];
  const notices = new Notices((line) => lines.push(line));
  for (let time = 0; time < 12; time += 1) notices.add(notice(1));
  notices.add(notice(2));
  expect(lines).toEqual(["website 1: its it changes", "website 2: its it changes"]);
});
