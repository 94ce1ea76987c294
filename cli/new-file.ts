import { lstatSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { CommandFailure } from "./failure";

/** Whether there is a file with exactly this text. */
export function holdsText(file: string, text: string): boolean {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && readFileSync(file, "utf8") === text;
}

/**
 * Returns the first of `tracking.ts`, `tracking-2.ts`, … that is free, or whose file has this text already. A broken link takes
 * its name too: a write to it fails.
 */
export function freeName(path: string, text?: string): string {
  const extension = extname(path);
  let free = path;
  for (
    let count = 2;
    lstatSync(free, { throwIfNoEntry: false }) && !(text !== undefined && holdsText(free, text));
    count += 1
  )
    free = `${path.slice(0, path.length - extension.length)}-${count}${extension}`;
  return free;
}

/** Writes a file that the user named. Throws a `CommandFailure` if it can't be written. */
export function writeOrFail(file: string, text: string, flag: "w" | "wx"): void {
  try {
    writeFileSync(file, text, { flag });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new CommandFailure(`${file} can't be written: ${reason}`, "Choose a name that can be written");
  }
}

/** Writes a new file under the first free name, unless it is there with the same text. Returns its name. */
export function writeNewFile(path: string, text: string): string {
  const file = freeName(path, text);
  if (!lstatSync(file, { throwIfNoEntry: false })) writeOrFail(file, text, "wx");
  return file;
}
