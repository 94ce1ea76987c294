import { describe, expect, it } from "vitest";
import { KEY, literal, type Ran, useHarness } from "./harness";

const world = useHarness();

/** Declares a website, with its options as a program writes them. */
function site(name: string, domain: string, args: object = {}, opts = ""): string {
  return `new tracking.Website(${literal(name)}, ${literal({ domain: `${domain}.example.com`, ...args })}, { protect: false, ${opts} });\n`;
}

function pixel(name: string, label: string, args: object = {}, opts = ""): string {
  return `new tracking.Pixel(${literal(name)}, ${literal({ name: label, type: "bing", value: "1", ...args })}, { ${opts} });\n`;
}

/** An explicit provider for the same account, by whatever address of the service. */
function provider(name: string, url = world.service.url): string {
  const args = { apiKey: KEY, analyticsBaseUrl: url, dataBaseUrl: url };
  return `const ${name} = new tracking.Provider("${name}", ${literal(args)});\n`;
}

const adopt = { adopt: true };
const DBR = "deleteBeforeReplace: true";
const UP = ["up", "--yes", "--skip-preview"];
const urn = async (name: string) => (await world.resource(name)).urn;
const REST = "/api/v1/";

/** What the service holds: the key of each record by its id. */
async function stored(): Promise<Record<string, string>> {
  const websites = (await world.service.websites()).map(({ id, domain }) => [
    `websites/${id}`,
    domain.replace(".example.com", ""),
  ]);
  const pixels = (await world.service.pixels()).map(({ id, name }) => [`pixels/${id}`, name]);
  return Object.fromEntries([...websites, ...pixels]);
}

/** The key of each resource's record. No record belongs to two, and none is missing or left over. */
async function sound(): Promise<Record<string, string>> {
  const records = await stored();
  const held = Object.entries(await world.resources()).map(
    ([name, { type, id }]) => [name, `${type.split(":").at(-1)?.toLowerCase()}s/${id}`] as const,
  );
  expect(held.map(([, record]) => record).sort()).toEqual(Object.keys(records).sort());
  return Object.fromEntries(held.map(([name, record]) => [name, records[record] ?? ""]));
}

const lines = ({ written }: Ran) => written.map(({ method, path }) => `${method} ${path.replace(REST, "")}`);

describe("a record that changes hands", () => {
  it("is kept by a rename with adopt, also to another provider and address, by a swap, and by one that leaves what another adopts", async () => {
    await world.program(
      site("shop", "shop") +
        pixel("tag", "TAG") +
        site("far", "far") +
        site("one", "x") +
        site("two", "y") +
        site("leaves", "z"),
    );
    await world.up();
    const before = await stored();
    await world.program(
      provider("other") +
        provider("nearby", world.service.url.replace("127.0.0.1", "localhost")) +
        site("shop-new", "shop", adopt) +
        pixel("tag-new", "TAG", adopt, "provider: other") +
        site("far-new", "far", adopt, "provider: nearby") +
        site("one", "y", adopt) +
        site("two", "x", adopt) +
        site("takes", "z", adopt) +
        site("leaves", "new"),
    );
    const preview = await world.preview();
    for (const key of ["shop", "far", "x", "y", "z"])
      expect(preview.output).toMatch(
        new RegExp(`"${key}.example.com": exists already \\(id \\d+\\) and will be adopted`),
      );
    expect(preview.written).toEqual([]);
    const up = await world.up();
    expect(lines(up)).toEqual(["POST websites"]);
    expect(await stored()).toMatchObject(before);
    expect(await sound()).toEqual({
      "shop-new": "shop",
      "tag-new": "TAG",
      "far-new": "far",
      one: "y",
      two: "x",
      takes: "z",
      leaves: "new",
    });
    await world.expectNoChange();
  });
});
