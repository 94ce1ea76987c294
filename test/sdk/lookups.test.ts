import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sampleMarket } from "../../emulator/market/samples";
import { endpoint } from "../../provider/config";
import { assertAgreed } from "../../provider/config/agreement";
import { ledgerAt, runFile } from "../../provider/hosts/run-file";
import * as tracking from "../../sdk";
import * as native from "../../sdk/native";
import { rejection } from "../rejection";
import { service } from "../service";
import {
  asBuilt,
  configure,
  configured,
  connected,
  engineWithout,
  Group,
  look,
  Thing,
  yetToBe,
} from "./lookups-harness";

const purchaseCode = sampleMarket.purchases[0]?.purchase_code ?? "";
const seed = {
  websites: [{ id: 7, domain: "shop.example.com", privacy: 0 as const }],
  pixels: [{ id: 9, name: "Ads", type: "quora" as const, value: "q-1" }],
};

/** Every look-up, with arguments and what it finds by them. */
const found: [name: string, args: object, answer: unknown][] = [
  ["getAccount", {}, expect.objectContaining({ username: "ada-marlow" })],
  ["getItems", {}, [101, 102, 103].map((id) => expect.objectContaining({ id }))],
  ["getItem", { itemId: 101 }, expect.objectContaining({ id: 101, name: "Harbour Theme" })],
  ["getPurchase", { purchaseCode }, expect.objectContaining({ purchaseCode, licenseType: "Regular" })],
  [
    "validatePurchase",
    { purchaseCode },
    { valid: true, purchase: expect.objectContaining({ purchaseCode }) },
  ],
  ["getWebsite", { domain: "shop.example.com" }, expect.objectContaining({ id: "7", privacy: "public" })],
  ["getWebsites", { search: "shop" }, [expect.objectContaining({ id: "7" })]],
  ["getPixel", { id: "9" }, expect.objectContaining({ id: "9", name: "Ads" })],
  ["getPixels", { type: "quora" }, [expect.objectContaining({ value: "q-1" })]],
];

beforeEach(async () => {
  await engineWithout();
  configure({});
});

it("a look-up is refused if the provider's process has another key, and then asks nothing", async () => {
  const { settings, control } = await configured({ seed });
  connected("127.0.0.1:40001");
  const theirs = endpoint("analytics", { get: (name) => ({ ...settings, apiKey: "another" })[name] }, {});
  assertAgreed(theirs, ledgerAt("127.0.0.1:40001").settings);
  expect((await rejection(tracking.getWebsites())).message).toContain("different values of TRACKING_API_KEY");
  expect(control.requests()).toEqual([]);
});

it("look-ups of a run tell its other processes once which settings they have", async () => {
  await configured({ seed });
  connected("127.0.0.1:40002");
  for (const _ of [1, 2]) await tracking.getWebsites();
  const told = runFile("127.0.0.1:40002")({ event: "failed", urn: "last" });
  expect(told.map(({ event }) => event)).toEqual(["settingsRead", "failed"]);
});

it.each(found)(
  "%s gives a promise, and an Output of the same that is known and no secret",
  async (name, args, answer) => {
    await configured({ seed });
    const forms: Record<string, unknown> = tracking;
    const [ask, askOutput] = [forms[name], forms[`${name}Output`]] as [
      typeof tracking.getItem,
      typeof tracking.getItemOutput,
    ];
    expect(await ask(args as never)).toEqual(answer);
    const outputs = Object.entries(args).map(([each, value]) => [each, pulumi.output(value)]);
    const looked = await look(askOutput(Object.fromEntries(outputs)));
    expect(looked).toEqual({ known: true, secret: false, value: answer, from: [] });
  },
);

