import { expect, onTestFinished, test, vi } from "vitest";
import { IGNORE_PROTECTION } from "../../../../provider/config";
import { NativeResource } from "../../../../provider/hosts/native/resource";
import { pixel, website } from "../../../../provider/resources";
import type { Resource, Values } from "../../../../provider/schema/resource";
import { rejection } from "../../../rejection";
import { bareRun, sessionOf, world } from "../../harness";

/** What the plugin makes of three resources, at a service with one website. */
async function resources() {
  const { settings, control } = await world({ seed: { websites: [{ id: 5, domain: "shop.example" }] } });
  const said: string[] = [];
  const run = bareRun((text) => void said.push(text));
  const named = (resource: Resource, name: string) => {
    const urn = `urn:pulumi:dev::shops::tracking:index:${resource.type}::${name}`;
    return new NativeResource({ resource, run, session: sessionOf(resource, settings, run) }, urn);
  };
  return {
    site: named(website, "shop"),
    other: named(website, "other"),
    tag: named(pixel, "tag"),
    control,
    said,
  };
}

const SHOP = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
const OTHER = { domain: "b.example" };
const LIFTED = { deletionProtection: false };
const REPLACED = expect.stringMatching(
  /^website "shop\.example" is protected, .*statistics.*\nTo replace it, first declare it with deletionProtection: false \(Python: deletion_protection=False\), change nothing else of it, and run "pulumi up"$/,
);

test("diff refuses another domain of a protected website, whatever the program says of it, since the old arguments count", async () => {
  for (const news of [{ ...OTHER, ...LIFTED }, OTHER, { ...OTHER, deletionProtection: true }]) {
    const { site, said } = await resources();
    expect((await rejection(site.diff("5", SHOP, news, SHOP))).message).toEqual(REPLACED);
    expect(said).toEqual([]);
  }
});

/** The refusal of a delete. */
const refusal = (domain: string, keep: string, deletes: string) =>
  new Error(
    `website "${domain}" is protected, because its statistics would be deleted with it\nTo keep website "${domain}", put its lines back${keep}\nTo delete it, ${deletes}`,
  );
const VARIABLE = `run the same command with ${IGNORE_PROTECTION}=true in the environment`;

test("one variable lifts the protection of every website for a command, which each refused delete names after the way to keep it", async () => {
  const { site, other, control } = await resources();
  control.insertWebsite({ id: 6, domain: "b.example" });
  const refused = (domain: string) => refusal(domain, " if the program lacks them", VARIABLE);
  await expect(site.delete("5", SHOP, SHOP)).rejects.toThrow(refused("shop.example"));
  await expect(other.delete("6", OTHER, {})).rejects.toThrow(refused("b.example"));
  const moves = () => site.diff("5", SHOP, { ...SHOP, ...OTHER }, SHOP);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv(IGNORE_PROTECTION, "false");
  for (const step of [moves, () => site.delete("5", SHOP, SHOP)]) await rejection(step());
  expect(control.websites()).toHaveLength(2);
  vi.stubEnv(IGNORE_PROTECTION, "true");
  await moves();
  await site.delete("5", SHOP, { ...SHOP, deletionProtection: true });
  expect(control.websites()).toHaveLength(1);
});

test("beside a program's other resources, a refused delete goes by the program alone, until the variable lifts it", async () => {
  const { site, tag, control } = await resources();
  await tag.check({}, { name: "GA", type: "bing", value: "G-1" });
  await expect(site.delete("5", SHOP, {})).rejects.toThrow(
    refusal(
      "shop.example",
      "",
      'put them back with deletionProtection: false (Python: deletion_protection=False), run "pulumi up", remove the lines, and run "pulumi up" again',
    ),
  );
  // The variable lifts it in an up too.
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv(IGNORE_PROTECTION, "true");
  await site.delete("5", SHOP, {});
  expect(control.websites()).toEqual([]);
});

