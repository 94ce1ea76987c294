import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, test } from "vitest";
import { runFile } from "../../provider/hosts/run-file";
import type { Entry } from "../../provider/lifecycle";
import { website } from "../../provider/resources";
import { Provider } from "../../sdk";
import { declare } from "../../sdk/declared";
import { rejection } from "../rejection";
import { connected, engineWithout } from "./lookups-harness";

const ADDRESS = "127.0.0.1:40001";
const TYPE = "pulumi-nodejs:dynamic/tracking:Website";
const TWICE = /^website ".*" is declared twice in this program, by "a" and "b": /;
const x = { domain: "x.example" };
const adopting = { ...x, adopt: true };

beforeEach(async () => {
  await engineWithout();
  connected()(ADDRESS);
});

const declared = (name: string, props: object, opts: pulumi.CustomResourceOptions = {}) =>
  declare(website, TYPE, name, props as Record<string, unknown>, opts);
const account = (name: string, apiKey = "key") => {
  const [analyticsBaseUrl, dataBaseUrl] = [`https://${apiKey}.example`, "https://data.example"];
  return new Provider(name, { apiKey: pulumi.secret(apiKey), analyticsBaseUrl, dataBaseUrl });
};

/** What the program has told the providers of its run. */
const told = (): readonly Entry[] =>
  runFile(ADDRESS, () => {})({ event: "plans", owner: "", anyAccount: "", has: "yes" }).slice(0, -1);

test("a second resource with a key is refused at once, and so is the first before it is registered if it adopts", async () => {
  const { key: first } = declared("a", adopting);
  expect(() => declared("b", { domain: "X.example." })).toThrow(TWICE);
  expect((await rejection(first as Promise<unknown>)).message).toContain('by "b" and "a"');
});

test("one that adopts is refused beside one of another provider with the same account, and of no other", async () => {
  declared("a", x, { provider: account("one") });
  const { key: same } = declared("b", adopting, { provider: account("same") });
  expect((await rejection(same as Promise<unknown>)).message).toMatch(TWICE);
  const other = { domain: "y.example", adopt: true };
  declared("c", other, { provider: account("three") });
  expect(await declared("d", other, { provider: account("four", "other") }).key).toBe("y.example");
  // Without settings, only the provider can tell.
  declared("e", { domain: "z.example" });
  expect(await declared("f", { domain: "z.example", adopt: true }, { provider: account("five") }).key).toBe(
    "z.example",
  );
});

test.each<[string, object, object]>([
  ["read by its id", {}, { id: "7" }],
  ["changed by a transform", {}, { transforms: [() => undefined] }],
  [
    "changed by a component's transformation",
    {},
    { parent: { __transformations: [() => undefined], getProvider: () => undefined } },
  ],
  ["ignored", {}, { ignoreChanges: ["domain"] }],
  ["without a key", { domain: undefined }, {}],
])("one that is %s is not refused", (_says, props, opts) => {
  declared("a", x);
  expect(() => declared("b", { ...x, ...props }, opts as pulumi.CustomResourceOptions)).not.toThrow();
});

test("the run hears of one that is to adopt when it is declared, and of each that has no record in the end", async () => {
  const id = (isKnown: boolean) => ({ isKnown: Promise.resolve(isKnown) }) as never;
  for (const [name, props] of [
    ["adopts", adopting],
    ["makes", { domain: "y.example" }],
  ] as const)
    for (const has of [true, false])
      declared(`${name}-${has}`, { ...props, domain: `${has}.${props.domain}` }).follow(id(has));
  declared("unknown", { domain: undefined }).follow(id(false));
  await Promise.resolve();
  const name = ({ owner }: { owner: string }) => owner.split("::").at(-1);
  const entries = told();
  expect(entries.map((each) => each.event === "plans" && [name(each), each.has])).toEqual([
    ["adopts-true", "not yet"],
    ["adopts-false", "not yet"],
    ["adopts-true", "yes"],
    ["adopts-false", "no"],
    ["makes-false", "no"],
  ]);
});
