import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandFailure } from "../failure";
import { stackFailure } from "../pulumi/cause";
import type { Finished } from "../pulumi/command";
import type { Stack } from "../pulumi/stack";
import type { ImportFile } from "./entry";
import { withTemporaryFolder } from "./temporary";

/** A resource that a preview would create. */
export interface Planned {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly parent?: string;
  readonly provider?: string;
  readonly protect?: boolean;
}

/** What a preview came to. */
export interface Preview {
  readonly creates: readonly Planned[];
  /** The same as the engine writes them for an import, ids left open. */
  readonly file: ImportFile;
  /** The settings of what the program declares, by URN, secrets opened. */
  readonly opened: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Planning {
  readonly goal?: { readonly inputDiff?: { readonly adds?: Readonly<Record<string, unknown>> } };
  readonly state?: Readonly<Record<string, unknown>>;
}

/** The JSON of a preview. */
interface Said {
  readonly steps?: readonly { readonly op: string; readonly urn: string; readonly newState?: Planned }[];
  readonly diagnostics?: readonly { readonly severity?: string; readonly message?: string }[];
  readonly changeSummary?: Readonly<Record<string, number>>;
}

/** Runs the program in a preview, and tells what it would create. */
export async function previewed(stack: Stack): Promise<Preview> {
  // The plan holds opened secrets.
  return withTemporaryFolder(async (folder) => {
    const [file, plan] = [join(folder, "import.json"), join(folder, "plan.json")];
    const args = ["preview", "--json", "--show-secrets", "--save-plan", plan, "--import-file", file];
    const { steps = [] } = saidBy(args, await stack.try(args));
    const { resourcePlans = {} } = JSON.parse(await readFile(plan, "utf8")) as {
      resourcePlans?: Record<string, Planning>;
    };
    return {
      creates: steps.flatMap(({ op, newState }) => (op === "create" && newState ? [newState] : [])),
      file: JSON.parse(await readFile(file, "utf8").catch(() => '{"resources":[]}')) as ImportFile,
      opened: Object.fromEntries(
        Object.entries(resourcePlans).map(([urn, { goal, state }]) => [
          urn,
          { ...goal?.inputDiff?.adds, ...state },
        ]),
      ),
    };
  });
}

/** What a preview would still change, by what it would do: `{ create: 2 }`. */
export async function left(stack: Stack): Promise<Readonly<Record<string, number>>> {
  const args = ["preview", "--json"];
  const { changeSummary = {} } = saidBy(args, await stack.try(args));
  return Object.fromEntries(Object.entries(changeSummary).filter(([op]) => op !== "same"));
}

/** What a preview makes of what was just imported. */
interface Received {
  /** The program lacks some of it, which would be deleted. */
  readonly undeclared: boolean;
  readonly changes: Readonly<Record<string, number>>;
}

/** What a preview still finds, by what it would do, in one sentence. */
export function told(changes: Readonly<Record<string, number>>, where = ""): string {
  const parts = Object.entries(changes).map(([op, count]) => `${count} to ${op}`);
  return parts.length === 0
    ? `A preview finds nothing to do${where}.`
    : `A preview finds ${parts.join(", ")}${where}: see "pulumi preview --diff", then run "pulumi up".`;
}

/** Asks a preview what it makes of what was just imported; it may fail for a reason of its own. */
export async function received(
  stack: Stack,
  urns: ReadonlySet<string>,
): Promise<Received | { readonly failure: CommandFailure }> {
  const args = ["preview", "--json"];
  const finished = await stack.try(args);
  const { steps = [] } = finished.code === 0 ? saidBy(args, finished) : {};
  if (finished.code === 0) {
    const ops = steps.flatMap(({ op, urn }) => (urns.has(urn) && op !== "same" ? [op] : []));
    const changes: Record<string, number> = {};
    for (const op of ops) changes[op] = (changes[op] ?? 0) + 1;
    return { undeclared: ops.includes("delete"), changes };
  }
  // The engine refuses to delete what is protected, and that is how it says that the program lacks it.
  const errors = errorsIn(finished.stdout);
  if (/because it is protected/.test(`${finished.stdout} ${finished.stderr}`))
    return { undeclared: true, changes: {} };
  return { failure: stackFailure(args, { ...finished, stdout: errors.join(" ") }) };
}

function saidBy(args: readonly string[], finished: Finished): Said {
  if (finished.code === 0) return JSON.parse(finished.stdout) as Said;
  const errors = errorsIn(finished.stdout);
  throw stackFailure(args, { ...finished, stdout: errors.length > 0 ? errors.join(" ") : finished.stdout });
}

/** The errors of a preview that was to be JSON; it may end before it has any. */
function errorsIn(stdout: string): readonly string[] {
  try {
    const { diagnostics = [] } = JSON.parse(stdout) as Said;
    return diagnostics.flatMap(({ severity, message }) =>
      severity === "error" && message !== undefined ? [message] : [],
    );
  } catch {
    return [];
  }
}
