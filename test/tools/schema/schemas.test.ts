import { expect, it } from "vitest";
import { catalogue } from "../../../provider/resources";
import { descriptions } from "../../../tools/schema/reflected.mjs";
import { schemas } from "../../../tools/schema/schemas.mjs";

it("finds the JSDoc of every argument, the same at the class and at the record", async () => {
  const words = await descriptions();
  for (const { type, inputs } of catalogue)
    for (const name of Object.keys(inputs)) {
      const all = [type, `${type}Args`, `${type}Record`].flatMap(
        (each) => words.get(`${each}.${name}`) ?? [],
      );
      expect([...new Set(all)]).toEqual([words.get(`${type}Args.${name}`)]);
    }
  expect(words.get("PixelArgs.name")).toBe(
    "Name in the pixel list, unique in the account; many services refuse more than 32 characters.",
  );
});

it("writes the schema of declaration files with these words, for editors to show", async () => {
  const { declarations } = await schemas();
  const words = await descriptions();
  for (const { type, inputs } of catalogue)
    for (const name of Object.keys(inputs))
      expect(declarations).toHaveProperty(
        ["definitions", type, "properties", name, "description"],
        words.get(`${type}Args.${name}`),
      );
});

it("writes the schema of the package, for every language, as it is kept under test, with words for each part", async () => {
  const { package: schema } = await schemas();
  const silent = (name: string, value: unknown) => (name === "description" ? undefined : value);
  await expect(`${JSON.stringify(schema, silent, 2)}\n`).toMatchFileSnapshot("golden/package.json");
});
