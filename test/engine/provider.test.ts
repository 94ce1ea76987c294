import { describe, expect, it } from "vitest";
import type { EmulatorClient } from "../../emulator";
import { KEY, line, useWorld } from "./world";

const world = useWorld();

const OTHER = "key-of-the-other";

/** The statement that declares an explicit provider. */
function provider(service: EmulatorClient, key: string): string {
  const settings = `apiKey: "${key}", analyticsBaseUrl: "${service.url}", dataBaseUrl: "${service.url}"`;
  return `const other = new tracking.Provider("other", { ${settings} });\n`;
}

const WEBSITE = `new tracking.Website("shop", { domain: "shop.example.com" }, { protect: false`;
const PIXEL = `new tracking.Pixel("pixel", { name: "P", type: "quora", value: "1" }, {`;

describe("an explicit provider", () => {
  it("serves its own resources and those of components, beside the default one", async () => {
    const other = await world.anotherService({ apiKey: OTHER });
    const component = `
class Tracking extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("test:index:Tracking", name, {}, opts);
    new tracking.Website(name, { domain: name + ".example.com" }, { parent: this, protect: false });
    new tracking.Pixel(name + "-pixel", { name, type: "quora", value: "1" }, { parent: this });
  }
}
`;
    await world.program(`${provider(other, OTHER)}${component}
new tracking.Website("mine", { domain: "mine.example.com" }, { protect: false });
new tracking.Website("theirs", { domain: "theirs.example.com" }, { protect: false, provider: other });
new Tracking("list", { providers: [other] });
new Tracking("map", { providers: { "pulumi-nodejs": other } });
new Tracking("one", { provider: other });
new Tracking("none");
`);
    const preview = await world.preview();
    expect(preview.sent).toEqual([]);
    await world.up();
    const domains = async (service: EmulatorClient) =>
      (await service.websites()).map(({ domain }) => domain.split(".")[0]).sort();
    expect(await domains(world.service)).toEqual(["mine", "none"]);
    expect(await domains(other)).toEqual(["list", "map", "one", "theirs"]);
    expect((await other.pixels()).map(({ name }) => name).sort()).toEqual(["list", "map", "one"]);
    expect((await other.requests()).every(({ key }) => key === "right")).toBe(true);

    await other.clearRequests();
    await world.expectNoChange();
    expect(await other.requests()).toEqual([]);
    await world.refresh({ args: ["--expect-no-changes"] });
    await world.destroy();
    expect([...(await world.service.websites()), ...(await other.websites())]).toEqual([]);
    expect([...(await world.service.pixels()), ...(await other.pixels())]).toEqual([]);
  });

  it("may take over from the default one, and give back, without a change to any record", async () => {
    const mine = provider(world.service, KEY);
    await world.program(`${WEBSITE} });\n${PIXEL} });\n`);
    await world.up();
    const before = [await world.service.websites(), await world.service.pixels()];
    for (const program of [
      `${mine}${WEBSITE}, provider: other });\n${PIXEL} provider: other });\n`,
      `${WEBSITE} });\n${PIXEL} });\n`,
    ]) {
      await world.program(program);
      expect(await world.plan()).toEqual({});
      expect((await world.up()).sent).toEqual([]);
      await world.expectNoChange();
    }
    expect([await world.service.websites(), await world.service.pixels()]).toEqual(before);
  });

  it("takes a new key as a change of its own alone", async () => {
    const program = (key: string) => `${provider(world.service, key)}${WEBSITE}, provider: other });\n`;
    await world.program(program(KEY));
    await world.up();
    const before = await world.kept();
    await world.service.addKey(OTHER);
    await world.program(program(OTHER));
    expect((await world.up()).sent).toEqual([]);
    expect(await world.kept()).toEqual(before);
    await world.expectNoChange();
    await world.service.revokeKey(KEY);
    expect((await world.refresh()).sent.map(line)).toEqual([
      `GET /api/v1/websites/${(await world.website("shop.example.com")).id}`,
    ]);
    await world.service.addKey(KEY);
    await world.service.revokeKey(OTHER);
  });

  it("has its key encrypted in the state, whether or not the program marked it", async () => {
    await world.program(`${provider(world.service, KEY)}${WEBSITE}, provider: other });\n`);
    await world.up();
    const state = await world.state();
    expect(JSON.stringify(state)).not.toContain(KEY);
    const explicit = state.find(({ urn }) => urn.endsWith("::other"));
    expect(explicit).toMatchObject({ inputs: { "tracking:apiKey": { ciphertext: expect.any(String) } } });
  });

  it("asks neither the environment nor the stack's config, and says so at preview", async () => {
    const env = { TRACKING_API_KEY: KEY, TRACKING_DATA_BASE_URL: world.service.url };
    for (const [settings, missing] of [
      [`dataBaseUrl: "${world.service.url}"`, "the API key for pixels is missing: give apiKey"],
      [`apiKey: "${KEY}"`, "the base URL for pixels is missing: give dataBaseUrl"],
    ]) {
      await world.program(
        `const other = new tracking.Provider("other", { ${settings} });\n${PIXEL} provider: other });\n`,
      );
      const preview = await world.fail(["preview"], { env });
      expect(preview.output).toContain(`${missing} to the explicit tracking.Provider`);
      expect(preview.sent).toEqual([]);
    }
  });

  it("refuses an argument that it does not have", async () => {
    await world.program(`new tracking.Provider("other", { apikey: "${KEY}" });\n`);
    const preview = await world.fail(["preview"]);
    expect(preview.output).toContain('Provider "other" has no argument apikey; it has apiKey, ');
    expect(preview.output).not.toContain(KEY);
  });
});
