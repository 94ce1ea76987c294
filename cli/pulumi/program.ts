import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IMPORTING } from "../../provider/config";
import { unmarshal } from "../../provider/hosts/marshal";
import { isUnknown } from "../../provider/schema/resource";
import { explainFailure } from "./explain-failure";
import { type EnginePreview, importFile, parseOutput, parsePreview } from "./json-output";
import { withTemporaryFolder } from "./process";
import type { Stack } from "./stack";

/** What a preview prints instead of a secret. */
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
 * What a program's steps tell; without any, that nothing is known.
 *
 * @param written the file that the engine wrote for an import
 */
export function programOf(steps: EnginePreview["steps"], written?: string) {
  const kept = new Set(
    steps
      .filter(({ op }) => !/^(delete|discard)|replace/.test(op))
      .flatMap(({ urn, oldState }) => [urn, oldState?.urn]),
  );
  // For the engine this is no change, though its preview marks it.
  const isUnprotected = ({ op, oldState, newState }: (typeof steps)[number]) =>
    op === "same" && oldState?.protect === true && newState?.protect !== true;
  const after = (wanted: string) => steps.flatMap(({ op, newState }) => (op === wanted && newState) || []);
  return {
    /** The creates as the engine writes them for an import, without ids; nothing if the preview failed on protection. */
    file: written === undefined ? written : parseOutput("pulumi preview --import-file", importFile, written),
    /** What the program declares. */
    planned: steps.flatMap(({ newState }) => newState ?? []),
    creates: after("create"),
    /** What the next `up` imports by an option of the program. */
    imports: after("import"),
    /** How many resources change, not counting deletes. */
    changes: steps.filter(({ op }) => op !== "same" && !/^delete/.test(op)).length,
    /** How many other resources lose the protection that an import gives. */
    unprotects: steps.filter(isUnprotected).length,
    /** Whether a resource of the stack stays: the program declares it, and it is not replaced. */
    keeps: (urn: string) => kept.has(urn),
  };
}

/** What the program declares, and what the next `up` would do; secrets are hidden. */
export type Program = ReturnType<typeof programOf>;

/** Whether this is the engine's last line, which says no more than that. */
export function isPreviewFailed(message: string): boolean {
  return /^(error: )?preview failed\s*$/.test(message);
}

async function previewSteps(stack: Stack, file: string, env: Readonly<Record<string, string>>) {
  const args = ["preview", "--json", "--show-sames", "--import-file", file];
  const finished = await stack.run(args, { env });
  const { steps, diagnostics } = parsePreview(args, finished);
  const said = diagnostics.filter(({ message }) => !isPreviewFailed(message));
  const errors = said.filter(({ severity }) => severity === "error");
  // The engine refuses to delete what is protected, and stops there: every other step has been printed by then.
  const allAre = (pattern: RegExp) => errors.every(({ message }) => pattern.test(message));
  const isRefusedDelete = errors.length > 0 && allAre(/because it is protected/);
  if (finished.code === 0 || isRefusedDelete) return steps;
  // How a compiler ended tells nothing without its own words.
  const words = allAre(/exit status \d+\s*$/) ? said.filter((each) => each.severity === "info#err") : [];
  const stdout = [...errors, ...words].map(({ message }) => message).join(" ");
  throw explainFailure(args, { ...finished, stdout });
}

/**
 * Runs the program in a preview. Rejects if the program fails for a reason of its own.
 *
 * @param isImport whether what it declares is then imported, and may have values that a new record could not have
 */
export async function previewProgram(stack: Stack, isImport = false): Promise<Program> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, "import.json");
    const steps = await previewSteps(stack, file, isImport ? { [IMPORTING]: folder } : {});
    return programOf(steps, existsSync(file) ? readFileSync(file, "utf8") : undefined);
  });
}
