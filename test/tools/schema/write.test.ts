import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { catalogue } from "../../../provider/resources";
import { descriptions } from "../../../tools/schema/descriptions.mjs";
import { writeSchema } from "../../../tools/schema/write.mjs";

it("finds the JSDoc of every argument where it is defined", async () => {
  const words = await descriptions();
  const names = catalogue.flatMap(({ type, inputs }) => Object.keys(inputs).map((name) => `${type}.${name}`));
  expect([...words.keys()].sort()).toEqual(names.sort());
  expect(words.get("Pixel.name")).toBe(
    "Name in the pixel list, unique in the account; many services refuse more than 32 characters.",
  );
});

it("writes the schema with these texts, for editors to show", async () => {
  const folder = await mkdtemp(join(tmpdir(), "schema-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeSchema(join(folder, "schema.json"));
  const schema = JSON.parse(await readFile(join(folder, "schema.json"), "utf8"));
  const words = await descriptions();
  for (const { type, inputs } of catalogue)
    for (const name of Object.keys(inputs))
      expect(schema.definitions[type].properties[name].description).toBe(words.get(`${type}.${name}`));
});
