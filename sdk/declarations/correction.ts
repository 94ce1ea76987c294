import { type Validatable, validate } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";
import { suggest } from "../../provider/suggest";
import type { FileField } from "./fields";

/** Whether a field takes a value. */
export function takes(field: Validatable, value: unknown): boolean {
  return validate("", { it: field }, { it: value }).failures.length === 0;
}

/** What to write instead of a text that a field does not take, if that can be guessed. */
export function suggestCorrection(field: FileField, text: string, quoted = false): string {
  const truth = booleanIn(text);
  if (truth !== undefined && takes(field, truth))
    return quoted
      ? `; write ${truth} without quotes`
      : `; ${/^\d$/.test(text) ? "" : "in YAML 1.2 that is text: "}write ${truth}`;
  const options: unknown = Reflect.get(field.validator(zod()), "options");
  const words = Array.isArray(options) ? options.filter((each) => typeof each === "string") : [];
  const kebab = text
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, "-");
  const word = words.find((each) => each === kebab || field.encode?.(each) === text);
  if (word !== undefined) return `; write ${word}`;
  if (words.length > 0) return suggest(text, words);
  const unquoted = text.replace(/^["']|["']$/g, "");
  const host = text.replace(/^\w*:?\/\//, "").replace(/[/:?#].*$/s, "");
  const fromFirstLetter = text.replace(/^[^\p{L}\p{N}]+/u, "");
  const other = [unquoted, host, fromFirstLetter].find((each) => takes(field, each));
  return other === undefined || other === text ? "" : `; write ${other}`;
}

/** What YAML 1.1, and people, take for true and false. */
function booleanIn(text: string): boolean | undefined {
  if (/^(y|yes|on|true|1)$/i.test(text)) return true;
  return /^(n|no|off|false|0)$/i.test(text) ? false : undefined;
}

/** The entries that somebody meant who wrote a list as one text. */
export function entriesIn(text: string): string[] {
  return text
    .replace(/^[[\s]+|[\]\s]+$/g, "")
    .split(/[\s,;]+/)
    .filter((each) => each !== "");
}
