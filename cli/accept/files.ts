import {
  chmodSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { sanitize } from "../../provider/api/redact";
import { catalogue } from "../../provider/resources";
import type { Declaration } from "../../sdk/declarations/declaration";
import type { TextFile } from "../../sdk/declarations/document";
import { declarationsIn, type Edit, type Edited, editDeclarations } from "../../sdk/declarations/edit";
import { CommandFailure } from "../failure";
import { hunksOf } from "./diff";

const AGAIN = "run this again";

/** A file, as it was read and as it is to be. */
export interface Change {
  /** Its absolute path. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The text of a file that a program has read. */
export function readText(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    throw new CommandFailure(`${file} can't be read: ${reasonOf(error)}`, `Correct it, and ${AGAIN}`);
  }
}

/** Throws a `CommandFailure` with the first mistake in files. */
function orFail<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const [first = "", second] = reasonOf(error).split("\n");
    throw new CommandFailure(sanitize(second ?? first), `Correct it, and ${AGAIN}; nothing was written`);
  }
}

/** Edits files that share their lists and defaults. Throws a `CommandFailure` with the first mistake in them. */
export function editOrFail<E extends Edit>(texts: readonly TextFile[], edits: readonly E[]): Edited<E> {
  return orFail(() => editDeclarations(texts, catalogue, edits));
}

/** What such files declare, by path. Throws likewise. */
export function declaredIn(texts: readonly TextFile[]): ReadonlyMap<string, Declaration> {
  return orFail(() => declarationsIn(texts, catalogue));
}

const isIn = (folder: string, path: string) => {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
};

/** Where a file really is. Refuses a link that leads out of the project: its text belongs to somebody else. */
function placeOf(file: string, project: string): string {
  const place = realpathSync(file);
  if (isIn(project, file) && !isIn(realpathSync(project), place))
    throw new CommandFailure(
      `${file} is a link to ${place}, which is not in the project; nothing was written`,
      "Change that file by hand",
    );
  return place;
}

/** Refuses what has changed since it was read, or may not be written. As the superuser, each file could be. */
function requireWritable({ file, before }: Change, place: string): void {
  if (readText(place) !== before)
    throw new CommandFailure(`${file} has changed meanwhile; nothing was written`, AGAIN);
  if ((statSync(place).mode & 0o222) === 0)
    throw new CommandFailure(
      `${file} can't be written: it is read-only; nothing was written`,
      `Make it writable, and ${AGAIN}`,
    );
}

/** Writes all files, each as a whole: beside it at first, and then in its place. Throws before the first if one can't be. */
export function writeChanges(changes: readonly Change[], project: string): void {
  const places = changes.map((change) => ({ ...change, place: placeOf(change.file, project) }));
  for (const { place, ...change } of places) requireWritable(change, place);
  const beside = (place: string) => join(dirname(place), `.${process.pid}.accept`);
  const written: string[] = [];
  try {
    for (const [at, { place, after }] of places.entries()) {
      const temporary = `${beside(place)}.${at}`;
      writeFileSync(temporary, after, { flag: "wx", mode: 0o600 });
      written.push(temporary);
      // Not when it is made, since then a umask takes from it.
      chmodSync(temporary, lstatSync(place).mode);
    }
  } catch (error) {
    for (const temporary of written) rmSync(temporary, { force: true });
    throw new CommandFailure(
      `Nothing was written: ${reasonOf(error)}`,
      `Make the folder writable, and ${AGAIN}`,
    );
  }
  for (const [at, { place }] of places.entries()) renameSync(`${beside(place)}.${at}`, place);
}

/** A change as `git diff` shows it. */
export async function diffOf({ file, before, after }: Change, folder: string): Promise<string> {
  const name = relative(folder, file).split("\\").join("/");
  const hunks = await hunksOf(before, after);
  return `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n${hunks}`;
}
