import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { environmentName, settingNames } from "../../../provider/config";
import { catalogue } from "../../../provider/resources";
import { descriptions } from "../../../tools/schema/reflected.mjs";
import { schemas, textOf } from "../../../tools/schema/schemas.mjs";

it("finds the JSDoc of every argument, which begins with what the class and the record say of the value", async () => {
  const words = await descriptions();
  for (const { type, inputs } of catalogue)
    for (const name of Object.keys(inputs)) {
      const [value, ...same] = [type, `${type}Record`].flatMap((each) => words.get(`${each}.${name}`) ?? []);
      for (const each of same) expect(each).toBe(value);
      const [first = "none"] = value?.split(/[.,]/) ?? [];
      expect(words.get(`${type}Args.${name}`)?.startsWith(first), name).toBe(true);
      expect(value, name).not.toMatch(/If (omitted|never set)|Default/);
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

/** All texts for people in a schema. */
function texts(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === "description" && typeof each === "string" ? [each] : texts(each),
  );
}

it("writes the schema of the package as it is committed; if it differs, npm run build writes it", async () => {
  const { package: schema } = await schemas();
  expect(textOf(schema)).toBe(await readFile("schema.json", "utf8"));
  const variables = Object.entries(schema.config.variables).map(([name, { defaultInfo }]) => [
    name,
    defaultInfo,
  ]);
  expect(variables).toEqual(settingNames.map((name) => [name, { environment: [environmentName(name)] }]));
});

it("describes the package in words that are right in every language", async () => {
  const { package: schema } = await schemas();
  const all = texts(schema);
  expect(all.length).toBeGreaterThan(100);
  for (const each of all) expect(each.split("\n\n")[0]).not.toMatch(/`\w*[a-z][A-Z]\w*`|\{@link/);
  expect(schema.resources["tracking:index:Pixel"]?.description).toContain("detaches it from everything");
  for (const { description } of Object.values(schema.resources))
    for (const language of ["python", "go", "yaml"]) expect(description).toContain(`\`\`\`${language}\n`);
});
