import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explainFailure } from "./failure";
import {
  type ImportFile,
  type PlannedResource,
  type PreviewStep,
  parseOutput,
  type ResourceState,
} from "./json-output";
import type { CommandResult } from "./process";
import type { Stack } from "./stack";
import { withTemporaryFolder } from "./temporary-folder";

/** The result of a preview. */
export interface Preview {
  /** Everything that the program declares, as the engine would have it. */
  readonly planned: readonly PlannedResource[];
  readonly creates: readonly PlannedResource[];
  /** The same as the engine writes them for an import, ids left open. */
  readonly file: ImportFile;
  /** The settings of what the program declares, by URN, secrets opened. */
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Runs the program in a preview, and returns what it would create. */
export async function previewProgram(stack: Stack): Promise<Preview> {
  // The plan holds opened secrets.
  return withTemporaryFolder(async (folder) => {
    const [file, plan] = [join(folder, "import.json"), join(folder, "plan.json")];
    const args = ["preview", "--json", "--show-secrets", "--save-plan", plan, "--import-file", file];
    const { steps = [] } = parsePreview(args, await stack.run(args));
    const { resourcePlans = {} } = parseOutput("pulumi preview --save-plan", readFileSync(plan, "utf8"));
    const planned = (every: readonly PreviewStep[]) => every.flatMap(({ newState }) => newState ?? []);
    return {
      planned: planned(steps),
      creates: planned(steps.filter(({ op }) => op === "create")),
      file: parseOutput(
        "pulumi preview --import-file",
        existsSync(file) ? readFileSync(file, "utf8") : '{"resources":[]}',
      ),
      settings: Object.fromEntries(
        Object.entries(resourcePlans).map(([urn, { goal, state }]) => [
          urn,
          { ...goal?.inputDiff?.adds, ...state },
        ]),
      ),
    };
  });
}

/** What the next `up` would do. */
export interface RemainingChanges {
  /** What it would delete: resources that the program does not declare, or that a change replaces. */
  readonly deletes: readonly ResourceState[];
  readonly creates: readonly PlannedResource[];
  /** How many other resources it would change, by operation: `{ create: 2 }`. */
  readonly changes: Readonly<Record<string, number>>;
}

/**
 * Asks a preview what the next `up` would do. Rejects if the program fails for another reason, since the answer is then
 * unknown.
 */
export async function previewChanges(stack: Stack): Promise<RemainingChanges> {
  const held = await stack.resources();
  const args = ["preview", "--json", "--show-sames"];
  const finished = await stack.run(args);
  // The engine refuses to delete a protected resource, and stops there; by then it has reported all that stay.
  const { steps = [] } = isRefusedDelete(finished)
    ? parseOutput("pulumi preview", finished.stdout)
    : parsePreview(args, finished);
  const kept = new Set(
    steps
      .filter(({ op }) => !/^(delete|discard)|replace/.test(op))
      .flatMap(({ urn, oldState }) => [urn, oldState?.urn]),
  );
  const ours = held.filter(({ type, id, delete: isLeaving }) => id && !isLeaving && !/^pulumi:/.test(type));
  const changes: Record<string, number> = {};
  for (const { op } of steps.filter(({ op }) => op !== "same" && !/^delete/.test(op)))
    changes[op] = (changes[op] ?? 0) + 1;
  const creates = steps.flatMap(({ op, newState }) => (op === "create" && newState ? newState : []));
  return { deletes: ours.filter(({ urn }) => !kept.has(urn)), creates, changes };
}

/** The remaining changes of a preview, in one sentence. */
export function describeChanges(changes: Readonly<Record<string, number>>): string {
  const parts = Object.entries(changes).map(([op, count]) => `${count} to ${op}`);
  return parts.length === 0
    ? "A preview shows no changes."
    : `A preview shows ${parts.join(", ")}: see "pulumi preview --diff", then run "pulumi up".`;
}

function isRefusedDelete({ code, stdout }: CommandResult): boolean {
  // The last line repeats that it failed.
  const errors =
    code === 0 ? [] : previewErrors(stdout).filter((each) => !/^(error: )?preview failed\s*$/.test(each));
  return errors.length > 0 && errors.every((each) => /because it is protected/.test(each));
}

function parsePreview(
  args: readonly string[],
  finished: CommandResult,
): { readonly steps?: readonly PreviewStep[] } {
  if (finished.code === 0) return parseOutput("pulumi preview", finished.stdout);
  const errors = previewErrors(finished.stdout);
  throw explainFailure(args, { ...finished, stdout: errors.length > 0 ? errors.join(" ") : finished.stdout });
}

/** The errors in the JSON output of a preview, which may end before it prints any. */
function previewErrors(stdout: string): readonly string[] {
  if (!stdout.trimStart().startsWith("{")) return [];
  const { diagnostics = [] } = parseOutput("pulumi preview", stdout);
  return diagnostics.flatMap(({ severity, message }) =>
    severity === "error" && message !== undefined ? [message] : [],
  );
}
