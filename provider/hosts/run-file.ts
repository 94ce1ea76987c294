import { createHash } from "node:crypto";
import {
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { type Entry, Ledger, type RunFile } from "../lifecycle";
import { engineId, isRunning } from "./engine";

/** The version of the entries' form. Processes with another version use another folder. */
const VERSION = 1;
/** In bytes. A run of 10,000 resources writes about 5 MB. */
const LARGEST = 64 * 1024 * 1024;
/** In milliseconds. A file that nobody has written for so long belongs to a run that has ended. */
const OLD = 24 * 3600 * 1000;

/** The ledger of the run of the engine at this address, or without an address, of this process alone. */
export function ledgerAt(address: string | undefined, warn: (text: string) => void): Ledger {
  return new Ledger(address === undefined ? ownEntries() : runFile(address, warn));
}

/** The entries of one process alone. */
export function ownEntries(): RunFile {
  const entries: Entry[] = [];
  return { writer: "this", append: (entry) => void entries.push(entry), read: () => entries.splice(0) };
}

/**
 * The file of one run, to which every process appends one line per entry. The system appends whole lines one after the
 * other, so all processes see one order. Addresses recur, so a line counts only while its engine lives. A process reads
 * only what others have written.
 *
 * @param warn reports a broken line
 */
export function runFile(
  address: string,
  warn: (text: string) => void,
  { folder = ownFolder(), engine = engineId(), writer = `${process.pid}` } = {},
): RunFile {
  const path = join(folder, createHash("sha256").update(address).digest("hex").slice(0, 32));
  const living = new Map([[engine, true]]);
  let file: number | undefined;
  let offset = 0;
  let begun = Buffer.alloc(0);
  let own: Entry[] = [];
  return { writer, append: (entry) => using(() => append(entry)), read: () => using(read) };

  function append(entry: Entry): void {
    // The first line break ends a line that was only partly written.
    const line = Buffer.from(`\n${JSON.stringify({ engine, ...entry })}\n`);
    if (writeSync(open(), line) < line.length) throw new Error("a line was only partly written");
    // Nobody else has written since the last read.
    if (fstatSync(open()).size !== offset + line.length) return;
    offset += line.length;
    own.push(entry);
  }

  function read(): Entry[] {
    const { size, nlink } = fstatSync(open());
    if (nlink === 0) throw new Error("it was removed");
    if (size > LARGEST) throw new Error(`it has more than ${LARGEST} bytes`);
    const entries = own;
    own = [];
    if (size === offset) return entries;
    const news = Buffer.alloc(size - offset);
    offset += readSync(open(), news, 0, news.length, offset);
    const bytes = Buffer.concat([begun, news]);
    // The last line may not be complete yet.
    const end = bytes.lastIndexOf("\n") + 1;
    begun = bytes.subarray(end);
    const lines = bytes.toString("utf8", 0, end).split("\n");
    return [...entries, ...lines.filter((line) => line !== "").flatMap(parse)];
  }

  function parse(line: string): Entry[] {
    try {
      const { engine: of, ...entry } = JSON.parse(line) as Entry & { engine: string };
      if (!living.has(of)) living.set(of, isRunning(of));
      return living.get(of) ? [entry] : [];
    } catch {
      warn(`skipped a broken line of ${path}`);
      return [];
    }
  }

  function open(): number {
    if (file !== undefined) return file;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    assertPrivate(folder);
    sweep(folder);
    file = openSync(path, "a+", 0o600);
    return file;
  }

  function using<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `the run's file ${path} can't be used (${reason}); make room there, or set TMPDIR to a private folder, and run the same command again`,
      );
    }
  }
}

function ownFolder(): string {
  const user = process.getuid?.() ?? userInfo().username.replace(/\W/g, "");
  return join(tmpdir(), `pulumi-tracking-${user}-${VERSION}`);
}

/** Everybody can write to a temporary folder: somebody else may have made this one, or a link in its place. */
function assertPrivate(folder: string): void {
  // Not from `userInfo`, which fails if the user has no name, as in many containers.
  const uid = process.getuid?.();
  const found = lstatSync(folder);
  const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
  if (!found.isDirectory() || !isOwn) throw new Error("its folder is not private to this user");
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > OLD) rmSync(file, { force: true });
  }
}