describe("both forms", () => {
  const ask = (opts?: pulumi.InvokeOptions) => tracking.getWebsites({ search: "shop" }, opts);
  const askOutput = (opts?: pulumi.InvokeOutputOptions) =>
    tracking.getWebsitesOutput({ search: pulumi.output("shop") }, opts);
  const answer = [expect.objectContaining({ id: "7" })];

  it("ask by an explicit provider, which knows no other settings, and which they need if a stack disables default ones", async () => {
    configure({ apiKey: "wrong", analyticsBaseUrl: "http://127.0.0.1:1", dataBaseUrl: "http://127.0.0.1:1" });
    const { provider, emulator } = await configuredElsewhere();
    const parent = new Group("group", { provider: new tracking.Provider("useless") });
    expect(await ask({ provider, parent })).toEqual(answer);
    expect(await look(askOutput({ provider }))).toMatchObject({ value: answer, secret: false });
    const disable = (name: string) =>
      pulumi.runtime.setAllConfig({ "pulumi:disable-default-providers": JSON.stringify([name]) });
    for (const name of ["*", "pulumi-nodejs", "tracking"]) {
      disable(name);
      expect((await rejection(ask())).message).toContain("a look-up needs an explicit provider");
      expect(() => askOutput()).toThrow("a look-up needs an explicit provider");
    }
    disable("aws");
    expect((await rejection(ask())).message).toContain("the API key for websites is missing");
    expect(emulator.control.requests().every(({ key }) => key === "right")).toBe(true);
  });

  it.each([tracking, native])("ask by the provider of the component that they are in", async (form) => {
    asBuilt();
    const { provider } = await configuredElsewhere(form.Provider);
    for (const opts of [{ providers: [provider] }, { provider }]) {
      const parent = new Group("group", opts);
      expect(await ask({ parent })).toEqual(answer);
      const within = new Group("within", { parent });
      expect((await look(askOutput({ parent: within }))).value).toEqual(answer);
    }
  });

  it("reject with what happened, and a line for each command to run, that a person can act on", async () => {
    const provider = new tracking.Provider("bare");
    const own = [ask({ provider }), promised(askOutput({ provider }))];
    for (const asked of own) expect((await rejection(asked)).message).toContain('Provider "bare"');
    for (const asked of [() => ask(), () => promised(askOutput())]) {
      const error = await rejection(asked());
      expect(pulumi.RunError.isInstance(error)).toBe(true);
      expect(error.message).toMatch(
        /^getWebsites: the API key for websites is missing; .*\nRun "pulumi config set --secret tracking:apiKey", .*\nRun "pulumi config set tracking:analyticsBaseUrl https:\/\/…", .*$/,
      );
      expect(error).not.toHaveProperty("cause");
      expect(error.stack).toBe(error.message);
    }
    const { control } = await configured();
    control.addFault({ match: { times: 0 }, reply: { status: 403, body: {} } });
    expect((await rejection(ask())).message).toMatch(
      /^getWebsites: the service .*\(403\): .*\nAsk the service's operator /,
    );
  });
});

/** A service that the stack's config knows nothing of, and a provider that does. */
async function configuredElsewhere(Provider = tracking.Provider) {
  const emulator = await service({ seed, apiKey: "key-of-another" });
  const provider = new Provider("other", { ...emulator.settings, requestTimeout: 5 });
  return { emulator, provider };
}

/** The value of an Output, or what it fails with. */
function promised<T>(output: pulumi.Output<T>): Promise<T> {
  const inside = output as unknown as Record<"isKnown" | "isSecret", Promise<boolean>> & {
    promise(): Promise<T>;
  };
  // Each of its promises is rejected, as a program that nobody watches is meant to end.
  for (const side of [inside.isKnown, inside.isSecret]) side.catch(() => {});
  return inside.promise();
}

describe("the Output form", () => {
  it("takes values of other resources, and comes from them", async () => {
    await configured({ seed });
    const thing = new Thing("thing", { domain: "shop.example.com" });
    const site = tracking.getWebsiteOutput({ domain: thing.domain });
    expect(await look(site)).toMatchObject({ known: true, value: { id: "7" }, from: ["thing"] });
    expect(await look(site.id)).toMatchObject({ value: "7", from: ["thing"] });
  });

  it("stays secret where a value is secret, and only there", async () => {
    await configured({ seed });
    const secret = tracking.getPurchaseOutput({ purchaseCode: pulumi.secret(purchaseCode) });
    expect(await look(secret)).toMatchObject({ known: true, secret: true, value: { purchaseCode } });
    expect(await look(secret.item.name)).toMatchObject({ secret: true });
    expect(await look(tracking.getItemsOutput())).toMatchObject({ secret: false });
  });

  it("is unknown in a preview where a value or what it depends on is, and asks nothing", async () => {
    await engineWithout(yetToBe, { isPreview: true });
    const emulator = await configured({ seed });
    const thing = new Thing("thing", { domain: "shop.example.com" });
    const group = new Group("group");
    new Thing("child", {}, { parent: group });
    for (const unknown of [
      tracking.getWebsiteOutput({ id: thing.id }),
      tracking.validatePurchaseOutput({ purchaseCode: pulumi.secret(thing.id) }),
      // Its value is known already, and yet there is no such website before the resource is there.
      tracking.getWebsiteOutput({ domain: thing.domain }),
    ])
      expect(await look<unknown>(unknown)).toMatchObject({ known: false, from: ["thing"] });
    for (const dependsOn of [thing, [thing], group])
      expect(await look(tracking.getWebsitesOutput({}, { dependsOn }))).toMatchObject({ known: false });
    expect(emulator.lines()).toEqual([]);
  });

  it("waits for what it depends on, and for all that is in a component", async () => {
    const emulator = await configured();
    await engineWithout(async ({ name, type, inputs }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (type === "test:index:Thing") emulator.control.insertWebsite({ domain: inputs.domain });
      return { id: `${name}-id`, state: inputs };
    });
    const one = new Thing("one", { domain: "one.example.com" });
    const two = new Thing("two", { domain: "two.example.com" }, { dependsOn: one });
    const group = new Group("group");
    const parent = new Group("within", { parent: group });
    new Thing("deep", { domain: "deep.example.com" }, { parent, dependsOn: two });
    const domains = async (dependsOn: NonNullable<pulumi.InvokeOutputOptions["dependsOn"]>) =>
      (await look(tracking.getWebsitesOutput({}, { dependsOn }))).value?.map(({ domain }) => domain);
    expect(await domains(one)).toContain("one.example.com");
    expect(await domains(pulumi.output([Promise.resolve(one), two]))).toContain("two.example.com");
    expect(await domains([group])).toContain("deep.example.com");
  });
});

