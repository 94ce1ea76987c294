import { readFileSync } from "node:fs";
import { CommandFailure } from "../failure";

/** A file's text, without the byte order mark that some editors write. */
export function readText(file: string): string {
  return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
}

/** Parses a file. Throws a `CommandFailure` if it can't be read. */
export function parseFile(file: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(readText(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new CommandFailure(`${file} can't be read: ${reason}`, "Correct it, and run this again");
  }
}

/** A property of a parsed value, or nothing if the value is no object. */
export function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
