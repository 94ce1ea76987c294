import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandFailure } from "../failure";
import type { ImportArguments, Tell } from "../import";
import { type Stack, stackFailure } from "../stack";
import type { ImportFile } from "./entry";

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

interface PlanFile {
  readonly resourcePlans?: Record<string, Planning>;
}

/** From here on an import file may say what state is to hold. */
const SINCE = [3, 254] as const;

/** Rejects where the user's `pulumi` cannot take what `import` writes. */
export async function needImports(stack: Stack): Promise<void> {
  const version = await stack.version();
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > SINCE[0] || (major === SINCE[0] && minor >= SINCE[1])) return;
  throw new CommandFailure(
    `pulumi ${version} can't import these resources, which takes ${SINCE.join(".")} or later`,
    "Update it, or give each resource adopt: true, which takes its record over at the next up.",
  );
}

/** Runs the program in a preview, and tells what it would create. */
export async function previewed(stack: Stack): Promise<Preview> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-"));
  try {
    const [file, plan] = [join(folder, "import.json"), join(folder, "plan.json")];
    const args = ["preview", "--json", "--show-secrets", "--save-plan", plan, "--import-file", file];
    const finished = await stack.try(args);
    if (finished.code !== 0) throw stackFailure(args, { ...finished, stdout: errorsIn(finished.stdout) });
    const { steps = [] } = JSON.parse(finished.stdout) as { steps?: { op: string; newState?: Planned }[] };
    const { resourcePlans = {} } = JSON.parse(await readFile(plan, "utf8")) as PlanFile;
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
  } finally {
    // The plan holds opened secrets.
    await rm(folder, { recursive: true, force: true });
  }
}

/** The errors of a preview that was to be JSON. */
function errorsIn(stdout: string): string {
  try {
    const { diagnostics = [] } = JSON.parse(stdout) as {
      diagnostics?: { severity?: string; message?: string }[];
    };
    return diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ message }) => message)
      .join(" ");
  } catch {
    return stdout;
  }
}

/** Writes a text, and never over another one unless told. */
export async function writeNew(file: string, text: string, force: boolean): Promise<void> {
  await writeFile(file, text, { flag: force ? "w" : "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST"
      ? new CommandFailure(`${file} is there already`, "Give another name, or --force to write over it.")
      : new CommandFailure(`${file} can't be written (${error.code})`, "Give a name that can be written.");
  });
}

/**
 * Runs the import by a file that goes again, or only writes the file; true where it ran. A file that was asked
 * for by name is written in both cases.
 */
export async function withImportFile(
  stack: Stack,
  content: ImportFile,
  typed: Pick<ImportArguments, "file" | "apply" | "force">,
  tell: Tell,
): Promise<boolean> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  if (typed.file !== undefined || !typed.apply) {
    const file = typed.file ?? "tracking-import.json";
    await writeNew(file, text, typed.force === true);
    if (typed.apply) await runImport(stack, file);
    else tell(`${file}: run "pulumi import --file ${file} --generate-code=false --protect=false"`);
    return typed.apply === true;
  }
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-"));
  try {
    const file = join(folder, "import.json");
    await writeFile(file, text);
    await runImport(stack, file);
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runImport(stack: Stack, file: string): Promise<void> {
  const how = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
  await stack.must(["import", "--file", file, ...how]);
}

/** Protects resources in state, as the program does; a command line holds only so many. */
export async function protectAll(stack: Stack, urns: readonly string[]): Promise<void> {
  for (let from = 0; from < urns.length; from += 200)
    await stack.must(["state", "protect", ...urns.slice(from, from + 200), "--yes"]);
}

/** Whether a preview finds nothing to do. */
export async function isQuiet(stack: Stack): Promise<boolean> {
  return (await stack.try(["preview", "--expect-no-changes"])).code === 0;
}

/** What a preview would still change, by what it would do: `{ create: 2 }`. */
export async function left(stack: Stack): Promise<Readonly<Record<string, number>>> {
  const args = ["preview", "--json"];
  const finished = await stack.try(args);
  if (finished.code !== 0) throw stackFailure(args, { ...finished, stdout: errorsIn(finished.stdout) });
  const { changeSummary = {} } = JSON.parse(finished.stdout) as { changeSummary?: Record<string, number> };
  return Object.fromEntries(Object.entries(changeSummary).filter(([op]) => op !== "same"));
}