describe("the promise form", () => {
  it("names the other form where an argument comes from a resource", async () => {
    await configured();
    const itemId = pulumi.output(101) as never;
    expect((await rejection(tracking.getItem({ itemId }))).message).toBe(
      "getItem: itemId comes from a resource; use getItemOutput",
    );
  });

  it("names the other form where the provider's settings are yet to be known", async () => {
    await engineWithout(yetToBe, { isPreview: true });
    const emulator = await configured();
    const apiKey = new Thing("thing").id;
    const provider = new tracking.Provider("other", { ...emulator.settings, apiKey });
    expect((await rejection(tracking.getItems({}, { provider }))).message).toBe(
      "getItems: the provider's settings are not known in this preview; use getItemsOutput",
    );
    expect(await look(tracking.getItemsOutput({}, { provider }))).toMatchObject({ known: false });
    expect(emulator.lines()).toEqual([]);
  });

  it("refuses a provider of another package", async () => {
    await configured();
    class Foreign extends pulumi.ProviderResource {}
    const provider = new Foreign("aws", "aws");
    expect((await rejection(tracking.getItems({}, { provider }))).message).toContain(
      "the provider given to a look-up must be a tracking.Provider",
    );
  });
});

it.each(["form", "query", "json"] as const)(
  "a look-up sends a purchase code as the setting says: %s",
  async (where) => {
    const emulator = await configured();
    configure({ ...emulator.settings, marketPostParameters: where });
    expect(await tracking.getPurchase({ purchaseCode })).toMatchObject({ purchaseCode });
    expect(emulator.control.requests()).toMatchObject([{ [where]: { purchase_code: purchaseCode } }]);
  },
);

it("a look-up hands on the service's words on a purchase code fit for a terminal", async () => {
  const emulator = await configured();
  const body = { status: "error", msg: `\u001b[31mno\n<{%reset%}>${"x".repeat(9_000)}` };
  emulator.control.addFault({ match: { path: "/api/purchases/*" }, reply: { status: 404, body } });
  const validation = await tracking.validatePurchase({ purchaseCode: "nonsense" });
  const reason = validation.valid ? "" : validation.reason;
  expect(reason).toContain("no <{ %reset%}>xxx");
  expect(reason).not.toMatch(/[\p{Cc}]/u);
  expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(2048);
});

it("a look-up warns a person of what is doubtful, and only informs of a request, both without the key", async () => {
  vi.stubEnv("TRACKING_LOG", "debug");
  onTestFinished(() => void vi.unstubAllEnvs().restoreAllMocks());
  const said: string[] = [];
  for (const level of ["warn", "info"] as const) {
    const log = vi.spyOn(pulumi.log, level);
    log.mockImplementation(async (text) => void said.push(`${level} ${text}`));
  }
  const seed = { items: sampleMarket.items.slice(0, 1) };
  vi.stubEnv("TRACKING_DATA_API_KEY", "/items/");
  await configured({ apiKey: "no items", marketDialect: "one-item", seed });
  expect(await tracking.getItems()).toEqual([]);
  expect(said).toEqual([
    expect.stringMatching(/^info GET .*\/api\(secret\)all 404 /),
    expect.stringMatching(/^info GET /),
    expect.stringMatching(/^warn getItems: .* found \(secret\);/),
  ]);
});
