import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { previewProgram } from "../../../cli/pulumi/program";
import { Stack } from "../../../cli/pulumi/stack";
import { IMPORTING } from "../../../provider/config";

const pixel = "pulumi-nodejs:dynamic/tracking:Pixel";
const urn = (name: string) => `urn:pulumi:dev::shop::${pixel}::${name}`;
const ended = (printed: object, code = 0) =>
  new Stack("dev", async () => ({ code, stdout: JSON.stringify(printed), stderr: "" }));
const state = (name: string) => ({ urn: urn(name), type: pixel });

test("a preview keeps a resource under its old name and its new one, but none that it replaces or deletes", async () => {
  const steps = [
    { op: "update", urn: urn("renamed"), oldState: state("before"), newState: state("renamed") },
    { op: "same", urn: urn("same"), oldState: state("same"), newState: state("same") },
    { op: "create-replacement", urn: urn("replaced"), newState: state("replaced") },
    { op: "delete", urn: urn("gone"), oldState: state("gone") },
    { op: "create", urn: urn("new"), newState: state("new") },
  ];
  const found = await previewProgram(ended({ steps }));
  const names = ["renamed", "before", "same", "replaced", "gone", "new"];
  expect(names.filter((name) => found.keeps(urn(name)))).toEqual(["renamed", "before", "same", "new"]);
  expect(found.planned.map((each) => each.urn)).toEqual(["renamed", "same", "replaced", "new"].map(urn));
  expect(found.creates).toEqual([state("new")]);
  expect([found.changes, found.importFile]).toEqual([3, undefined]);
});

test("a preview for an import tells the program's process so, and no other does", async () => {
  const told: (string | undefined)[] = [];
  const stack = new Stack("dev", async (_args, running) => {
    told.push(running?.env?.[IMPORTING]);
    return { code: 0, stdout: "{}", stderr: "" };
  });
  await previewProgram(stack);
  await previewProgram(stack, { isForImport: true });
  expect(told).toEqual([undefined, expect.stringContaining(tmpdir())]);
});

test("an error that only says how a compiler ended comes with what the compiler said", async () => {
  const diagnostics = [
    { severity: "info#err", message: "./main.go:7:2: undefined: shop\n\n" },
    { severity: "error", message: "error: error in compiling Go: unable to run `go build`: exit status 1\n" },
  ];
  await expect(previewProgram(ended({ steps: [], diagnostics }, 255))).rejects.toThrow("undefined: shop");
});
