import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explainFailure } from "./failure";
import { type ImportFile, type PreviewStep, parseOutput, type ResourceState } from "./json-output";
import type { CommandResult } from "./process";
import type { Stack } from "./stack";
import { withTemporaryFolder } from "./temporary-folder";

/** What the program declares, by a preview; secrets are hidden. */
export interface Preview {
  /** What the engine would create or change. */
  readonly planned: readonly ResourceState[];
  readonly creates: readonly ResourceState[];
  /** The creates as the engine writes them for an import, without ids; nothing if the preview failed on protection. */
  readonly file: ImportFile | undefined;
}

/** Runs the program in a preview. */
export async function previewProgram(stack: Stack): Promise<Preview> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, "import.json");
    const { steps } = await previewSteps(stack, ["--import-file", file]);
    const planned = (every: readonly PreviewStep[]) => every.flatMap(({ newState }) => newState ?? []);
    return {
      planned: planned(steps),
      creates: planned(steps.filter(({ op }) => op === "create")),
      file: existsSync(file)
        ? parseOutput("pulumi preview --import-file", readFileSync(file, "utf8"))
        : undefined,
    };
  });
}

/** What the next `up` would do. */
export interface RemainingChanges {
  /** What it would delete: what the program does not declare, or declares so that it must be replaced. */
  readonly deletes: readonly ResourceState[];
  readonly creates: readonly ResourceState[];
  /** The number of other changes by kind: `{ update: 2 }`. */
  readonly changes: Readonly<Record<string, number>>;
}

/** Asks a preview what the next `up` would do. Rejects if the program fails for a reason of its own. */
export async function previewChanges(stack: Stack): Promise<RemainingChanges> {
  const held = await stack.resources();
  const { steps } = await previewSteps(stack, ["--show-sames"]);
  const kept = new Set(
    steps
      .filter(({ op }) => !/^(delete|discard)|replace/.test(op))
      .flatMap(({ urn, oldState }) => [urn, oldState?.urn]),
  );
  const ours = held.filter(({ type, id, delete: isLeaving }) => id && !isLeaving && !/^pulumi:/.test(type));
  const changes: Record<string, number> = {};
  for (const { op } of steps.filter(({ op }) => op !== "same" && !/^delete/.test(op)))
    changes[op] = (changes[op] ?? 0) + 1;
  return {
    deletes: ours.filter(({ urn }) => !kept.has(urn)),
    creates: steps.flatMap(({ op, newState }) => (op === "create" && newState ? [newState] : [])),
    changes,
  };
}

async function previewSteps(
  stack: Stack,
  more: readonly string[],
): Promise<{ readonly steps: readonly PreviewStep[] }> {
  const args = ["preview", "--json", ...more];
  const finished = await stack.run(args);
  const errors = finished.code === 0 ? [] : previewErrors(finished);
  // The engine refuses to delete what is protected, and stops there: every other step has been printed by then.
  const isRefusedDelete = errors.length > 0 && errors.every((each) => /because it is protected/.test(each));
  if (finished.code === 0 || isRefusedDelete)
    return { steps: parseOutput("pulumi preview", finished.stdout).steps ?? [] };
  throw explainFailure(args, { ...finished, stdout: errors.join(" ") || finished.stdout });
}

/** The errors of a failed preview, which may end before it has printed any JSON. */
function previewErrors({ stdout }: CommandResult): readonly string[] {
  if (!stdout.trimStart().startsWith("{")) return [];
  const { diagnostics = [] } = parseOutput("pulumi preview", stdout);
  return diagnostics.flatMap(({ severity, message = "" }) =>
    severity === "error" && !/^(error: )?preview failed\s*$/.test(message) ? [message] : [],
  );
}
