import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { CommandFailure } from "../failure";
import { readText } from "../pulumi/parse-file";

/** The text of a file, or nothing if it does not exist. */
export function readIfExists(file: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new CommandFailure(`${file} can't be read (${codeOf(error)})`, "Correct it, and run this again");
  }
}

/**
 * Writes a new file of this name or, if it is taken, the next one: `tracking.ts`, `tracking-2.ts`, and so on. Returns
 * which. One that already has this text is taken as written, so that a command that is run again finds its file.
 */
export function writeNewFile(wanted: string, text: string): string {
  for (let count = 1; ; count += 1) {
    const file = nameOf(wanted, count);
    try {
      writeFileSync(file, text, { flag: "wx" });
      return file;
    } catch (error) {
      if (codeOf(error) !== "EEXIST")
        throw new CommandFailure(
          `${file} can't be written (${codeOf(error)})`,
          "Choose a name that can be written",
        );
      if (hasText(file, text)) return file;
    }
  }
}

/** The files of this name and the next ones that exist, and the first name that is free. */
export function existingNames(wanted: string): { readonly taken: readonly string[]; readonly free: string } {
  const taken: string[] = [];
  for (let count = 1; ; count += 1) {
    const file = nameOf(wanted, count);
    if (!existsSync(file)) return { taken, free: file };
    taken.push(file);
  }
}

function nameOf(file: string, count: number): string {
  const kind = extname(file);
  return count === 1 ? file : `${file.slice(0, file.length - kind.length)}-${count}${kind}`;
}

function hasText(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8") === text;
  } catch {
    // A folder, or not readable: not ours.
    return false;
  }
}

/** Replaces a file atomically, unless somebody changed it after it was read. */
export function replaceFile(file: string, before: string, after: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  if (readIfExists(file) !== before)
    throw new CommandFailure(`${file} was changed meanwhile`, "Run this again");
  try {
    writeFileSync(temporary, after, { flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    throw new CommandFailure(
      `${file} can't be written (${codeOf(error)})`,
      "Make it writable, and run this again",
    );
  } finally {
    rmSync(temporary, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
