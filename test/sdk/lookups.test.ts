import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, it } from "vitest";
import { sampleMarket } from "../../emulator/market/samples";
import * as tracking from "../../sdk";
import { rejection } from "../provider/harness";
import { lines } from "../provider/lookups/harness";
import {
  configure,
  configured,
  engineWithout,
  Group,
  look,
  printed,
  settingsFor,
  Thing,
  yetToBe,
} from "./lookups-harness";

const purchaseCode = sampleMarket.purchases[0]?.purchase_code ?? "";
const seed = {
  websites: [{ id: 7, domain: "shop.example.com", privacy: 0 as const }],
  pixels: [{ id: 9, name: "Ads", type: "quora" as const, value: "q-1" }],
};

/** Every look-up in both forms, with what it has to find. */
const forms: {
  name: string;
  ask: (opts?: pulumi.InvokeOptions) => Promise<unknown>;
  askOutput: (opts?: pulumi.InvokeOutputOptions) => pulumi.Output<unknown>;
  found: unknown;
}[] = [
  {
    name: "getAccount",
    ask: (opts) => tracking.getAccount({}, opts),
    askOutput: (opts) => tracking.getAccountOutput({}, opts),
    found: expect.objectContaining({ username: "ada-marlow" }),
  },
  {
    name: "getItems",
    ask: (opts) => tracking.getItems({}, opts),
    askOutput: (opts) => tracking.getItemsOutput({}, opts),
    found: [101, 102, 103].map((id) => expect.objectContaining({ id })),
  },
  {
    name: "getItem",
    ask: (opts) => tracking.getItem({ itemId: 101 }, opts),
    askOutput: (opts) => tracking.getItemOutput({ itemId: pulumi.output(101) }, opts),
    found: expect.objectContaining({ id: 101, name: "Harbour Theme" }),
  },
  {
    name: "getPurchase",
    ask: (opts) => tracking.getPurchase({ purchaseCode }, opts),
    askOutput: (opts) => tracking.getPurchaseOutput({ purchaseCode: Promise.resolve(purchaseCode) }, opts),
    found: expect.objectContaining({ purchaseCode, licenseType: "Regular" }),
  },
  {
    name: "validatePurchase",
    ask: (opts) => tracking.validatePurchase({ purchaseCode }, opts),
    askOutput: (opts) => tracking.validatePurchaseOutput({ purchaseCode: pulumi.output(purchaseCode) }, opts),
    found: { valid: true, purchase: expect.objectContaining({ purchaseCode }) },
  },
  {
    name: "getWebsite",
    ask: (opts) => tracking.getWebsite({ domain: "shop.example.com" }, opts),
    askOutput: (opts) => tracking.getWebsiteOutput({ domain: pulumi.output("shop.example.com") }, opts),
    found: expect.objectContaining({ id: "7", privacy: "public" }),
  },
  {
    name: "getWebsites",
    ask: (opts) => tracking.getWebsites({ search: "shop" }, opts),
    askOutput: (opts) => tracking.getWebsitesOutput({ search: pulumi.output("shop") }, opts),
    found: [expect.objectContaining({ id: "7" })],
  },
  {
    name: "getPixel",
    ask: (opts) => tracking.getPixel({ id: "9" }, opts),
    askOutput: (opts) => tracking.getPixelOutput({ id: pulumi.output("9") }, opts),
    found: expect.objectContaining({ id: "9", name: "Ads" }),
  },
  {
    name: "getPixels",
    ask: (opts) => tracking.getPixels({ type: "quora" }, opts),
    askOutput: (opts) => tracking.getPixelsOutput({ type: pulumi.output("quora" as const) }, opts),
    found: [expect.objectContaining({ value: "q-1" })],
  },
];

beforeEach(async () => {
  await engineWithout();
  configure({});
});

