import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { catalogue } from "../faults/catalogue";

it("docs/reliability.md lists every fault of the catalogue", async () => {
  const text = await readFile("docs/reliability.md", "utf8");
  const missing = catalogue.filter(({ id, title }) => !text.includes(`| ${id} ${title} |`));
  expect(missing.map(({ id }) => id)).toEqual([]);
});

it("every fault has its own number", () => {
  const ids = catalogue.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});
