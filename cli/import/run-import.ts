import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../failure";
import type { ImportFile } from "../pulumi/json-output";
import type { Stack } from "../pulumi/stack";
import { withTemporaryFolder } from "../pulumi/temporary-folder";
import { shellQuote } from "../shell-quote";
import { progress, type Terminal } from "../terminal";
import type { ImportOptions } from "./command";
import type { ImportStatus } from "./import-status";
import { candidateNames, readIfExists, replaceFile } from "./text-file";

/**
 * The engine's own code would not name these classes. Everything comes in protected, so that nothing is deleted
 * before a program declares it; from the next `up` on, the program's word counts.
 */
const OPTIONS = ["--generate-code=false"];
/** An import makes nothing on the service, so a state that is written once, at the end, can lose nothing. */
const ONE_CHECKPOINT = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
/** How the engine says that it has one more. */
const IMPORTED = / imported \(/;
/** From here on an import file may say what state is to hold. */
const MIN_VERSION = [3, 254] as const;

/** Rejects where the user's `pulumi` cannot take what `import` writes. */
export async function requireImportSupport(stack: Stack): Promise<void> {
  const version = await stack.version();
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return;
  throw new CommandFailure(
    `pulumi ${version} can't import these resources, which takes ${MIN_VERSION.join(".")} or later`,
    "Update it, or give each resource adopt: true, which takes its record over at the next up.",
  );
}

/**
 * Runs the import by a file that goes again, or only writes the file; true where it ran. A file that was asked
 * for by name is written in both cases.
 */
export async function writeAndImport(
  stack: Stack,
  content: ImportFile,
  options: Pick<ImportOptions, "file" | "apply" | "force">,
  status: ImportStatus,
  terminal: Terminal,
): Promise<boolean> {
  try {
    return await writeThenImport(stack, content, options, status, terminal);
  } catch (error) {
    if (error instanceof CommandFailure) throw await status.failure(error);
    throw error;
  }
}

async function writeThenImport(
  stack: Stack,
  content: ImportFile,
  options: Pick<ImportOptions, "file" | "apply" | "force">,
  status: ImportStatus,
  terminal: Terminal,
): Promise<boolean> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  if (options.file !== undefined || !options.apply) {
    const file = writeImportFile(options.file ?? "tracking-import.json", text, options.force === true);
    if (options.apply) await runImport(stack, file, content, status, terminal);
    else terminal.print(`${file}: nothing is imported yet. To do it, run: ${commandFor(stack, file)}`);
    return options.apply === true;
  }
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "import.json");
    await writeFile(file, text);
    await runImport(stack, file, content, status, terminal);
  });
  return true;
}

/** Writes the file for `pulumi import` under this name, or the next one that is free, and gives back which. */
function writeImportFile(wanted: string, text: string, force: boolean): string {
  for (const file of candidateNames(wanted)) {
    const before = readIfExists(file);
    if (before === text) return file;
    if (before !== undefined && !force) continue;
    replaceFile(file, before, text);
    return file;
  }
  throw new Error("there is always a name that is free");
}

/** The same as a person types it. */
function commandFor({ name }: Stack, file: string): string {
  const of = name === undefined ? [] : ["--stack", shellQuote(name)];
  return ["pulumi", "import", "--file", shellQuote(file), ...OPTIONS, ...of].join(" ");
}

async function runImport(
  stack: Stack,
  file: string,
  { resources }: ImportFile,
  status: ImportStatus,
  terminal: Terminal,
): Promise<void> {
  const total = resources.filter(({ id }) => id !== undefined).length;
  const bar = await progress("Importing", total, terminal);
  let done = 0;
  let rest = "";
  status.importStarted(resources);
  try {
    await withTemporaryFolder((outputFolder) =>
      stack.runOrThrow(["import", "--file", file, ...OPTIONS, "--yes", "--skip-preview"], {
        outputFolder,
        env: ONE_CHECKPOINT,
        // Before its first and after its last resource the engine does not listen, and would leave its lock behind.
        canInterrupt: () => done > 0 && done < total,
        onOutput: (text) => {
          const lines = `${rest}${text}`.split("\n");
          rest = lines.pop() ?? "";
          const more = lines.filter((line) => IMPORTED.test(line)).length;
          done += more;
          bar.advance(more);
        },
      }),
    );
    status.importEnded();
  } finally {
    bar.end();
  }
}