describe.each(forms)("$name", ({ name, ask, askOutput, found }) => {
  it("gives a promise of what there is", async () => {
    await configured({ seed });
    expect(await ask()).toEqual(found);
  });

  it("gives an Output of the same, known and no secret", async () => {
    await configured({ seed });
    expect(await look(askOutput())).toEqual({ known: true, secret: false, value: found, from: [] });
  });

  it("works in a preview", async () => {
    await engineWithout(yetToBe, true);
    await configured({ seed });
    expect(await ask()).toEqual(found);
    expect(await look(askOutput())).toMatchObject({ known: true, value: found });
  });

  it("asks once, however often and in whichever form it is asked", async () => {
    const emulator = await configured({ seed });
    const times = Array.from({ length: 10 });
    expect(await Promise.all(times.map(() => ask()))).toEqual(times.map(() => found));
    const once = await lines(emulator);
    expect(new Set(once).size).toBe(1);
    for (const _ of times) expect((await look(askOutput())).value).toEqual(found);
    expect(await lines(emulator)).toEqual(once);
  });

  it("asks by an explicit provider, which knows no other settings", async () => {
    configure({ apiKey: "wrong", analyticsBaseUrl: "http://127.0.0.1:1", dataBaseUrl: "http://127.0.0.1:1" });
    const other = await configuredElsewhere();
    expect(await ask({ provider: other.provider })).toEqual(found);
    expect(await look(askOutput({ provider: other.provider }))).toMatchObject({
      value: found,
      secret: false,
    });
    expect((await other.emulator.control.requests()).every(({ key }) => key === "right")).toBe(true);
  });

  it("asks by the provider of the component that it is in", async () => {
    const other = await configuredElsewhere();
    for (const opts of [{ providers: [other.provider] }, { provider: other.provider }]) {
      const parent = new Group("group", opts);
      expect(await ask({ parent })).toEqual(found);
      const within = new Group("within", { parent });
      expect((await look(askOutput({ parent: within }))).value).toEqual(found);
    }
  });

  it("rejects with one sentence that a person can act on", async () => {
    for (const asked of [() => ask(), () => promised(askOutput())]) {
      const error = await rejection(asked());
      expect(pulumi.RunError.isInstance(error)).toBe(true);
      expect(error.message).toMatch(
        new RegExp(`^${name}: the API key for .+ is missing: run "pulumi config set`),
      );
      expect(error.message).not.toContain("\n");
      expect(error).not.toHaveProperty("cause");
      expect(error.stack).toBe(error.message);
    }
  });
});

/** A service that the stack's config knows nothing of, and a provider that does. */
async function configuredElsewhere() {
  const before = pulumi.runtime.allConfig();
  const emulator = await configured({ seed, apiKey: "key-of-another" });
  pulumi.runtime.setAllConfig({ ...before });
  const settings = settingsFor(emulator, { apiKey: "key-of-another" });
  const provider = new tracking.Provider("other", { ...settings, requestTimeout: 5 });
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

  it("is unknown in a preview where a value is, and asks nothing", async () => {
    await engineWithout(yetToBe, true);
    const emulator = await configured({ seed });
    const thing = new Thing("thing", { domain: "shop.example.com" });
    for (const unknown of [
      tracking.getWebsiteOutput({ id: thing.id }),
      tracking.getPixelsOutput({ search: thing.id }),
      tracking.validatePurchaseOutput({ purchaseCode: pulumi.secret(thing.id) }),
      // Its value is known already, and yet there is no such website before the resource is there.
      tracking.getWebsiteOutput({ domain: thing.domain }),
    ])
      expect(await look<unknown>(unknown)).toMatchObject({ known: false, from: ["thing"] });
    expect(await lines(emulator)).toEqual([]);
  });

  it("waits for what it depends on", async () => {
    const emulator = await configured();
    await engineWithout(async ({ name, inputs }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await emulator.control.insertWebsite({ domain: inputs.domain ?? "of-a-group.example.com" });
      return { id: `${name}-id`, state: inputs };
    });
    const one = new Thing("one", { domain: "one.example.com" });
    const two = new Thing("two", { domain: "two.example.com" }, { dependsOn: one });
    const domains = async (opts: pulumi.InvokeOutputOptions) =>
      (await look(tracking.getWebsitesOutput({ sort: "asc" }, opts))).value?.map(({ domain }) => domain);
    expect(await domains({ dependsOn: one })).toContain("one.example.com");
    const both = ["one.example.com", "two.example.com"];
    expect(await domains({ dependsOn: [two] })).toEqual(both);
    expect(await domains({ dependsOn: pulumi.output([Promise.resolve(one), two]) })).toEqual(both);
  });

  it("waits for all that is in a component", async () => {
    const emulator = await configured();
    await engineWithout(async ({ name, type, inputs }) => {
      if (type === "test:index:Thing") {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await emulator.control.insertWebsite({ domain: inputs.domain });
      }
      return { id: `${name}-id`, state: inputs };
    });
    const group = new Group("group");
    new Thing("deep", { domain: "deep.example.com" }, { parent: new Group("within", { parent: group }) });
    const site = tracking.getWebsiteOutput({ domain: "deep.example.com" }, { dependsOn: group });
    expect(await look(site)).toMatchObject({ known: true, value: { domain: "deep.example.com" } });
  });

  it("is unknown in a preview where what it depends on is yet to be made", async () => {
    await engineWithout(yetToBe, true);
    const emulator = await configured({ seed });
    const thing = new Thing("thing", { domain: "x" });
    const group = new Group("group");
    new Thing("child", {}, { parent: group });
    for (const dependsOn of [thing, [thing], group])
      expect(await look(tracking.getWebsitesOutput({}, { dependsOn }))).toMatchObject({ known: false });
    expect(await lines(emulator)).toEqual([]);
  });

  it("asks anew for a resource's sake, also where the same was asked before", async () => {
    const emulator = await configured();
    await engineWithout(async ({ name, inputs }) => {
      await emulator.control.insertWebsite({ domain: inputs.domain });
      return { id: `${name}-id`, state: inputs };
    });
    const domain = "new.example.com";
    await rejection(tracking.getWebsite({ domain }));
    expect(await tracking.getWebsites({ search: domain })).toEqual([]);
    const thing = new Thing("thing", { domain });
    expect(await look(tracking.getWebsiteOutput({ domain: thing.domain }))).toMatchObject({
      value: { domain },
    });
    const found = await look(tracking.getWebsitesOutput({ search: domain }, { dependsOn: thing }));
    expect(found.value).toHaveLength(1);
  });

  it("asks once for one resource's sake", async () => {
    const emulator = await configured({ seed });
    const thing = new Thing("thing", { domain: "shop.example.com" });
    for (let times = 0; times < 10; times += 1) {
      await look(tracking.getWebsiteOutput({ domain: thing.domain }));
      await look(tracking.getWebsiteOutput({ domain: "shop.example.com" }, { dependsOn: [thing] }));
    }
    expect(await lines(emulator)).toEqual(["GET /api/v1/websites"]);
  });

  it("rejects with the look-up's own sentence", async () => {
    await configured({ seed });
    const error = await rejection(promised(tracking.getItemOutput({ itemId: pulumi.output(9) })));
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect(error.message).toBe("getItem: the marketplace account has no item 9; getItems lists its items");
  });
});

