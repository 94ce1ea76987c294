import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../failure";
import type { ImportFile } from "../pulumi/json-output";
import type { Stack } from "../pulumi/stack";
import { withTemporaryFolder } from "../pulumi/temporary-folder";
import { shellQuote } from "../shell-quote";
import { progress } from "../terminal";
import type { ImportRun } from "./import-run";
import { candidateNames, readIfExists, replaceFile } from "./text-file";

/**
 * The engine's generated code would not name these classes. Everything is imported protected, so that nothing is
 * deleted before a program declares it; from the next `up` on, the program decides.
 */
const OPTIONS = ["--generate-code=false"];
/** An import creates nothing on the service, so a state that is written once, at the end, can lose nothing. */
const ONE_CHECKPOINT = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
/** How the engine reports each imported resource. */
const IMPORTED = / imported \(/;
/** The first version whose import file can set inputs and outputs. */
const MIN_VERSION = [3, 254] as const;

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
 * Imports the entries with `--apply`, else only writes their file; true if it imported. The file is temporary, unless
 * `--file` names it.
 */
export async function importEntries(content: ImportFile, run: ImportRun): Promise<boolean> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  try {
    if (run.options.file !== undefined || !run.options.apply)
      return await importNamedFile(text, content, run);
    await withTemporaryFolder(async (folder) => {
      const file = join(folder, "import.json");
      await writeFile(file, text);
      await runImport(file, content, run);
    });
    return true;
  } catch (error) {
    if (error instanceof CommandFailure) throw await run.failure(error);
    throw error;
  }
}

async function importNamedFile(text: string, content: ImportFile, run: ImportRun): Promise<boolean> {
  const { options, stack, terminal } = run;
  const file = writeImportFile(options.file ?? "tracking-import.json", text, options.force === true);
  if (options.apply) await runImport(file, content, run);
  else terminal.print(`${file}: nothing is imported yet. To import, run: ${importCommand(stack, file)}`);
  return options.apply === true;
}

/** Writes the file for `pulumi import` under this name, or the next free one, and returns which. */
function writeImportFile(wanted: string, text: string, force: boolean): string {
  for (const file of candidateNames(wanted)) {
    const before = readIfExists(file);
    if (before === text) return file;
    if (before !== undefined && !force) continue;
    replaceFile(file, before, text);
    return file;
  }
  throw new Error("there is always a free name");
}

/** The command as a person types it. */
function importCommand({ name }: Stack, file: string): string {
  const stack = name === undefined ? [] : ["--stack", shellQuote(name)];
  return ["pulumi", "import", "--file", shellQuote(file), ...OPTIONS, ...stack].join(" ");
}

async function runImport(file: string, { resources }: ImportFile, run: ImportRun): Promise<void> {
  const total = resources.filter(({ id }) => id !== undefined).length;
  const bar = await progress("Importing", total, run.terminal);
  let done = 0;
  let partialLine = "";
  run.importStarted(resources);
  try {
    await withTemporaryFolder((outputFolder) =>
      run.stack.runOrThrow(["import", "--file", file, ...OPTIONS, "--yes", "--skip-preview"], {
        outputFolder,
        env: ONE_CHECKPOINT,
        // Before its first and after its last resource the engine ignores signals, and would leave its lock behind.
        canInterrupt: () => done > 0 && done < total,
        onOutput: (text) => {
          const lines = `${partialLine}${text}`.split("\n");
          partialLine = lines.pop() ?? "";
          const more = lines.filter((line) => IMPORTED.test(line)).length;
          done += more;
          bar.advance(more);
        },
      }),
    );
    run.importEnded();
  } finally {
    bar.end();
  }
}
