import { expect, it } from "vitest";
import type { EmulatorClient } from "../service";
import { KEY, useHarness } from "./harness";

const world = useHarness();

const OTHER = "key-of-the-other";
const ROTATED = "key-after-rotation";

/** The statement that declares an explicit provider. */
function provider(name: string, service: EmulatorClient, key: string): string {
  const settings = `apiKey: "${key}", analyticsBaseUrl: "${service.url}", dataBaseUrl: "${service.url}"`;
  return `const ${name} = new tracking.Provider("${name}", { ${settings} });\n`;
}

/** Resources of the default provider and of an explicit one, by themselves and in components. */
const SPREAD = `
class Tracking extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("test:index:Tracking", name, {}, opts);
    this.held = opts?.provider;
    new tracking.Website(name, { domain: name + ".example.com" }, { parent: this, protect: false });
    new tracking.Pixel(name + "-pixel", { name, type: "quora", value: "1" }, { parent: this });
  }
}
new tracking.Website("mine", { domain: "mine.example.com" }, { protect: false });
new tracking.Website("theirs", { domain: "theirs.example.com" }, { protect: false, provider: other });
new Tracking("list", { providers: [other] });
new Tracking("map", { providers: { "${world.form === "native" ? "tracking" : "pulumi-nodejs"}": other } });
exports.shown = { other, held: new Tracking("one", { provider: other }), kept: pulumi.output({ other }) };
new Tracking("none");
`;
/** Resources of the default provider, or of an explicit one with the same settings. */
const moving = (name: string, isExplicit: boolean) => `{
const provider = ${isExplicit ? "same" : "undefined"};
new tracking.Website("${name}", { domain: "${name}.example.com" }, { protect: false, provider });
new tracking.Pixel("${name}-pixel", { name: "${name}", type: "quora", value: "1" }, { provider });
}
`;

it("an explicit provider serves its own resources and those of components, keeps its key secret, and can replace the default one", async () => {
  const other = await world.anotherService({ apiKey: OTHER });
  const all = [world.service, other];
  const stored = () => all.map((each) => ({ websites: each.websites(), pixels: each.pixels() }));
  const asked = () => all.flatMap((service) => service.requests());
  const forget = () => {
    for (const service of all) service.clearRequests();
  };
  const program = (key: string, hasMoved: boolean) =>
    world.program(
      provider("other", other, key) +
        provider("same", world.service, KEY) +
        SPREAD +
        moving("there", hasMoved) +
        moving("back", !hasMoved),
    );

  await program(OTHER, false);
  const first = await world.up({ args: ["--diff"] });
  const created = stored();
  const [mine, theirs] = created.map(({ websites, pixels }) => ({
    websites: websites.map(({ domain }) => domain.split(".")[0]).sort(),
    pixels: pixels.map(({ name }) => name).sort(),
  }));
  expect(mine).toEqual({ websites: ["back", "mine", "none", "there"], pixels: ["back", "none", "there"] });
  expect(theirs).toEqual({ websites: ["list", "map", "one", "theirs"], pixels: ["list", "map", "one"] });
  expect(new Set(other.requests().map(({ key }) => key))).toEqual(new Set(["right"]));

  const [kept, state] = [await world.kept(), await world.state()];
  for (const key of [KEY, OTHER]) expect(JSON.stringify(state)).not.toContain(key);
  const setting = world.form === "native" ? "apiKey" : "tracking:apiKey";
  for (const name of ["other", "same"])
    expect(state.find(({ urn }) => urn.endsWith(`::${name}`))).toMatchObject({
      inputs: { [setting]: { ciphertext: expect.any(String) } },
    });
  // The program exports a provider, and a component that holds one.
  const outputs = await world.run(["stack", "output", "--json", "--show-secrets"]);
  const stack = JSON.stringify(state.find(({ type }) => type === "pulumi:pulumi:Stack"));
  for (const text of [outputs.output, stack]) {
    expect(text).toContain("held");
    expect(text).not.toMatch(/apiKey|BaseUrl|trackingSettings/i);
  }
  for (const text of [first.output, outputs.output, stack]) expect(text).not.toContain(OTHER);

  // A new key is a change of its provider only, and so is another provider with the same settings.
  other.keys.add(ROTATED);
  await program(ROTATED, true);
  forget();
  await world.up();
  expect(asked()).toEqual([]);
  expect([stored(), await world.kept()]).toEqual([created, kept]);
  // From then on, a command that runs no program has the new key.
  other.keys.delete(OTHER);
  forget();
  await world.destroy({ args: ["--refresh"] });
  expect(new Set(other.requests().map(({ key }) => key))).toEqual(new Set(["right"]));
  expect(stored()).toEqual(Array(2).fill({ websites: [], pixels: [] }));
});
