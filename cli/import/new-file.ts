import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { CommandFailure } from "../failure";

/** The files that exist of `tracking.ts`, `tracking-2.ts`, and so on, and the first name that is free. */
export function existingNames(wanted: string): { readonly taken: readonly string[]; readonly free: string } {
  const kind = extname(wanted);
  const taken: string[] = [];
  let free = wanted;
  while (existsSync(free)) {
    taken.push(free);
    free = `${wanted.slice(0, wanted.length - kind.length)}-${taken.length + 1}${kind}`;
  }
  return { taken, free };
}

/**
 * Writes a new file under the first free name. Returns which. One that already has this text is taken as written, so
 * that a command that is run again finds its file.
 */
export function writeNewFile(wanted: string, text: string): string {
  const { taken, free } = existingNames(wanted);
  const same = taken.find((each) => statSync(each).isFile() && readFileSync(each, "utf8") === text);
  if (same !== undefined) return same;
  try {
    writeFileSync(free, text, { flag: "wx" });
    return free;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${free} can't be written: ${reason}`, "Choose a name that can be written");
  }
}
