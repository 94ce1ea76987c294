import { expect, test } from "vitest";
import { previewProgram } from "../../../cli/pulumi/preview";
import { Stack } from "../../../cli/pulumi/stack";

const pixel = "pulumi-nodejs:dynamic/tracking:Pixel";
const urn = (name: string) => `urn:pulumi:dev::shop::${pixel}::${name}`;
const state = (name: string) => ({ urn: urn(name), type: pixel });

test("a preview keeps a resource under its old name and its new one, but none that it replaces or deletes", async () => {
  const steps = [
    { op: "update", urn: urn("renamed"), oldState: state("before"), newState: state("renamed") },
    { op: "same", urn: urn("same"), oldState: state("same"), newState: state("same") },
    { op: "create-replacement", urn: urn("replaced"), newState: state("replaced") },
    { op: "delete", urn: urn("gone"), oldState: state("gone") },
    { op: "create", urn: urn("new"), newState: state("new") },
  ];
  const printed = { code: 0, stdout: JSON.stringify({ steps }), stderr: "" };
  const found = await previewProgram(new Stack("dev", async () => printed));
  const names = ["renamed", "before", "same", "replaced", "gone", "new"];
  expect(names.filter((name) => found.keeps(urn(name)))).toEqual(["renamed", "before", "same", "new"]);
  expect(found.planned.map((each) => each.urn)).toEqual(["renamed", "same", "replaced", "new"].map(urn));
  expect(found.creates).toEqual([state("new")]);
  expect(found.changes).toBe(3);
  expect(found.file).toBeUndefined();
});
