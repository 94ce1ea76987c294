import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeViolation, isMandatory } from "../../../cli/pulumi/policies";
import { runPreview } from "../../../cli/pulumi/preview";
import { previewProgram } from "../../../cli/pulumi/program";
import { Stack } from "../../../cli/pulumi/stack";

const type = "pulumi-nodejs:dynamic/tracking:Pixel";
const urn = (name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
const state = (name: string) => ({ urn: urn(name), type });

/** A stack whose preview prints this; `events` is what the engine logs. */
function stackOf(stdout: string, { code = 0, events = [] as object[] } = {}) {
  const calls: (readonly string[])[] = [];
  const stack = new Stack("dev", async (args) => {
    calls.push(args);
    const log = args[args.indexOf("--event-log") + 1] ?? "";
    writeFileSync(log, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    return { code, stdout, stderr: "" };
  });
  return { stack, calls };
}

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
  const policyEvent = (policyName: string, enforcementLevel: string) => {
    const message = "Statistics must not be public.\n";
    return {
      policyEvent: {
        resourceUrn: urn("shop"),
        message,
        policyName,
        policyPackName: "company",
        enforcementLevel,
      },
    };
  };
  const events = [
    { resourcePreEvent: {} },
    policyEvent("no-public", "mandatory"),
    policyEvent("no-public", "mandatory"),
    policyEvent("advice", "advisory"),
  ];
  const diagnostics = [{ severity: "error", message: "error: preview failed\n" }];
  const printed = JSON.stringify({ steps: [], diagnostics });
  const { stack } = stackOf(printed, { code: 1, events });
  const { violations, diagnostics: said } = await runPreview(stack);
  expect(violations.map((each) => [isMandatory(each), describeViolation(each)])).toEqual([
    [true, 'policy "no-public" of "company" on "shop": Statistics must not be public'],
    [false, 'policy "advice" of "company" on "shop": Statistics must not be public'],
  ]);
  expect(said).toEqual([]);
  await expect(previewProgram(stack)).rejects.toThrow(
    'refused by a policy, and so would an "up" be: policy "no-public" of "company" on "shop": ',
  );
  // Advice alone refuses nothing.
  const { stack: advised } = stackOf(printed, { events: events.slice(3) });
  await expect(previewProgram(advised)).resolves.toMatchObject({ changes: 0 });
});

test("a preview without JSON has failed, and the program's words say why", async () => {
  const { stack } = stackOf("[wrapper] pulumi 3.276.0\nerror: no index.ts\n", { code: 255 });
  const { code, failure } = await runPreview(stack);
  expect([code, failure?.title]).toEqual([255, "pulumi preview --json failed: no index.ts"]);
  await expect(previewProgram(stack)).rejects.toThrow("no index.ts");
});
