import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type EmulatorClient, service } from "../service";
import { KEY, literal, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

/** Declares a website, with its options as a program writes them. */
function site(name: string, domain: string, args: object = {}, opts = ""): string {
  return `new tracking.Website(${literal(name)}, ${literal({ domain, ...args })}, { protect: false, ${opts} });\n`;
}

/** An explicit provider, by default for the same account. */
function provider(name = "other", url = world.service.url, apiKey = KEY): string {
  const args = { apiKey, analyticsBaseUrl: url, dataBaseUrl: url };
  return `const ${name} = new tracking.Provider("${name}", ${literal(args)});\n`;
}

const adopt = { adopt: true };

describe("two installations in one stack", () => {
  it("have separate ids, for import too, whatever a provider is named", async () => {
    const second = await service();
    const [here, there] = [world.service, second.control];
    // Ids continue from the records of other tests.
    const seeded = (...domains: string[]) => ({
      websites: domains.map((domain, at) => ({ id: at + 1, domain, privacy: 1 as const })),
    });
    here.seed(seeded("only.example.com", "shop.example.com"));
    there.seed(seeded("shop.example.com", "blog.example.com"));
    const blog = (name: string) =>
      provider(name, second.url, "local-key").replace("const default", "const other") +
      site("blog", "blog.example.com", adopt, "provider: other");
    // The name of the stack's default one, which this program does not use.
    await world.program(blog("default"));
    await world.up();
    const unmanaged = async (out: string) => {
      const { code, stdout, stderr } = await importing(world, ["--format", "yaml", "--out", out]).finished;
      expect(code, stdout + stderr).toBe(0);
      const file = await readFile(join(world.project.folder, out), "utf8");
      return file.match(/\w+\.example\.com/g);
    };
    expect(await unmanaged("all.yaml")).toEqual(["only.example.com", "shop.example.com"]);
    await world.program(blog("other"));
    await world.up();

    const shops = (args: object) =>
      site("shop", "shop.example.com", args) +
      site("shop-there", "shop.example.com", args, "provider: other");
    await world.program(blog("other") + shops({}));
    const declared = await importing(world, ["--declared", "--apply"]).finished;
    expect(declared.code, declared.stdout + declared.stderr).toBe(0);
    const ids = async (name: string) => (await world.resource(name)).id;
    expect([await ids("shop"), await ids("shop-there"), await ids("blog")]).toEqual(["2", "1", "2"]);

    await world.program(blog("other") + shops({ privacy: "public" }));
    await world.up();
    const stored = (control: EmulatorClient) =>
      control.websites().map(({ id, domain, privacy }) => [id, domain, privacy]);
    expect([stored(here), stored(there)]).toEqual([
      [
        [1, "only.example.com", 1],
        [2, "shop.example.com", 0],
      ],
      [
        [1, "shop.example.com", 0],
        [2, "blog.example.com", 1],
      ],
    ]);
    expect(await unmanaged("rest.yaml")).toEqual(["only.example.com"]);
  });

  it("take no key of the environment for a provider of the program's own, whatever it is named", async () => {
    const lacking = (name: string) =>
      `const own = new tracking.Provider("${name}", { analyticsBaseUrl: "${world.service.url}" });\n`;
    for (const name of ["default", "default_0_1_0"]) {
      await world.program(lacking(name) + site("shop", "shop.example.com", adopt, "provider: own"));
      const { output, sent } = await world.fail(["preview"], { env: { TRACKING_API_KEY: "of-another" } });
      expect(output).toContain(`give apiKey to the tracking.Provider "${name}"`);
      expect(sent).toEqual([]);
    }
  });
});