const PROTECTED = { deletionProtection: true };
test.each<[string, Values, Values, Values, boolean]>([
  ["not, if the state of another form lacks it, whatever the program says", {}, {}, LIFTED, false],
  ["if the program lifts it", PROTECTED, PROTECTED, LIFTED, true],
  ["if the program lifts what only the outputs have, since it was omitted", {}, PROTECTED, LIFTED, true],
  ["if the program gives it back", LIFTED, LIFTED, PROTECTED, true],
  ["not, if the arguments have it already, whatever outputs say", LIFTED, PROTECTED, LIFTED, false],
  ["not, if a program that omits it gets the default", {}, PROTECTED, PROTECTED, false],
])("the protection is a change %s", async (_when, oldInputs, outputs, given, isChange) => {
  const { site } = await resources();
  const news = { ...SHOP, ...given };
  const { changed } = await site.diff("5", { ...SHOP, ...outputs }, news, { ...SHOP, ...oldInputs });
  expect(changed).toEqual(isChange ? ["deletionProtection"] : []);
});

test("a check returns what the program gives, and a refresh too, with what someone changed", async () => {
  const bare = { domain: "shop.example" };
  const { site, control } = await resources();
  control.editWebsite(5, { privacy: 1, email: 0, exclude_bots: 1 });
  for (const given of [bare, { ...bare, adopt: false, deletionProtection: true, excludeBots: true }]) {
    expect((await site.check({}, given)).inputs).toEqual(given);
    expect((await site.read("5", SHOP, given))?.inputs).toEqual(given);
  }
  const later = await resources();
  later.control.editWebsite(5, { privacy: 1, email: 0, exclude_bots: 0 });
  expect((await later.site.read("5", SHOP, bare))?.inputs).toEqual({ ...bare, excludeBots: false });
  expect((await site.diff("5", { ...SHOP, excludeBots: false }, bare, bare)).changed).toEqual([
    "excludeBots",
  ]);
});

test("a check refuses a second resource with one domain, and names both", async () => {
  const { site, other } = await resources();
  expect((await site.check({}, SHOP)).failures).toEqual([]);
  expect((await other.check({}, SHOP)).failures).toEqual([
    'website "shop.example" is declared twice in this program, by "shop" and "other"\nRemove one of the two, or change its domain',
  ]);
});

test("what is deleted with more is protected, unless the program says otherwise", async () => {
  const { site, tag } = await resources();
  const made = async (of: NativeResource, args: Values) =>
    (await of.create(args, { isPreview: true })).outputs.deletionProtection;
  expect(await made(site, SHOP)).toBe(true);
  expect(await made(site, { ...SHOP, ...LIFTED })).toBe(false);
  expect(await made(tag, { name: "GA", type: "bing", value: "G-1" })).toBeUndefined();
});

test("what is imported is protected until the program says otherwise, in that run or in a later one", async () => {
  const { site } = await resources();
  const { outputs = {}, inputs = {} } = (await site.read("5", {}, {})) ?? {};
  const changes = async (args: Values) => {
    const { inputs: news } = await site.check(inputs, { ...inputs, ...args });
    return (await site.diff("5", outputs, news, inputs)).changed;
  };
  expect(await changes({})).toEqual([]);
  expect(await changes(LIFTED)).toEqual(["deletionProtection"]);
});

test("the protection is true or false, and pixels have none", async () => {
  const { site, tag } = await resources();
  expect((await site.check({}, { ...SHOP, deletionProtection: "yes" })).failures).toEqual([
    'deletionProtection must be true or false, not "yes"',
  ]);
  const args = { name: "GA", type: "bing", value: "G-1", deletionProtection: true };
  expect((await tag.check({}, args)).failures).toEqual([expect.stringContaining('"deletionProtection"')]);
});

test("a protected website that is gone, or that another resource holds, leaves state", async () => {
  const { site, control } = await resources();
  control.seed({ websites: [] });
  await site.delete("5", SHOP, SHOP);

  const twice = await resources();
  // As the engine does for a website that was imported under two names, and that the program declares once.
  await twice.site.check(SHOP, SHOP);
  await twice.site.diff("5", SHOP, SHOP, SHOP);
  await twice.other.delete("5", SHOP, SHOP);
  expect(twice.control.websites()).toHaveLength(1);
});
