import { type Field, withDefault } from "./field";
import { format } from "./format";
import { flag } from "./kinds";
import { type Fields, type Resource, UNKNOWN, type Values } from "./resource";
import { suggest } from "./suggest";
import { zod } from "./zod";

/** One mistake in a program's arguments. */
export interface Mistake {
  readonly argument: string;
  /** The place in the argument's list, if one entry is wrong. */
  readonly index?: number;
  /** An existing record may keep it: one that has this value already, or what only a new one needs. */
  readonly lenient?: boolean;
  /** One sentence for people. */
  readonly text: string;
}

/** A program's arguments with defaults filled in, and all mistakes in them. */
interface Validated {
  readonly values: Values;
  readonly mistakes: Mistake[];
}

/** The argument that every resource has, beside its fields. */
export const adoptField = withDefault(flag(), false);

const validators = new WeakMap<Field<unknown>, ReturnType<Field<unknown>["validator"]>>();

/** A field's schema, built once: building it takes longer than one validation. */
function validatorOf(field: Field<unknown>): ReturnType<Field<unknown>["validator"]> {
  const made = validators.get(field) ?? field.validator(zod());
  validators.set(field, made);
  return made;
}

/** The invalid parts of a value, each with its place if it is an entry of a list. */
function invalidParts(field: Field<unknown>, value: unknown): [number | undefined, unknown][] {
  const issues = validatorOf(field).safeParse(value).error?.issues ?? [];
  const parts = new Map(
    issues.map(({ path: [at] }) =>
      Array.isArray(value) && typeof at === "number" ? [at, value[at]] : [undefined, value],
    ),
  );
  return [...parts].filter(([, part]) => part !== UNKNOWN);
}

/** A part for a message. A list or an object may be too large for one, or contain a secret. */
function formatPart(field: Field<unknown>, part: unknown): string {
  if (field.secret || typeof part !== "object" || part === null) return format(field, part);
  return Array.isArray(part) ? "a list" : "an object";
}

/** The word that was probably meant, or that it is text: YAML reads the digits of an id as a number. */
function suggestion(field: Field<unknown>, part: unknown, index: number | undefined): string {
  if (typeof part === "string") return suggest(part, field.words ?? []);
  if (typeof part !== "number" && typeof part !== "boolean") return "";
  const text = index === undefined ? String(part) : [String(part)];
  return validatorOf(field).safeParse(text).success ? "; put it in quotes" : "";
}

/** What is wrong with an argument: each wrong entry of a list, or the whole. */
function wrongParts(argument: string, field: Field<unknown>, value: unknown): Mistake[] {
  return invalidParts(field, value).map(([index, part]) => {
    const isQuotable = typeof part !== "string" || field.isQuotable?.(part) !== false;
    const found = isQuotable ? `, not ${formatPart(field, part)}${suggestion(field, part, index)}` : "";
    return {
      argument,
      ...(index !== undefined && { index }),
      ...(field.lenient && typeof value === "string" && { lenient: true }),
      text: `${argument} must be ${field.expected}${found}`,
    };
  });
}

/**
 * Validates arguments by their fields and fills in defaults.
 *
 * @param owner whose arguments they are, for messages
 * @param olds values that always pass
 * @param what the names are, for messages
 */
export function validate(
  owner: string,
  fields: Fields,
  news: Values,
  olds: Values = {},
  what = "argument",
): Validated {
  const names = Object.keys(fields);
  const mistakes: Mistake[] = Object.keys(news)
    .filter((name) => !names.includes(name) && news[name] !== undefined)
    .map((argument) => {
      const advice = suggest(argument, names) || `; ${owner} takes ${names.join(", ") || "none"}`;
      return { argument, text: `unknown ${what} ${JSON.stringify(argument)}${advice}` };
    });
  const values: Record<string, unknown> = {};
  for (const [argument, field] of Object.entries(fields)) {
    const declared = news[argument];
    const value = declared === undefined ? field.default : declared;
    if (value !== undefined) values[argument] = value;
    if (value === undefined && field.required)
      mistakes.push({ argument, text: `${argument} is missing: it must be ${field.expected}` });
    // Not a default: an unchanged resource then needs no validator, which takes the engine's process 0.1 s to load.
    else if (declared !== undefined && JSON.stringify(declared) !== JSON.stringify(olds[argument]))
      mistakes.push(...wrongParts(argument, field, declared));
  }
  return { values, mistakes };
}

/** Returns how these arguments break the resource's rule, or undefined. */
function brokenRule(resource: Resource, values: Values): Mistake | undefined {
  const broken = resource.validateCreate?.(values);
  return broken && { argument: broken.field, lenient: true, text: `${broken.field} ${broken.reason}` };
}

/**
 * Validates a program's arguments. Unknown values pass, and so does every value that the resource already has: one that an
 * older version of this package accepted must not stop the next `up`. `olds` is empty for a new record.
 */
export function validateResource(resource: Resource, olds: Values, news: Values): Validated {
  const fields = { ...resource.inputs, adopt: adoptField };
  const { values, mistakes } = validate(resource.type, fields, news, olds);
  const { adopt, ...args } = values;
  // The service may hold for an existing record what it never returns.
  const broken = olds[resource.key] === undefined && adopt === false && brokenRule(resource, args);
  if (broken) mistakes.push(broken);
  return { values: adopt === false ? args : values, mistakes };
}
