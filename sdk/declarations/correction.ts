import type { ZodType } from "zod";
import type { Field } from "../../provider/schema/field";
import { type Validatable, validate } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";
import { suggest } from "../../provider/suggest";

/** A field that can tell what a value of it may be. */
type CorrectableField = Validatable & Partial<Pick<Field<unknown>, "encode">>;

/** The sentence about a value that a field does not take; of a secret's, without the value. */
export function invalidReason(name: string, field: Validatable, value: unknown): string | undefined {
  return validate("", { [name]: field }, { [name]: value }).failures[0]?.text;
}

/** What to write instead of a text that a field does not take, where that can be told. */
export function suggestCorrection(field: CorrectableField, text: string, quoted = false): string {
  const truth = booleanIn(text);
  if (truth !== undefined && isValid(field, truth))
    return quoted
      ? `; write ${truth} without quotes`
      : `; ${/^\d$/.test(text) ? "" : "in YAML 1.2 that is text: "}write ${truth}`;
  const words = choicesOf(field.validator(zod()));
  const word = words.find((each) => each === kebab(text) || field.encode?.(each) === text);
  if (word !== undefined) return `; write ${word}`;
  if (words.length > 0) return suggest(text, words);
  const other = [unquoted, hostOf, fromFirstLetter]
    .map((turn) => turn(text))
    .find((each) => isValid(field, each));
  return other === undefined || other === text ? "" : `; write ${other}`;
}

/** The entries that somebody meant who wrote a list as one text. */
export function entriesIn(text: string): string[] {
  return text
    .replace(/^[[\s]+|[\]\s]+$/g, "")
    .split(/[\s,;]+/)
    .filter((each) => each !== "");
}

function isValid(field: Validatable, value: unknown): boolean {
  return invalidReason("it", field, value) === undefined;
}

/** What YAML 1.1, and people, take for true and false. */
function booleanIn(text: string): boolean | undefined {
  if (/^(y|yes|on|true|1)$/i.test(text)) return true;
  return /^(n|no|off|false|0)$/i.test(text) ? false : undefined;
}

/** The words of a choice. */
function choicesOf(shape: ZodType): string[] {
  const options: unknown = Reflect.get(shape, "options");
  return Array.isArray(options) ? options.filter((each) => typeof each === "string") : [];
}

function kebab(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, "-");
}

function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, "");
}

function hostOf(text: string): string {
  return text.replace(/^\w*:?\/\//, "").replace(/[/:?#].*$/s, "");
}

function fromFirstLetter(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+/u, "");
}
