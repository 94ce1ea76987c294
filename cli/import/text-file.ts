import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { CommandFailure } from "../failure";

/** A file's text, without the byte order mark that some editors put in front. */
export function readText(file: string): string {
  return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
}

/** The text of a file, or nothing where there is none. */
export function readIfExists(file: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw fileFailure(file, error);
  }
}

/** A name, and those that come next where it is taken: `tracking.ts`, `tracking-2.ts`, and so on. */
export function* candidateNames(file: string): Generator<string> {
  yield file;
  const kind = extname(file);
  for (let count = 2; ; count += 1) yield `${file.slice(0, file.length - kind.length)}-${count}${kind}`;
}

/**
 * Writes a file as a whole or not at all, and only where it still holds what it held when it was read; gives back
 * what undoes that, as long as nobody else has changed it since.
 *
 * @param before what it held; nothing: there was no such file
 */
export function replaceFile(file: string, before: string | undefined, after: string): () => void {
  const fresh = `${file}.${process.pid}.tmp`;
  const put = (text: string, expected: string | undefined) => {
    if (readIfExists(file) !== expected) throw changedMeanwhile(file);
    writeFileSync(fresh, text, { flag: "wx" });
    try {
      // A link fails where the name has been taken meanwhile.
      if (expected === undefined) linkSync(fresh, file);
      else renameSync(fresh, file);
    } finally {
      rmSync(fresh, { force: true });
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
  return new CommandFailure(`${file} was changed meanwhile`, "Run this again.");
}

function fileFailure(file: string, error: unknown): CommandFailure {
  return codeOf(error) === "EEXIST"
    ? changedMeanwhile(file)
    : new CommandFailure(`${file} can't be written (${codeOf(error)})`, "Give a name that can be written.");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
