import type { Field } from "./field";
import { format } from "./format";
import { isUnknown, type Resource, UNKNOWN, type Values } from "./resource";
import { suggest } from "./suggest";
import { zod } from "./zod";

/** What validation needs of a field. */
export type Validatable = Pick<Field<unknown>, "required" | "expected" | "validator" | "default" | "secret"> &
  Partial<Pick<Field<unknown>, "words" | "correct">>;

/** One mistake in a program's arguments. */
export interface Violation {
  readonly argument: string;
  /** The argument itself is wrong, or the resource's rule about several arguments is broken. */
  readonly breaks: "argument" | "rule";
  /** One sentence for people. */
  readonly text: string;
}

/** A program's arguments with defaults filled in, and all mistakes in them. */
interface Validated {
  readonly values: Values;
  readonly failures: Violation[];
}

/**
 * Validates a program's arguments. Unknown values pass, and so does every value that the resource already has, even if
 * this version would refuse it. `olds` is empty for a new record.
 */
export function validateResource(resource: Resource, olds: Values, news: Values): Validated {
  const { adopt = false, ...args } = news;
  const { values, failures } = validate(resource.type, resource.inputs, args, olds, ["adopt"]);
  if (typeof adopt !== "boolean" && !isUnknown(adopt))
    failures.push(invalidArgument("adopt", `adopt must be true or false, not ${format(undefined, adopt)}`));
  // An existing record has what it needs, and one that already breaks the rule stays as it is.
  const isNew = olds[resource.key] === undefined;
  if (isNew ? adopt === false : ruleViolations(resource, olds).length === 0)
    failures.push(...ruleViolations(resource, isNew ? values : { ...olds, ...values }));
  return { values: adopt === false ? values : { ...values, adopt }, failures };
}

/**
 * Validates arguments by their fields and fills in defaults.
 *
 * @param owner whose arguments they are, for messages
 * @param olds values that always pass
 * @param more further arguments, which are validated elsewhere
 */
export function validate(
  owner: string,
  fields: Readonly<Record<string, Validatable>>,
  news: Values,
  olds: Values = {},
  more: readonly string[] = [],
): Validated {
  const names = [...Object.keys(fields), ...more];
  const failures = Object.keys(news)
    .filter((name) => !names.includes(name) && news[name] !== undefined)
    .map((name) => {
      const advice = suggest(name, names) || `; ${owner} takes ${names.join(", ") || "none"}`;
      return invalidArgument(name, `unknown argument ${JSON.stringify(name)}${advice}`);
    });
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = news[name] ?? field.default;
    if (value === undefined) {
      if (field.required)
        failures.push(invalidArgument(name, `${name} is missing: it must be ${field.expected}`));
      continue;
    }
    values[name] = value;
    const wrong =
      JSON.stringify(value) === JSON.stringify(olds[name]) ? undefined : invalidPart(field, value);
    if (wrong !== undefined)
      failures.push(
        invalidArgument(name, `${name} must be ${field.expected}, not ${wrong}${correction(field, value)}`),
      );
  }
  return { values, failures };
}

/** What to write instead of a wrong text, if that can be known. */
export function correction(field: Validatable, value: unknown): string {
  if (typeof value !== "string" || field.secret) return "";
  const other = field.correct?.(value) ?? value;
  if (other !== value && invalidPart(field, other) === undefined) return `; write ${JSON.stringify(other)}`;
  return field.words === undefined ? "" : suggest(value, field.words);
}

function invalidArgument(argument: string, text: string): Violation {
  return { argument, breaks: "argument", text };
}

/** How these arguments break the resource's rule, if they do. */
export function ruleViolations(resource: Resource, values: Values): Violation[] {
  const failure = resource.validateCreate?.(values);
  if (failure === undefined) return [];
  const { field, reason } = failure;
  return [{ argument: field, breaks: "rule", text: `${field} ${reason}` }];
}

/** The invalid part of a value as text, or nothing. */
function invalidPart(field: Validatable, value: unknown): string | undefined {
  if (value === UNKNOWN) return undefined;
  const known = Array.isArray(value) ? value.filter((each) => each !== UNKNOWN) : value;
  const result = validatorOf(field).safeParse(known);
  if (result.success) return undefined;
  const path = result.error.issues[0]?.path ?? [];
  return format(
    field,
    path.reduce<unknown>((part, step) => (part as Record<PropertyKey, unknown>)[step], known),
  );
}

const validators = new WeakMap<Validatable, ReturnType<Validatable["validator"]>>();

/** A field's schema, built once: building it takes longer than one validation. */
function validatorOf(field: Validatable): ReturnType<Validatable["validator"]> {
  const made = validators.get(field) ?? field.validator(zod());
  validators.set(field, made);
  return made;
}
