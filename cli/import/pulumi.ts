import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../failure";
import type { ImportArguments } from "../import";
import { progress, type Screen } from "../progress";
import type { ImportFile } from "../pulumi/answers";
import type { Stack } from "../pulumi/stack";
import { word } from "../word";
import type { Standing } from "./standing";
import { withTemporaryFolder } from "./temporary";
import { namesFrom, replaceText, textIn } from "./text-file";

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

/**
 * Runs the import by a file that goes again, or only writes the file; true where it ran. A file that was asked
 * for by name is written in both cases.
 */
export async function withImportFile(
  stack: Stack,
  content: ImportFile,
  typed: Pick<ImportArguments, "file" | "apply" | "force">,
  standing: Standing,
  screen: Screen,
): Promise<boolean> {
  try {
    return await importedBy(stack, content, typed, standing, screen);
  } catch (error) {
    if (error instanceof CommandFailure) throw await standing.failure(error);
    throw error;
  }
}

async function importedBy(
  stack: Stack,
  content: ImportFile,
  typed: Pick<ImportArguments, "file" | "apply" | "force">,
  standing: Standing,
  screen: Screen,
): Promise<boolean> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  if (typed.file !== undefined || !typed.apply) {
    const file = writeImportFile(typed.file ?? "tracking-import.json", text, typed.force === true);
    if (typed.apply) await runImport(stack, file, content, standing, screen);
    else screen.tell(`${file}: nothing is imported yet. To do it, run: ${commandFor(stack, file)}`);
    return typed.apply === true;
  }
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "import.json");
    await writeFile(file, text);
    await runImport(stack, file, content, standing, screen);
  });
  return true;
}

/** Writes the file for `pulumi import` under this name, or the next one that is free, and gives back which. */
function writeImportFile(wanted: string, text: string, force: boolean): string {
  for (const file of namesFrom(wanted)) {
    const before = textIn(file);
    if (before === text) return file;
    if (before !== undefined && !force) continue;
    replaceText(file, before, text);
    return file;
  }
  throw new Error("there is always a name that is free");
}

/** The same as a person types it. */
function commandFor({ name }: Stack, file: string): string {
  const of = name === undefined ? [] : ["--stack", word(name)];
  return ["pulumi", "import", "--file", word(file), ...OPTIONS, ...of].join(" ");
}

async function runImport(
  stack: Stack,
  file: string,
  { resources }: ImportFile,
  standing: Standing,
  screen: Screen,
): Promise<void> {
  const total = resources.filter(({ id }) => id !== undefined).length;
  const bar = await progress("Importing", total, screen);
  let done = 0;
  let rest = "";
  standing.imports(resources);
  try {
    await withTemporaryFolder((outputFolder) =>
      stack.must(["import", "--file", file, ...OPTIONS, "--yes", "--skip-preview"], {
        outputFolder,
        env: ONE_CHECKPOINT,
        // Before its first and after its last resource the engine does not listen, and would leave its lock behind.
        mayStop: () => done > 0 && done < total,
        hear: (text) => {
          const lines = `${rest}${text}`.split("\n");
          rest = lines.pop() ?? "";
          const more = lines.filter((line) => IMPORTED.test(line)).length;
          done += more;
          bar.advance(more);
        },
      }),
    );
    standing.imported();
  } finally {
    bar.end();
  }
}
