import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, test } from "vitest";
import { pixel, website } from "../../provider/resources";
import { Provider, Website } from "../../sdk";
import { refuseDuplicate } from "../../sdk/duplicates";
import { connected, engineWithout } from "./lookups-harness";

const TYPE = "pulumi-nodejs:dynamic/tracking:Website";
const x = { domain: "x.example" };

beforeEach(async () => {
  await engineWithout();
  connected("127.0.0.1:40001");
});

const declared =
  (name: string, props: object, opts: object = {}) =>
  () =>
    refuseDuplicate(website, TYPE, name, { ...props }, opts);

test("a second resource with a key in any spelling is refused at once, under the same provider", () => {
  const provider = new Provider("shared", {});
  const component = { parent: { getProvider: () => provider } };
  for (const [domain, one, two] of [
    ["x.example", {}, {}],
    ["y.example", { provider }, component],
  ] as const) {
    expect(declared("a", { domain, adopt: true }, one)).not.toThrow();
    expect(declared("b", { domain: `${domain.toUpperCase()}.` }, two)).toThrow(
      /^website "[XY].EXAMPLE." is declared twice in this program, by "a" and "b"\nRemove one of the two, or change its domain$/,
    );
  }
});

test("a class asks for it, so that one of two components is refused a website of the same name and domain", () => {
  const child = (component: string) => () => {
    const parent = new pulumi.ComponentResource(`test:index:${component}`, component);
    return new Website("child", x, { parent });
  };
  expect(child("Left")).not.toThrow();
  expect(child("Right")).toThrow(
    /^website "x.example" is declared twice in this program, by "child" and "child"\n/,
  );
});

test.each<[string, object, object]>([
  ["read by its id", {}, { id: "7" }],
  ["held by another copy of the program, of which this one has the URN", {}, { urn: "urn:of:b" }],
  ["under another provider", {}, { provider: {} }],
  ["in a component with another provider", {}, { parent: { getProvider: () => ({}) } }],
  ["without a key", { domain: undefined }, {}],
  ["whose key is an output", { domain: pulumi.output("x.example") }, {}],
])("one that is %s is left to its provider", (_says, props, opts) => {
  declared("a", x)();
  expect(declared("b", { ...x, ...props }, opts)).not.toThrow();
});

test("a pixel may have a website's key as its name", () => {
  declared("a", x)();
  const type = "pulumi-nodejs:dynamic/tracking:Pixel";
  expect(() => refuseDuplicate(pixel, type, "b", { name: "x.example" }, {})).not.toThrow();
});

test("two runs of the engine, as of a program that runs Pulumi itself, have nothing in common", () => {
  declared("a", x)();
  connected("127.0.0.1:40002");
  expect(declared("b", x)).not.toThrow();
});
