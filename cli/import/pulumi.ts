import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../failure";
import type { ImportArguments } from "../import";
import { progress, type Screen } from "../progress";
import type { Stack } from "../pulumi/stack";
import { word } from "../word";
import type { ImportFile } from "./entry";
import { withTemporaryFolder } from "./temporary";

/** The engine's own code would not name these classes, and whether to protect is the program's word. */
const OPTIONS = ["--generate-code=false", "--protect=false"];
/** How the engine says that it has one more. */
const IMPORTED = / imported \(/g;
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
  screen: Screen,
): Promise<boolean> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  if (typed.file !== undefined || !typed.apply) {
    const file = typed.file ?? "tracking-import.json";
    await writeNew(file, text, typed.force === true);
    if (typed.apply) await runImport(stack, file, content, screen);
    else screen.tell(`${file}: nothing is imported yet. To do it, run: ${commandFor(stack, file)}`);
    return typed.apply === true;
  }
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, "import.json");
    await writeFile(file, text);
    await runImport(stack, file, content, screen);
  });
  return true;
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
  screen: Screen,
): Promise<void> {
  const bar = await progress("Importing", resources.filter(({ id }) => id !== undefined).length, screen);
  try {
    await stack.must(["import", "--file", file, ...OPTIONS, "--yes", "--skip-preview"], {
      hear: (text) => bar.advance(text.match(IMPORTED)?.length ?? 0),
    });
  } finally {
    bar.end();
  }
}

/** Protects resources in state, as the program does; a command line holds only so many. */
export async function protectAll(stack: Stack, urns: readonly string[]): Promise<void> {
  for (let from = 0; from < urns.length; from += 200)
    await stack.must(["state", "protect", ...urns.slice(from, from + 200), "--yes"]);
}
