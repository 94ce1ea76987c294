import { rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { holdsText, writeNewFile } from "../new-file";
import type { ImportFile } from "../pulumi/json-output";
import { withTemporaryFolder } from "../pulumi/process";
import { shellQuote } from "../shell-quote";
import type { ImportRun } from "./run";

/**
 * The engine writes the state once, at the end, and not the whole of it after each record. An import creates nothing on the
 * service, so a state that is never written loses nothing.
 */
const ONE_CHECKPOINT = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
const DEFAULT_FILE = "tracking-import.json";

/**
 * With `--apply`, runs `pulumi import`; without it, writes the file for that command and prints the command. Everything is
 * imported protected, so that nothing is deleted before a program declares it; from the next `up` on, the program decides.
 *
 * @param out the file for the engine's own program; without it, the engine writes none
 */
export async function importOrWriteFile(content: ImportFile, run: ImportRun, out?: string): Promise<void> {
  const { folder, stack, print } = run;
  const { file, apply } = run.options;
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  // The program that the engine writes for our Node.js classes imports a package that does not exist: it knows plugins only.
  const program = out === undefined ? ["--generate-code=false"] : ["--out", out];
  const isKept = !apply || file !== undefined;
  const written = isKept ? writeNewFile(resolve(folder, file ?? DEFAULT_FILE), text) : undefined;
  if (!apply && written !== undefined) {
    const ofStack = stack.name === undefined ? [] : ["--stack", stack.name];
    const path = relative(folder, written);
    const command = ["import", "--file", path, ...program, ...ofStack].map(shellQuote).join(" ");
    print(`${path}: nothing is imported yet. To import, run: pulumi ${command}`);
    return;
  }
  await withTemporaryFolder(async (temporary) => {
    const imported = written ?? join(temporary, "import.json");
    if (written === undefined) writeFileSync(imported, text);
    const total = content.resources.filter(({ id }) => id !== undefined).length;
    print(`Importing ${total} ...`);
    await stack.runOrThrow(["import", "--file", imported, ...program, "--yes", "--skip-preview"], {
      outputFile: join(temporary, "output"),
      env: ONE_CHECKPOINT,
      onWait: () => print("Waiting for the end of pulumi import; interrupt again to stop it at once."),
    });
  });
  // The file that a run without --apply wrote for the same import has served.
  const before = resolve(folder, DEFAULT_FILE);
  if (!isKept && holdsText(before, text)) rmSync(before);
}
