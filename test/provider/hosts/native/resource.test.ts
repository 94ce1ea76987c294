import { describe, expect, test } from "vitest";
import { NativeResource } from "../../../../provider/hosts/native/resource";
import { pixel, website } from "../../../../provider/resources";
import { UNKNOWN } from "../../../../provider/schema/resource";
import { createSession } from "../../../../provider/session";
import { bareHost, service } from "../../harness";

async function world() {
  const seed = { websites: [{ id: 5, domain: "shop.example" }] };
  const { url, control } = await service({ apiKey: "the-long-key", seed });
  const settings = new Map(
    Object.entries({ explicit: "true", apiKey: "the-long-key", analyticsBaseUrl: url, dataBaseUrl: url }),
  );
  const [site, tag] = [website, pixel].map((definition) => {
    const session = createSession(
      definition,
      bareHost(() => undefined),
    );
    session.configure(settings);
    return new NativeResource(definition, session, "shop");
  });
  if (site === undefined || tag === undefined) throw new Error("unreachable");
  return { site, tag, control };
}

const SHOP = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
const OTHER = { domain: "b.example" };
const LIFTED = { deletionProtection: false };
const REPLACED = expect.stringMatching(
  /^website "shop\.example" is protected, .*statistics.*\. To replace it, set its argument deletionProtection to false in the program \(in TypeScript, its option protect\), and run "pulumi up" first$/,
);

describe("of a protected website, check refuses", () => {
  test.each([
    ["a domain that is missing", {}, "domain is missing"],
    ["a domain that is no text", { domain: 7 }, "domain must be"],
    ["a domain that is a list", { domain: ["b.example"] }, "domain must be"],
  ])("%s, and says that alone", async (_what, wrong, words) => {
    const { site } = await world();
    const { failures } = await site.check(SHOP, wrong);
    expect(failures).toEqual([expect.stringContaining(words)]);
  });

  test("another domain, also where the program says nothing of the protection", async () => {
    const { site } = await world();
    expect((await site.check(SHOP, OTHER)).failures).toEqual([REPLACED]);
    expect((await site.check(SHOP, { ...OTHER, deletionProtection: true })).failures).toEqual([REPLACED]);
  });
});

test.each([
  ["the same domain in another spelling", SHOP, { domain: "SHOP.example." }],
  ["a domain that a preview can't know", SHOP, { domain: UNKNOWN }],
  ["another domain, once the protection is lifted in state", { ...SHOP, ...LIFTED }, OTHER],
  ["another domain, where the same change lifts the protection", SHOP, { ...OTHER, ...LIFTED }],
  ["a website that is new", {}, OTHER],
])("check takes %s", async (_what, olds, news) => {
  const { site } = await world();
  expect((await site.check(olds, news)).failures).toEqual([]);
});

test("the protection is true or false, and pixels have none", async () => {
  const { site, tag } = await world();
  expect((await site.check({}, { ...SHOP, deletionProtection: "yes" })).failures).toEqual([
    "deletionProtection must be true or false",
  ]);
  const args = { name: "GA", type: "bing", value: "G-1", deletionProtection: true };
  expect((await tag.check({}, args)).failures).toEqual(['unknown argument "deletionProtection"']);
});

test("a protected website is not deleted, and any other is", async () => {
  const { site, control } = await world();
  await expect(site.delete("5", SHOP, SHOP)).rejects.toThrow(
    'To delete it, set its argument deletionProtection to false in the program (in TypeScript, its option protect), and run "pulumi up" first',
  );
  expect(await control.websites()).toHaveLength(1);
  await site.delete("5", SHOP, { ...SHOP, deletionProtection: false });
  expect(await control.websites()).toEqual([]);
});

test("a wrong argument of a file of declarations is told with its line in the file", async () => {
  const { site } = await world();
  const lines = [{ argument: "privacy", breaks: "argument" as const, line: "t.yaml:2:3: odd" }];
  const { failures } = await site.check({}, { ...SHOP, privacy: "odd" }, { file: "t.yaml", lines });
  expect(failures).toEqual(["t.yaml:2:3: odd"]);
});

test("adopt is no output, and the protection stays with the arguments", async () => {
  const { site } = await world();
  const { outputs } = await site.create({ ...SHOP, adopt: true, deletionProtection: false }, true);
  expect(outputs).toEqual(SHOP);
  expect((await site.check({}, { ...SHOP, deletionProtection: false })).inputs).toMatchObject({
    deletionProtection: false,
  });
});
