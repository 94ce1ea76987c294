import { createHash } from "node:crypto";
import {
  appendFileSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Entry, Event, Journal } from "../lifecycle/journal";

/** How often who waits looks for what others told, in milliseconds. */
const LOOK = 20;
/** Journals that nobody has written for so many milliseconds are of runs that have ended. */
const OLD = 24 * 3600 * 1000;

/** The journal of one process alone: where there is no engine, or no folder that others could see. */
export function ownJournal(): Journal {
  const told: Event[] = [];
  let seen = 0;
  return {
    writer: "this",
    append: (event) => void told.push(event),
    read: () => {
      const entries = told.slice(seen).map((event): Entry => ({ event, writer: "this" }));
      seen = told.length;
      return entries;
    },
    isAlive: () => true,
    changed: (silence) => {
      const before = seen;
      return until(() => told.length > before, silence);
    },
  };
}

/**
 * The journal of the run that the engine of this address is in: one file, to which every process appends a line an
 * event. The system appends whole lines, one after the other, so all processes see one order, and who comes first in
 * it comes first for everyone: that takes no lock and no server, and each line is read once. There is no secret in it.
 *
 * @throws where the folder can't be made, or others may write in it
 */
export function runJournal(address: string, folder = ownFolder()): Journal {
  assertPrivate(folder);
  sweep(folder);
  const file = join(folder, createHash("sha256").update(address).digest("hex").slice(0, 32));
  appendFileSync(file, "", { mode: 0o600 });
  const writer = `${process.pid} ${process.ppid}`;
  let offset = 0;
  let begun = Buffer.alloc(0);
  let opened: number | undefined;
  // Who reads does so for each event, and keeps it open; who only tells may be the program of many runs.
  const open = () => {
    opened ??= openSync(file, "a+", 0o600);
    return opened;
  };
  return {
    writer,
    append: (event) => appendFileSync(opened ?? file, `${JSON.stringify({ event, writer })}\n`),
    read: () => {
      const news = readFrom(open(), offset);
      offset += news.length;
      const bytes = Buffer.concat([begun, news]);
      // The last line may still be on its way.
      const end = bytes.lastIndexOf("\n") + 1;
      begun = bytes.subarray(end);
      const lines = bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line) as Entry);
    },
    // A program ends before its engine does, but the process that runs it for the engine does not.
    isAlive: (other) => other === writer || other.split(" ").some((pid) => isRunning(Number(pid))),
    // Several wait in one process: what one of them has read is news for the others too.
    changed: (silence) => {
      const before = offset;
      return until(() => fstatSync(open()).size > before, silence);
    },
  };
}

function readFrom(file: number, offset: number): Buffer {
  const size = fstatSync(file).size - offset;
  if (size <= 0) return Buffer.alloc(0);
  const bytes = Buffer.alloc(size);
  return bytes.subarray(0, readSync(file, bytes, 0, size, offset));
}

function ownFolder(): string {
  const user = process.getuid?.() ?? userInfo().username.replace(/\W/g, "");
  const folder = join(tmpdir(), `pulumi-tracking-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Temporary folders are everybody's: somebody else may have made this one, or a link in its place. */
function assertPrivate(folder: string): void {
  // Not from `userInfo`, which fails where the user has no name, as in many containers.
  const uid = process.getuid?.();
  const found = lstatSync(folder);
  const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0);
  if (!found.isDirectory() || !isOwn) throw new Error(`${folder} is not a folder of this user alone`);
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > OLD) rmSync(file, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is one too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function until(done: () => boolean, limit: number): Promise<boolean> {
  for (let waited = 0; waited < limit; waited += LOOK) {
    if (done()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
  return done();
}
