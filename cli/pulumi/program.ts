import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IMPORTING } from "../../provider/config";
import { firstOf } from "../alike";
import type { CommandFailure } from "../failure";
import { explainFailure } from "./explain-failure";
import { type EngineStep, importFile, parseOutput } from "./json-output";
import { describeViolation, isMandatory, refusedByPolicy } from "./policies";
import { type FinishedPreview, runPreview } from "./preview";
import { withTemporaryFolder } from "./process";
import type { Stack } from "./stack";

/**
 * What the steps of a preview say of the program. Without any, nothing is known of it.
 *
 * @param written the file that the engine wrote for an import
 */
export function programOf(steps: readonly EngineStep[], written?: string) {
  const kept = new Set(
    steps
      .filter(({ op }) => !/^delete|replace/.test(op))
      .flatMap(({ urn, oldState }) => [urn, oldState?.urn]),
  );
  // The engine calls a change of `protect` "same", though its preview marks the resource: [diff: ~protect] (pulumi/pulumi#1777).
  const isUnprotected = ({ op, oldState, newState }: EngineStep) =>
    op === "same" && oldState?.protect === true && newState?.protect !== true;
  const statesAfter = (verb: string) => steps.flatMap(({ op, newState }) => (op === verb && newState) || []);
  return {
    /** The creates as the engine writes them for an import, without ids; undefined if the preview ended at a protected resource. */
    importFile:
      written === undefined ? written : parseOutput("pulumi preview --import-file", importFile, written),
    /** What the program declares. */
    planned: steps.flatMap(({ newState }) => newState ?? []),
    creates: statesAfter("create"),
    /** What the next `up` imports by an option of the program. */
    imports: statesAfter("import"),
    /** How many resources change, not counting deletes. */
    changes: steps.filter(({ op }) => op !== "same" && !/^delete/.test(op)).length,
    /** How many other resources lose the protection that every import gives them. */
    unprotects: steps.filter(isUnprotected).length,
    /** Whether a resource of the stack stays: the program declares it, and it is not replaced. */
    keeps: (urn: string) => kept.has(urn),
  };
}

/** What the program declares, and what the next `up` would do; secrets are hidden. */
export type Program = ReturnType<typeof programOf>;

/** The reason why a preview failed, or undefined. */
function failureOf({
  code,
  failure,
  stderr,
  diagnostics,
  violations,
}: FinishedPreview): CommandFailure | undefined {
  if (code === 0 || failure !== undefined) return failure;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  // The engine refuses to delete a protected resource, and its preview stops there (pulumi/pulumi#21089): by then it has printed
  // every other step.
  const allAre = (pattern: RegExp) => errors.every(({ message }) => pattern.test(message));
  const isRefusedDelete = errors.length > 0 && allAre(/because it is protected/);
  const refusals = violations.filter(isMandatory).map((each) => describeViolation(each));
  if (refusals.length > 0) return refusedByPolicy(firstOf(refusals));
  if (isRefusedDelete) return undefined;
  // Go and .NET: the engine's error is "exit status 1" alone, and the compiler's words are information.
  const words = allAre(/exit status \d+\s*$/)
    ? diagnostics.filter(({ severity }) => severity === "info#err")
    : [];
  const stdout = [...errors, ...words].map(({ message }) => message).join(" ");
  return explainFailure(["preview", "--json"], { stderr, stdout });
}

/**
 * Runs the program in a preview. Rejects if the program fails for a reason of its own.
 *
 * @param isForImport the resources that it declares are then imported: they may have values that a new record could not have,
 *   such as a name of 40 characters
 */
export async function previewProgram(stack: Stack, { isForImport = false } = {}): Promise<Program> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, "import.json");
    const env = isForImport ? { [IMPORTING]: folder } : {};
    const finished = await runPreview(stack, { args: ["--import-file", file], env });
    const failure = failureOf(finished);
    if (failure !== undefined) throw failure;
    return programOf(finished.steps, existsSync(file) ? readFileSync(file, "utf8") : undefined);
  });
}