describe("the promise form", () => {
  it.each([
    ["itemId", () => tracking.getItem({ itemId: pulumi.output(101) as never }), "getItem"],
    [
      "domain",
      () => tracking.getWebsite({ domain: new Thing("t", { domain: "a" }).domain as never }),
      "getWebsite",
    ],
    ["search", () => tracking.getPixels({ search: pulumi.secret("a") as never }), "getPixels"],
  ])("names the other form where %s comes from a resource", async (argument, ask, name) => {
    await configured();
    expect((await rejection(ask())).message).toBe(
      `${name}: ${argument} comes from a resource; use ${name}Output`,
    );
  });

  it("names the other form where the provider's settings are yet to be known", async () => {
    await engineWithout(yetToBe, true);
    const emulator = await configured();
    const apiKey = new Thing("thing").id;
    const provider = new tracking.Provider("other", { ...settingsFor(emulator), apiKey });
    expect((await rejection(tracking.getItems({}, { provider }))).message).toBe(
      "getItems: the provider's settings are not known in this preview; use getItemsOutput",
    );
    expect(await look(tracking.getItemsOutput({}, { provider }))).toMatchObject({ known: false });
    expect(await lines(emulator)).toEqual([]);
  });

  it("refuses a provider of another package", async () => {
    await configured();
    class Foreign extends pulumi.ProviderResource {}
    const provider = new Foreign("aws", "aws");
    expect((await rejection(tracking.getItems({}, { provider }))).message).toContain(
      "the provider given to a look-up must be a tracking.Provider",
    );
  });

  it.each([
    [{ itemID: 1 }, 'unknown argument "itemID"; did you mean "itemId"?; itemId is missing'],
    [{ itemId: Promise.resolve(1) }, "itemId must be"],
    [null, "itemId is missing"],
    ["101", 'unknown argument "0"'],
  ])("says what is wrong with %j", async (args, words) => {
    const emulator = await configured();
    const error = await rejection(tracking.getItem(args as never));
    expect(error.message).toMatch(/^getItem: /);
    expect(error.message).toContain(words);
    expect(await lines(emulator)).toEqual([]);
  });

  it("warns once of an account that seems to have no items", async () => {
    const told = printed();
    await configured({ seed: { items: [] } });
    for (let times = 0; times < 5; times += 1) expect(await tracking.getItems()).toEqual([]);
    expect(told.filter((line) => line.includes("getItems: the service found no items"))).toHaveLength(1);
  });

  it("keeps answers under other settings apart", async () => {
    const one = await configured({ seed });
    expect(await tracking.getWebsites()).toHaveLength(1);
    await configured();
    expect(await tracking.getWebsites()).toEqual([]);
    configure(settingsFor(one));
    expect(await tracking.getWebsites()).toHaveLength(1);
    expect(await lines(one)).toHaveLength(1);
  });
});
