import { hash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { LifecycleError } from "../lifecycle/errors";
import { type Entry, type Exchange, Ledger } from "../lifecycle/ledger";
import { isRunning, parentId } from "./engine";
import { parseUrn } from "./urn";

/** The version of the entries' form. Processes with another version use another file. */
const VERSION = 13;
/** A file that nobody has written for so long belongs to a run that has ended. */
const MAX_AGE_MS = 24 * 3600 * 1000;
/** Looking at the files of eight thousand runs, as a CI machine has in a day, takes 0.1 s: too long for each of them. */
const SWEEP_INTERVAL_MS = 3600 * 1000;

/** One folder for all versions, so that each sweeps what another has left. */
function ownFolder(): string {
  const user = process.getuid?.() ?? userInfo().username.replace(/\W/g, "");
  return join(tmpdir(), `pulumi-tracking-${user}`);
}

/** Everybody can write to a temporary folder: somebody else may have made this one, or a link in its place. */
function assertPrivate(folder: string): void {
  // Not from `userInfo`, which fails if the user has no name, as in many containers.
  const uid = process.getuid?.();
  const found = fs.lstatSync(folder);
  const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
  if (!found.isDirectory() || !isOwn) throw new Error("its folder is not private to this user");
}

/** `undefined` if there is no such file: another process may have swept it, or may be making it now. */
function ageOf(file: string): number | undefined {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found && Date.now() - found.mtimeMs;
}

/** Removes the files of runs that have ended. The first process in an hour does it, and notes that in the file `swept`. */
function sweep(folder: string): void {
  const swept = join(folder, "swept");
  if ((ageOf(swept) ?? Number.POSITIVE_INFINITY) < SWEEP_INTERVAL_MS) return;
  fs.writeFileSync(swept, "", { mode: 0o600 });
  for (const name of fs.readdirSync(folder)) {
    const file = join(folder, name);
    if ((ageOf(file) ?? 0) > MAX_AGE_MS) fs.rmSync(file, { force: true });
  }
}

/**
 * The file of one run, to which every process appends one line per entry. The system appends whole lines one after the
 * other, so all processes see one order. Addresses recur, so a line counts only while the process that started its
 * writer lives: else a run would take the entries of yesterday's run at the same port for its own.
 */
export function runFile(address: string, { folder = ownFolder(), parent = parentId() } = {}): Exchange {
  const path = join(folder, hash("sha256", `${VERSION} ${address}`).slice(0, 32));
  const isLiving = new Map([[parent, true]]);
  let file: number | undefined;
  let offset = 0;

  function open(): number {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    assertPrivate(folder);
    sweep(folder);
    return fs.openSync(path, "a+", 0o600);
  }

  function parse(line: string): Entry[] {
    const { parent: writer, ...entry } = JSON.parse(line) as Entry & { parent: string };
    if (!isLiving.has(writer)) isLiving.set(writer, isRunning(writer));
    return isLiving.get(writer) ? [entry] : [];
  }

  function read(file: number): Entry[] {
    const { size, nlink } = fs.fstatSync(file);
    if (nlink === 0) throw new Error("it was removed");
    const news = Buffer.alloc(size - offset);
    fs.readSync(file, news, 0, news.length, offset);
    // The last line may not be complete yet.
    const end = news.lastIndexOf("\n") + 1;
    offset += end;
    const lines = news.toString("utf8", 0, end).split("\n");
    return lines.filter((line) => line !== "").flatMap(parse);
  }

  return (entry) => {
    try {
      file ??= open();
      const line = Buffer.from(`${JSON.stringify({ parent, ...entry })}\n`);
      if (fs.writeSync(file, line) < line.length) throw new Error("a line was only partly written");
      return read(file);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new LifecycleError(
        `the temporary file ${path} can't be used (${reason})`,
        "Free disk space, or set TMPDIR to a folder that only you can write to, and run the same command again",
      );
    }
  };
}

/** The ledger of the run of the engine at this address, or without an address, of this process alone. */
export function ledgerAt(address: string | undefined): Ledger {
  const exchange: Exchange = address === undefined ? (entry) => [entry] : runFile(address);
  return new Ledger(exchange, (urn) => parseUrn(urn).name);
}
