import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { expect, test } from "vitest";
import { diffResponse } from "../../../../provider/hosts/native/differences";

const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;

const details = (...given: Parameters<typeof diffResponse>) =>
  diffResponse(...given)
    .toObject()
    .detaileddiffMap.map(([path, { kind }]) => [path, kind] as const);
/** How one argument differs. */
const shown = (before: unknown, after: unknown, replaces: string[] = []) =>
  Object.fromEntries(details({ name: before }, { name: after }, ["name"], replaces));

test("a value is added, changed or left out, with a new record or without", () => {
  expect(shown(undefined, "a")).toEqual({ name: ADD });
  expect(shown("a", "b")).toEqual({ name: UPDATE });
  expect(shown("a", undefined)).toEqual({ name: DELETE });
  expect(shown(undefined, "a", ["name"])).toEqual({ name: ADD_REPLACE });
  expect(shown("a", "b", ["name"])).toEqual({ name: UPDATE_REPLACE });
  expect(shown("a", undefined, ["name"])).toEqual({ name: DELETE_REPLACE });
});

test("a list is changed as a whole", () => {
  expect(shown(["a", "b"], ["b", "c"])).toEqual({ name: UPDATE });
});

test("nothing is said of what did not change", () => {
  expect(details({ a: 1, b: 2 }, { a: 2, b: 3 }, ["a"], [])).toEqual([["a", UPDATE]]);
});
