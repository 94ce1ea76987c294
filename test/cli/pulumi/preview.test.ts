import { expect, test } from "vitest";
import { describeViolation, isMandatory } from "../../../cli/pulumi/policies";
import { runPreview } from "../../../cli/pulumi/preview";
import { previewProgram } from "../../../cli/pulumi/program";
import { Stack } from "../../../cli/pulumi/stack";
import { SECRET, SIGNATURE } from "../../../provider/hosts/marshal";

const type = "pulumi-nodejs:dynamic/tracking:Pixel";
const urn = (name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
const state = (name: string) => ({ urn: urn(name), type });

/** A stack whose preview prints this. */
function stackOf(stdout: string, code = 0) {
  const calls: (readonly string[])[] = [];
  const stack = new Stack("dev", async (args) => {
    calls.push(args);
    return { code, stdout, stderr: "" };
  });
  return { stack, calls };
}

/** The lines of a preview that prints its events. */
const streamed = (events: readonly object[]) =>
  events.map((event, sequence) => `${JSON.stringify({ sequence, timestamp: 1, ...event })}\n`).join("");

test("the steps of a refresh count for nothing, and are kept apart", async () => {
  const steps = [
    { op: "refresh", urn: urn("dropped"), oldState: state("dropped"), newState: state("dropped") },
    { op: "same", urn: urn("kept"), oldState: state("kept"), newState: state("kept") },
    { op: "delete", urn: urn("dropped"), oldState: state("dropped") },
  ];
  const { stack } = stackOf(JSON.stringify({ steps }));
  const { steps: counting, refreshed } = await runPreview(stack);
  expect([counting.map(({ op }) => op), refreshed.map(({ op }) => op)]).toEqual([
    ["same", "delete"],
    ["refresh"],
  ]);
  const { keeps, planned } = await previewProgram(stack);
  expect([keeps(urn("dropped")), keeps(urn("kept")), planned]).toEqual([false, true, [state("kept")]]);
});

test("a project's refresh is switched off, but not in a person's own preview", async () => {
  const { stack, calls } = stackOf("{}");
  await runPreview(stack);
  await runPreview(stack, { keepsOptions: true, args: ["--refresh"] });
  expect(calls.map((args) => args.filter((arg) => arg.startsWith("--refresh")))).toEqual([
    ["--refresh=false"],
    ["--refresh"],
  ]);
});

test("what a policy says is read from the engine's events, each once, and the policy that refuses is named", async () => {
  const policyEvent = (policyName: string, enforcementLevel: string) => ({
    policyEvent: {
      resourceUrn: urn("shop"),
      message: "Statistics must not be public.\n",
      policyName,
      policyPackName: "company",
      enforcementLevel,
    },
  });
  const failed = { diagnosticEvent: { severity: "error", prefix: "error: ", message: "preview failed\n" } };
  const advice = [policyEvent("advice", "advisory"), failed];
  const refusal = policyEvent("no-public", "mandatory");
  const { stack } = stackOf(streamed([refusal, refusal, ...advice]), 1);
  const { violations, diagnostics } = await runPreview(stack);
  expect(violations.map((each) => [isMandatory(each), describeViolation(each)])).toEqual([
    [true, 'policy "no-public" of "company" on shop: Statistics must not be public'],
    [false, 'policy "advice" of "company" on shop: Statistics must not be public'],
  ]);
  expect(diagnostics).toEqual([]);
  await expect(previewProgram(stack)).rejects.toThrow(
    'A policy refuses the program, so "pulumi up" would fail: policy "no-public" of "company" on shop: ',
  );
  // Advice alone refuses nothing.
  const { stack: advised } = stackOf(streamed(advice));
  await expect(previewProgram(advised)).resolves.toMatchObject({ changes: 0 });
  // A preview that ends at what is protected is no refusal, but a policy beside it is.
  const message = "resource cannot be deleted\nbecause it is protected";
  const ended = { diagnosticEvent: { severity: "error", message } };
  const ofBoth = (policies: readonly object[]) =>
    previewProgram(stackOf(streamed([ended, ...policies]), 1).stack);
  await expect(ofBoth(advice)).resolves.toMatchObject({ changes: 0 });
  await expect(ofBoth([refusal])).rejects.toThrow(/^A policy refuses the program, /);
});

test("events say the same as the one JSON: steps, messages without those for debugging, and no secret", async () => {
  const secret = { [SIGNATURE]: SECRET, ciphertext: "[secret]" };
  const old = {
    urn: urn("a"),
    type,
    id: "7",
    parent: "",
    provider: "",
    protect: true,
    inputs: {},
    outputs: null,
  };
  const diagnosticEvent = (severity: string, message: string, more = {}) => ({
    diagnosticEvent: { severity, message, ...more },
  });
  const events = [
    { preludeEvent: { config: {} } },
    {
      resourcePreEvent: {
        metadata: { op: "update", urn: urn("a"), old, new: { ...old, id: "", inputs: { names: [secret] } } },
      },
    },
    {
      resourcePreEvent: {
        metadata: { op: "create", urn: urn("b"), old: null, new: { ...old, urn: urn("b") } },
      },
    },
    diagnosticEvent("debug", "RegisterResource: hunter2"),
    diagnosticEvent("info", "still at it", { ephemeral: true }),
    diagnosticEvent("warning", "odd\n", { prefix: "warning: " }),
  ];
  const { stack } = stackOf(`[wrapper] pulumi 3.276.0\n${streamed(events)}`);
  const shown = { type, protect: true, inputs: {} };
  const next = { urn: urn("a"), ...shown, inputs: { names: ["[secret]"] } };
  expect(await runPreview(stack)).toMatchObject({
    failure: undefined,
    steps: [
      { op: "update", urn: urn("a"), oldState: { urn: urn("a"), ...shown, id: "7" }, newState: next },
      { op: "create", urn: urn("b"), newState: { urn: urn("b"), ...shown, id: "7" } },
    ],
    diagnostics: [{ severity: "warning", message: "warning: odd\n" }],
  });
  expect((await runPreview(stack)).steps[0]?.newState).toEqual(next);
  // Of an engine that was killed.
  const { stack: killed } = stackOf(`${streamed(events)}{"sequence":9,"resourcePre`, 137);
  const { code, steps, failure } = await runPreview(killed);
  expect([code, steps.length, failure]).toEqual([137, 2, undefined]);
});

test("a preview that failed without a word has failed", async () => {
  const { stack } = stackOf(JSON.stringify({ steps: [] }), 255);
  await expect(previewProgram(stack)).rejects.toThrow("pulumi preview --json failed");
});

test("a preview without JSON has failed, and the program's words say why", async () => {
  const { stack } = stackOf("[wrapper] pulumi 3.276.0\nerror: no index.ts\n", 255);
  const { code, failure } = await runPreview(stack);
  expect([code, failure?.title]).toEqual([255, "pulumi preview --json failed: no index.ts"]);
  await expect(previewProgram(stack)).rejects.toThrow("no index.ts");
});
