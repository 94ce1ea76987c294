import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { declare, KEY, type Ran, useHarness } from "./harness";

const world = useHarness();

const PASSWORD = "canary sécret/+&=42";
const SECOND = "canary-the-second-%7E";

/** An encrypted value in state. */
const SEALED = { ciphertext: expect.any(String) };

/** The forms in which a secret may appear: plain, encoded, or its beginning. */
function forms(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ k: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    Buffer.from(secret).toString("base64url"),
    secret.slice(0, 12),
  ];
}

const canaries = [PASSWORD, SECOND, KEY].flatMap(forms);

/** Every file that the engine wrote for this project: states and logs. */
async function files(): Promise<{ name: string; text: string }[]> {
  const found = [];
  for (const folder of [world.project.backend, world.project.home]) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const name = join(entry.parentPath, entry.name);
      if (entry.isFile()) found.push({ name, text: await readFile(name, "latin1") });
    }
  }
  return found;
}

describe("the state of a resource", () => {
  const story = world.story(async () => {
    await world.program(
      declare("Website", "shop", { domain: "shop.example.com", adopt: true, excludeParams: ["ref"] }) +
        declare("Website", "a-website", { domain: "a-website.example.com" }) +
        declare("Pixel", "a-pixel", { name: "A pixel", type: "google-analytics", value: "G-1234567890" }),
    );
    // As the engine starts it for users, since the state names each file that a resource's constructor was called from.
    await world.up({ env: { NODE_OPTIONS: "" } });
    return {
      exported: await world.project.state(),
      text: await readFile(world.stateFile, "utf8"),
      resources: await world.resources(),
      shop: await world.website("shop.example.com"),
    };
  });

  it.each([
    ["Website", "shop"],
    ["Pixel", "a-pixel"],
  ])("names the provider of a %s by one constant text, in inputs and outputs", (type, name) => {
    const text = `exports.handler = () => require("pulumi-tracking/host").${type}`;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(80);
    const all = story().exported.deployment.resources;
    expect(all?.find(({ urn }) => String(urn).endsWith(`::${name}`))).toMatchObject({
      type: `pulumi-nodejs:dynamic/tracking:${type}`,
      inputs: { __provider: text },
      outputs: { __provider: text },
    });
  });

  it("holds only the arguments", () => {
    const { id, inputs, outputs } = story().resources.shop ?? {};
    const settled = {
      domain: "shop.example.com",
      privacy: "private",
      emailReports: false,
      excludeBots: true,
      excludeParams: ["ref"],
    };
    expect(id).toBe(String(story().shop.id));
    expect(outputs).toEqual({ ...settled, __provider: expect.any(String) });
    expect(inputs).toEqual({ ...settled, adopt: true, __provider: expect.any(String) });
  });

  it.each([
    ["a-website", 1536],
    ["a-pixel", 1331],
  ])("takes little room: %s at most %i bytes", (name, most) => {
    const { text, resources } = story();
    const stored = JSON.stringify(resources[name]);
    expect(text, "the state is stored as compactly as it is measured").toContain(stored);
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(most);
  });
});

describe("a secret", () => {
  it("is nowhere in plain text, and a password stays encrypted after the program drops it", async () => {
    const ran: Ran[] = [];
    const shop = (args: object) =>
      declare("Website", "shop", { domain: "shop.example.com", privacy: "password", ...args }) +
      `const pub = new tracking.Website("pub", { domain: "pub.example.com", password: pulumi.secret("${SECOND}") });\n`;
    const stored = async () => {
      const { inputs, outputs } = await world.resource("shop");
      return { given: inputs?.password, kept: outputs?.password };
    };
    await world.program(`${shop({ password: PASSWORD })}exports.shown = pub.password;\n`);
    ran.push(await world.preview({ args: ["--diff"] }), await world.preview({ args: ["--json"] }));
    ran.push(await world.up({ env: { TRACKING_LOG: "debug" } }));
    expect(await world.website("shop.example.com")).toMatchObject({ password: PASSWORD });
    expect(await world.website("pub.example.com")).toMatchObject({ password: SECOND });
    expect(await stored()).toMatchObject({ given: SEALED, kept: SEALED });
    ran.push(await world.run(["stack", "output", "--json"]), await world.run(["stack", "export"]));

    await world.program(shop({ password: SECOND }));
    ran.push(await world.preview({ args: ["--diff"] }), await world.up());
    expect(await world.website("shop.example.com")).toMatchObject({ password: SECOND });
    await world.program(shop({}));
    ran.push(await world.up());
    expect(await stored()).toMatchObject({ given: undefined, kept: SEALED });
    await world.program(shop({ emailReports: true }));
    ran.push(await world.up());
    expect(await stored()).toMatchObject({ given: undefined, kept: undefined });
    expect(await world.website("shop.example.com")).toMatchObject({ email: 1, password: SECOND });
    await world.expectNoDiff();

    const texts = [
      ...ran.map(({ output }, at) => ({ name: `output ${at}`, text: output })),
      ...(await files()).map(({ name, text }) => ({ name, text: Buffer.from(text, "latin1").toString() })),
    ];
    expect(texts.length).toBeGreaterThan(ran.length + 2);
    const found = texts.flatMap(({ name, text }) =>
      canaries.filter((canary) => text.includes(canary)).map((canary) => `${canary} in ${name}`),
    );
    expect(found).toEqual([]);
  });

  it("given as a password stays encrypted through a refresh, even after the program drops it", async () => {
    const shop = (args: object) => declare("Website", "shop", { domain: "shop.example.com", ...args });
    await world.program(shop({ password: PASSWORD }));
    await world.up();
    await world.refresh();
    expect(await world.resource("shop")).toMatchObject({
      inputs: { password: SEALED },
      outputs: { password: SEALED },
    });
    expect(JSON.stringify(await world.state())).not.toContain(PASSWORD);

    await world.program(shop({}));
    await world.up();
    await world.refresh();
    expect((await world.resource("shop")).outputs).toMatchObject({ password: SEALED });
    expect(JSON.stringify(await world.state())).not.toContain(PASSWORD);
  });

  it("given to get stays encrypted", async () => {
    const { id } = await world.service.insertWebsite({
      domain: "shop.example.com",
      privacy: 2,
      password: PASSWORD,
    });
    await world.program(`tracking.Website.get("shop", "${id}", { password: "${PASSWORD}" });\n`);
    const up = await world.up();
    const refresh = await world.refresh();
    expect((await world.resource("shop")).outputs).toMatchObject({ password: SEALED });
    for (const text of [JSON.stringify(await world.state()), up.output, refresh.output])
      expect(text).not.toContain(PASSWORD);
  });

  it("given as the key is in no resource, and another key is no change", async () => {
    await world.program(
      declare("Website", "shop", { domain: "shop.example.com" }) +
        declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" }),
    );
    await world.up();
    const before = await world.kept();
    await world.service.addKey("another-key");
    await world.configureHere({ url: world.service.url, key: "another-key" });
    await world.service.revokeKey(KEY);
    expect((await world.up()).sent).toEqual([]);
    expect(await world.kept()).toEqual(before);
    expect((await world.refresh()).sent.map(({ key }) => key)).toEqual(["right", "right"]);
    await world.service.addKey(KEY);
  });
});
