import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { tokenOf } from "../../../provider/hosts/dynamic/identity";
import { website } from "../../../provider/resources";
import { type Declared, urnOf, World } from "./harness";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ apiKey: "key", rateLimit: false });
});
afterAll(() => emulator.close());
beforeEach(() => emulator.control.seed({ websites: [{ id: 1, domain: "a.example" }], pixels: [] }));

const type = tokenOf(website);
const declared = (name: string, domain: string, provider?: string): Declared => ({
  type,
  name,
  inputs: { domain },
  ...(provider && { provider: `${provider}::id` }),
});

/** A project whose program declares these. */
async function world(...declares: Declared[]): Promise<World> {
  const { url } = emulator;
  const made = new World({ apiKey: "key", analyticsBaseUrl: url, dataBaseUrl: url });
  made.declares = declares;
  return made.files({ "Pulumi.yaml": "name: shop\nruntime: nodejs\n" });
}

test("a provider's key comes from the stack alone, and its address from the program", async () => {
  const urn = urnOf({ type: "pulumi:providers:pulumi-nodejs", name: "other" });
  const inputs = {
    "tracking:explicit": "true",
    "tracking:apiKey": "[secret]",
    "tracking:analyticsBaseUrl": emulator.url,
  };
  const provider: Declared = { type: "pulumi:providers:pulumi-nodejs", name: "other", inputs };
  const shop = await world(provider, declared("a", "a.example", urn));
  const early = await shop.import({ declared: true });
  expect(early.lines).toContain(
    `website "a.example": the secrets of its provider "other" are not in the stack yet, so it is not imported. Run "pulumi up --target ${urn}", which creates that provider alone, then run this again.`,
  );
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: '"key"',
  };
  shop.state = [{ urn, type: provider.type, id: "id", inputs: { ...inputs, "tracking:apiKey": secret } }];
  expect((await shop.import({ declared: true, apply: true })).lines).toContain("1 imported.");
  expect(JSON.stringify(shop.imported)).not.toContain('"key"');
});

test("a domain that a preview hides is not looked for", async () => {
  const { lines } = await (await world(declared("a", "[secret]"))).import({ declared: true });
  expect(lines).toContain(
    'website "[secret]": its domain is a secret, which a preview hides, so it is not imported. Give it adopt: true instead.',
  );
});
