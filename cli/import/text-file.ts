import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { CommandFailure } from "../failure";
import { readText } from "../pulumi/parse-file";

/** The text of a file, or nothing if it does not exist. */
export function readIfExists(file: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw fileFailure(file, error);
  }
}

/** A name, and the next ones to try if it is taken: `tracking.ts`, `tracking-2.ts`, and so on; a module of Python has no hyphen. */
export function* candidateNames(file: string): Generator<string> {
  yield file;
  const kind = extname(file);
  const joint = kind === ".py" ? "_" : "-";
  for (let count = 2; ; count += 1)
    yield `${file.slice(0, file.length - kind.length)}${joint}${count}${kind}`;
}

/**
 * Replaces a file atomically, unless somebody changed it after it was read. Returns a function that undoes this,
 * unless somebody has changed the file since.
 *
 * @param before its text when it was read; `undefined` if it did not exist
 */
export function replaceFile(file: string, before: string | undefined, after: string): () => void {
  const temporary = `${file}.${process.pid}.tmp`;
  const put = (text: string, expected: string | undefined) => {
    if (readIfExists(file) !== expected) throw changedMeanwhile(file);
    writeFileSync(temporary, text, { flag: "wx" });
    try {
      // A link fails if the file has been created meanwhile.
      if (expected === undefined) linkSync(temporary, file);
      else renameSync(temporary, file);
    } finally {
      rmSync(temporary, { force: true });
    }
  };
  try {
    put(after, before);
  } catch (error) {
    throw error instanceof CommandFailure ? error : fileFailure(file, error);
  }
  return () => {
    if (readIfExists(file) !== after) return;
    if (before === undefined) rmSync(file);
    else put(before, after);
  };
}

function changedMeanwhile(file: string): CommandFailure {
  return new CommandFailure(`${file} was changed meanwhile`, "Run this again");
}

function fileFailure(file: string, error: unknown): CommandFailure {
  return codeOf(error) === "EEXIST"
    ? changedMeanwhile(file)
    : new CommandFailure(`${file} can't be written (${codeOf(error)})`, "Choose a name that can be written");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
