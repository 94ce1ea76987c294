import { catalogue } from "../../resources";
import { lookups } from "./functions";

/** The argument that protects a record with everything that is deleted with it. The service does not know it. */
export const PROTECTION = "deletionProtection";
/** Pulumi's options that messages name. */
const OPTIONS = ["deleteBeforeReplace", "ignoreChanges", "retainOnDelete"];

const names = [...catalogue, ...lookups].flatMap(({ inputs }) => Object.keys(inputs));
const long = [PROTECTION, ...OPTIONS, ...names].filter((name) => /[A-Z]/.test(name));
/** Not within quotes, where a name may be a value, nor in a setting's key. */
const NAMED = new RegExp(`(?<![\\w":])(${[...new Set(long)].join("|")})(?:: (true|false))?(?![\\w"])`, "g");

/** Where people are to write true or false. */
const WRITTEN = /; write (true|false)(?=$|\n)/g;
const PYTHON: Readonly<Record<string, string>> = { true: "True", false: "False" };

/**
 * A message with Python's spelling after the first mention of each name: the engine does not tell a plugin in which
 * language the program is.
 */
export function spelled(message: string): string {
  const seen = new Set<string>();
  const worded = message.replace(WRITTEN, (text, word: string) => `${text} (in Python ${PYTHON[word]})`);
  return worded.replace(NAMED, (text, name: string, value?: string) => {
    if (seen.has(name)) return text;
    seen.add(name);
    const given = value === undefined ? "" : `=${PYTHON[value]}`;
    return `${text} (in Python ${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${given})`;
  });
}
