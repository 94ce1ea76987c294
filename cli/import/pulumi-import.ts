import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandFailure } from "../failure";
import type { ImportFile } from "../pulumi/json-output";
import type { Stack } from "../pulumi/stack";
import { withTemporaryFolder } from "../pulumi/temporary-folder";
import { shellQuote } from "../shell-quote";
import { progress } from "../terminal";
import type { ImportRun } from "./options";
import { writeNewFile } from "./text-file";

/** An import creates nothing on the service, so a state that is written once, at the end, can lose nothing. */
const ONE_CHECKPOINT = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
/** How the engine reports each imported resource. */
const IMPORTED = " imported (";
/** The first version whose import file can set inputs and outputs. */
const MIN_VERSION = [3, 254] as const;
const DEFAULT_FILE = "tracking-import.json";

/** Rejects if the user's `pulumi` can't import what this command writes. */
export async function requireImportSupport(stack: Stack): Promise<void> {
  const version = await stack.version();
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return;
  throw new CommandFailure(
    `pulumi ${version} can't import these resources: ${MIN_VERSION.join(".")} or later is required`,
    "Update it, or give each resource adopt: true, and the next up adopts its record",
  );
}

/**
 * Imports the entries with `--apply`, else only writes their file; true if it imported. Everything is imported
 * protected, so that nothing is deleted before a program declares it; from the next `up` on, the program decides.
 *
 * @param out the file for the engine's own program; without it, the engine writes none
 */
export async function importEntries(content: ImportFile, run: ImportRun, out?: string): Promise<boolean> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  // For our classes, the engine's own program would name a package that does not exist.
  const program = out === undefined ? ["--generate-code=false"] : ["--out", out];
  if (!run.options.apply) {
    const file = writeNewFile(resolve(run.folder, run.options.file ?? DEFAULT_FILE), text);
    const stack = run.stack.name === undefined ? [] : ["--stack", run.stack.name];
    const command = ["import", "--file", shownPath(file, run), ...program, ...stack]
      .map(shellQuote)
      .join(" ");
    run.terminal.print(`${shownPath(file, run)}: nothing is imported yet. To import, run: pulumi ${command}`);
    return false;
  }
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "import.json");
    writeFileSync(file, text);
    const total = content.resources.filter(({ id }) => id !== undefined).length;
    const bar = await progress("Importing", total, run.terminal);
    try {
      await run.stack.runOrThrow(["import", "--file", file, ...program, "--yes", "--skip-preview"], {
        outputFile: join(folder, "output"),
        env: ONE_CHECKPOINT,
        onWait: () =>
          run.terminal.print("Waiting for the end of pulumi import; interrupt again to stop it at once."),
        onOutput: (printed) => bar.update(printed.split(IMPORTED).length - 1),
      });
    } finally {
      bar.end();
    }
  });
  removeEarlierFile(run);
  return true;
}

/** An import file of an earlier run without `--apply` is out of date now. */
function removeEarlierFile({ folder, terminal }: ImportRun): void {
  const file = join(folder, DEFAULT_FILE);
  try {
    if (!readFileSync(file, "utf8").includes("tracking")) return;
  } catch {
    return;
  }
  rmSync(file);
  terminal.print(`${DEFAULT_FILE} of an earlier run is removed.`);
}

/** A file as a person in the run's folder names it. */
function shownPath(file: string, { folder }: ImportRun): string {
  return file.startsWith(join(folder, "/")) ? file.slice(join(folder, "/").length) : file;
}
