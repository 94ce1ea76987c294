import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { expect, test } from "vitest";
import { diffResponse } from "../../../../provider/hosts/native/differences";

const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;
const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;

/** How one argument differs. */
const shown = (before: unknown, after: unknown, replaces: string[] = []) => {
  const { detaileddiffMap } = diffResponse({ name: before }, { name: after }, ["name"], replaces).toObject();
  return Object.fromEntries(detaileddiffMap.map(([path, { kind }]) => [path, kind]));
};

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

test("what changed is named, with what of it needs another record, and nothing else", () => {
  const answer = diffResponse({ a: 1, b: 2, c: 3 }, { a: 2, b: 3, c: 4 }, ["a", "b"], ["b"]).toObject();
  expect(answer).toMatchObject({ changes: DIFF_SOME, diffsList: ["a", "b"], replacesList: ["b"] });
  expect([answer.hasdetaileddiff, answer.detaileddiffMap.length]).toEqual([true, 2]);
  expect(diffResponse({ a: 1 }, { a: 1 }, [], []).getChanges()).toBe(DIFF_NONE);
});
