import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, test } from "vitest";
import { runFile } from "../../provider/hosts/run-file";
import { parseUrn } from "../../provider/hosts/urn";
import type { Entry } from "../../provider/lifecycle";
import { website } from "../../provider/resources";
import { Provider, Website } from "../../sdk";
import { declare } from "../../sdk/declared";
import { rejection } from "../rejection";
import { connected, engineWithout, look } from "./lookups-harness";

const ADDRESS = "127.0.0.1:40001";
const TYPE = "pulumi-nodejs:dynamic/tracking:Website";
const TWICE = /^website ".*" is declared twice in this program, by "a" and "b": /;
const x = { domain: "x.example" };
const adopting = { ...x, adopt: true };

beforeEach(async () => {
  await engineWithout();
  connected(ADDRESS);
});

const declared = (name: string, props: object, opts: pulumi.CustomResourceOptions = {}) =>
  declare(website, TYPE, name, props as Record<string, unknown>, opts);
const account = (name: string, apiKey = "key") => {
  const [analyticsBaseUrl, dataBaseUrl] = [`https://${apiKey}.example`, "https://data.example"];
  return new Provider(name, { apiKey: pulumi.secret(apiKey), analyticsBaseUrl, dataBaseUrl });
};

/** What the program has told the providers of its run. */
const told = (): readonly Entry[] => runFile(ADDRESS)({ event: "uses", settings: {} }).slice(0, -1);
/** Rejects if the registration does. */
const registered = async ({ options }: ReturnType<typeof declare>) => options.dependsOn;

test("a second resource with a key is refused at once, and so is the first before it is registered if it adopts", async () => {
  for (const [domain, props, opts] of [
    ["x.example", { adopt: true }, {}],
    ["y.example", { adopt: pulumi.output(true) }, {}],
    ["z.example", {}, { import: "7" }],
  ] as const) {
    const first = registered(declared("a", { domain, ...props }, opts));
    expect(() => declared("b", { domain: `${domain.toUpperCase()}.` })).toThrow(TWICE);
    expect((await rejection(first)).message).toContain('by "b" and "a"');
  }
});

test("one that adopts is refused beside one of another provider with the same account, and of no other", async () => {
  declared("a", x, { provider: account("one") });
  const same = registered(declared("b", adopting, { provider: account("same") }));
  expect((await rejection(same)).message).toMatch(TWICE);
  const other = { domain: "y.example", adopt: true };
  const dependsOn = [account("three")];
  declared("c", other, { provider: account("three") });
  const registering = registered(declared("d", other, { provider: account("four", "other"), dependsOn }));
  expect(await registering).toBe(dependsOn);
  // Without settings, only the provider can tell.
  declared("e", { domain: "z.example" });
  await registered(declared("f", { domain: "z.example", adopt: true }, { provider: account("five") }));
});

test("one that adopts does not wait for a setting of another provider that is not known yet", async () => {
  const unset = new Provider("unset", { apiKey: pulumi.output(pulumi.unknown) as pulumi.Output<string> });
  new Website("there", x, { provider: unset });
  const { urn } = new Website("adopts", adopting, { provider: account("other") });
  expect((await look(urn)).known).toBe(true);
}, 5000);

test("one that adopts gives the stack's transformations its key as the program writes it", async () => {
  const seen: unknown[] = [];
  await pulumi.runtime.runInPulumiStack(async () => {
    pulumi.runtime.registerStackTransformation(({ props }) => void seen.push(props.domain));
    new Website("a", adopting);
  });
  expect(seen).toContain("x.example");
});

test.each<[string, object, object]>([
  ["read by its id", {}, { id: "7" }],
  ["in a component with another provider", {}, { parent: { getProvider: () => ({}) } }],
  ["without a key", { domain: undefined }, {}],
])("one that is %s is not refused", (_says, props, opts) => {
  declared("a", x);
  expect(() => declared("b", { ...x, ...props }, opts as pulumi.CustomResourceOptions)).not.toThrow();
});

test("the run hears of each that is to adopt when it is declared, even by an output", async () => {
  declared("adopts", adopting);
  declared("makes", { domain: "y.example" });
  const { key } = declared("learns", { ...adopting, domain: pulumi.output("z.example") });
  await look(key as pulumi.Output<unknown>);
  expect(told().map((each) => [each.event, parseUrn("urn" in each ? each.urn : "").name])).toEqual([
    ["declares", "adopts"],
    ["declares", "learns"],
  ]);
});
