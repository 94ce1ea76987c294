import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IMPORTING } from "../../provider/config";
import { unmarshal } from "../../provider/hosts/marshal";
import { isUnknown } from "../../provider/schema/resource";
import { explainFailure } from "./explain-failure";
import { type EnginePreview, importFile, parseOutput, parsePreview } from "./json-output";
import { withTemporaryFolder } from "./process";
import type { Stack } from "./stack";

/** What the engine's preview prints instead of a secret. */
const HIDDEN = "[secret]";

/** Whether a preview hides this value, or a part of this list. */
export function isHidden(value: unknown): boolean {
  return [value].flat().includes(HIDDEN);
}

/** Whether a preview shows this value: it is neither secret nor still to be computed. */
export function isShown(value: unknown): boolean {
  return !isHidden(value) && !isUnknown(unmarshal({ value }).value);
}

/**
 * What the steps of a preview say of the program. Without any, nothing is known of it.
 *
 * @param written the file that the engine wrote for an import
 */
export function programOf(steps: EnginePreview["steps"], written?: string) {
  const kept = new Set(
    steps
      .filter(({ op }) => !/^(delete|discard)|replace/.test(op))
      .flatMap(({ urn, oldState }) => [urn, oldState?.urn]),
  );
  // The engine calls a change of `protect` "same", though its preview marks the resource: [diff: ~protect] (pulumi/pulumi#1777).
  const isUnprotected = ({ op, oldState, newState }: (typeof steps)[number]) =>
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

/** Whether a message is the engine's last line, which adds nothing. */
export function isPreviewFailed(message: string): boolean {
  return /^(error: )?preview failed\s*$/.test(message);
}

async function previewSteps(stack: Stack, file: string, env: Readonly<Record<string, string>>) {
  const args = ["preview", "--json", "--show-sames", "--import-file", file];
  const finished = await stack.run(args, { env });
  const { steps, diagnostics } = parsePreview(args, finished);
  const messages = diagnostics.filter(({ message }) => !isPreviewFailed(message));
  const errors = messages.filter(({ severity }) => severity === "error");
  // The engine refuses to delete a protected resource, and its preview stops there (pulumi/pulumi#21089): by then it has printed
  // every other step.
  const allAre = (pattern: RegExp) => errors.every(({ message }) => pattern.test(message));
  const isRefusedDelete = errors.length > 0 && allAre(/because it is protected/);
  if (finished.code === 0 || isRefusedDelete) return steps;
  // Go and .NET: the engine's error is "exit status 1" alone, and the compiler's words are information.
  const words = allAre(/exit status \d+\s*$/)
    ? messages.filter(({ severity }) => severity === "info#err")
    : [];
  const stdout = [...errors, ...words].map(({ message }) => message).join(" ");
  throw explainFailure(args, { ...finished, stdout });
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
    const steps = await previewSteps(stack, file, isForImport ? { [IMPORTING]: folder } : {});
    return programOf(steps, existsSync(file) ? readFileSync(file, "utf8") : undefined);
  });
}
