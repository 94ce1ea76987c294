import { expect, it } from "vitest";
import { stateOf } from "../../bench/state.mjs";

const dynamic = (name: string, provider: string) => ({
  type: "pulumi-nodejs:dynamic/tracking:Website",
  urn: name,
  inputs: { __provider: provider },
  outputs: { __provider: provider },
});

it("the size of state is the average of a dynamic resource's bytes without white space", () => {
  const [one, other] = [dynamic("é", "p"), dynamic("longer", "p")];
  const stack = { type: "pulumi:pulumi:Stack", urn: "x".repeat(5000) };
  const bytes = [one, other].map((each) => Buffer.byteLength(JSON.stringify(each)));
  const [first = 0, second = 0] = bytes;
  expect(stateOf({ deployment: { resources: [stack, one, other] } })).toEqual({
    bytes: Math.round((first + second) / 2),
    providers: ["p"],
  });
});

it("different providers are counted, in outputs too", () => {
  const changed = { ...dynamic("a", "p"), outputs: { __provider: "q" } };
  expect(stateOf({ deployment: { resources: [changed] } }).providers).toEqual(["p", "q"]);
});

it("an empty stack has no state", () => {
  expect(stateOf({ deployment: {} })).toEqual({ bytes: 0, providers: [] });
});
