import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { endpoint, environmentName, settingNames } from "../../../provider/config";
import { catalogue } from "../../../provider/resources";
import { PixelType } from "../../../provider/resources/pixel";
import { packageSchema, textOf } from "../../../tools/schema/package.mjs";
import { referencePages } from "../../../tools/schema/reference.mjs";

let schema: Awaited<ReturnType<typeof packageSchema>>;
beforeAll(async () => {
  schema = await packageSchema();
});

/** All texts for people in a schema. */
function texts(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === "description" && typeof each === "string" ? [each] : texts(each),
  );
}

it("the committed schema is what npm run build writes, and describes the package in terms that are right in every language", async () => {
  expect(textOf(schema)).toBe(await readFile("schema.json", "utf8"));
  const variables = Object.entries(schema.config.variables).map(([name, each]) => [name, each.defaultInfo]);
  // SDKs of other languages read no object from the environment.
  expect(variables).toEqual(
    settingNames.map((name) => [
      name,
      name === "headers" ? undefined : { environment: [environmentName(name)] },
    ]),
  );
  const all = texts(schema);
  expect(all.length).toBeGreaterThan(100);
  for (const each of all) expect(each.split("\n\n")[0]).not.toMatch(/`\w*[a-z][A-Z]\w*`|\{@link/);
  // What is one of a few words is plain text, so an editor shows the words, wherever a program may write or read one.
  const words = Object.values(PixelType).map((each) => `\`${each}\``);
  const described = JSON.parse(textOf(schema));
  const pixel = described.resources["tracking:index:Pixel"];
  const { properties: record } = described.types["tracking:index:PixelRecord"];
  const { properties: search } = described.functions["tracking:index:getPixels"].inputs;
  for (const { type } of [pixel.properties, pixel.inputProperties, record, search])
    for (const word of words) expect(type.description).toContain(word);
  expect(search.searchBy.description).toContain("`name`");
  for (const { description, inputProperties } of Object.values(schema.resources)) {
    for (const language of ["typescript", "python", "go", "yaml"])
      expect(description).toContain(`\`\`\`${language}\n`);
    expect(texts(inputProperties)).toHaveLength(Object.keys(inputProperties as object).length);
  }
});

it("the committed reference is what npm run build writes: every argument, default, output, look-up and setting", async () => {
  const folder = join("docs", "reference");
  const committed = await Promise.all(
    (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), "utf8")]),
  );
  const pages = await referencePages();
  expect(Object.fromEntries(committed)).toEqual(pages);
  for (const name of Object.keys(schema.functions))
    expect(pages["lookups.md"]).toContain(`\n## ${name.split(":")[2]}\n`);
  for (const name of settingNames) expect(pages["provider.md"]).toContain(`| \`${environmentName(name)}\` |`);
  for (const { type, inputs } of catalogue)
    for (const name of [...Object.keys(inputs), "adopt"])
      expect(pages[`${type.toLowerCase()}.md`]).toContain(`\n| \`${name}\` |`);
});

it("the words of a field or a setting name the default that it has", () => {
  const { resources, config } = schema;
  for (const { inputProperties } of Object.values(resources))
    for (const { default: preset, description } of Object.values<{ default?: unknown; description: string }>(
      inputProperties as never,
    ))
      if (preset !== undefined) expect(description).toContain(`Default \`${preset}\`.`);
  const values: Record<string, string> = { apiKey: "k", marketBaseUrl: "https://a.example" };
  const read = endpoint("market", { get: (key) => values[key.replace("tracking:", "")] }, {});
  const { requestTimeout, maxRetryWait, marketPostParameters } = config.variables;
  expect(requestTimeout?.description).toContain(`Default ${read.timeout / 1000}.`);
  expect(maxRetryWait?.description).toContain(`Default ${read.maxWait / 1000}.`);
  expect(marketPostParameters?.description).toContain(`Default \`${read.postParameters}\`.`);
});

/** The categories of packages that Pulumi's registry knows. */
const CATEGORIES = ["cloud", "database", "infrastructure", "monitoring", "network", "utility", "vcs"];

it("the schema passes what Pulumi's registry asks of a package before it lists it", async () => {
  const repository = { url: "git+https://github.com/acme-inc/pulumi-tracking.git" };
  const schema = await packageSchema({ repository });
  expect(schema.repository).toBe("https://github.com/acme-inc/pulumi-tracking");
  // The registry takes the name of the plugin from that of the repository.
  expect(schema.repository?.endsWith(`/pulumi-${schema.name}`)).toBe(true);
  expect(schema.version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  expect(schema.publisher).toMatch(/\w/);
  expect(schema.pluginDownloadURL).toMatch(/^(https|github|gitlab):\/\/[\w.~:/?#@!$&()*+,;=-]+$/);
  const tags = schema.keywords.filter((each) => each.startsWith("category/"));
  expect(tags.map((each) => CATEGORIES.includes(each.slice("category/".length)))).toEqual([true]);
  // Its installs are tried with these names, as they are written.
  for (const language of Object.values(schema.language))
    for (const [key, value] of Object.entries(language))
      if (["packageName", "importBasePath"].includes(key)) expect(value).toMatch(/^[\w.@/-]+$/);
});
