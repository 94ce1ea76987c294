import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { guards } from "../../../tools/mutation/guards.mjs";
import { type Breach, groups } from "../../../tools/mutation/promises.mjs";

const breaches = groups.flatMap(({ title, breaches }) => breaches.map((each) => ({ title, ...each })));

describe.each(breaches)("the promise of $title, where $change", ({ file, code, instead, test }) => {
  it("can be broken: the code is there, once", async () => {
    expect((await readFile(file, "utf8")).split(code)).toHaveLength(2);
    expect(instead).not.toBe(code);
  });

  it("has a test that is there", async () => expect(await readFile(test, "utf8")).toContain("expect("));
});

it("every promise is broken in some way, each way is another, and each has a row of its own", () => {
  expect(groups.filter((group) => group.breaches.length === 0)).toEqual([]);
  const wayOf = ({ file, instead, test, name }: Breach) => JSON.stringify([file, instead, test, name]);
  for (const ways of [breaches.map(({ change }) => change), breaches.map(wayOf)])
    expect(ways.filter((way, at) => ways.indexOf(way) !== at)).toEqual([]);
  // A row is read back by its cells.
  for (const { change, name } of breaches) expect(change + name).not.toMatch(/[|\n]/);
});

it("every ownership check belongs to one promise", () => {
  const held = guards.map((guard) => groups.filter((group) => group.breaches.includes(guard)).length);
  expect(held).toEqual(guards.map(() => 1));
});
