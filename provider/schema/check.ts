import type { Field } from "./field";
import { isUnknown, type Resource, UNKNOWN, type Values } from "./resource";
import { shown } from "./wire";
import { zod } from "./zod";

/** What validation asks of a field. */
export type Checkable = Pick<Field<unknown>, "required" | "allowed" | "accepts" | "default" | "secret">;

/** One thing that is wrong with a program's arguments. */
export interface Violation {
  readonly argument: string;
  /** The argument by itself, or the resource's own rule, which looks at all of them. */
  readonly breaks: "argument" | "rule";
  /** One sentence for people. */
  readonly text: string;
}

/** What a program's arguments came to: defaults filled in, and all that is wrong with them. */
export interface Checked {
  readonly values: Values;
  readonly failures: readonly Violation[];
}

/** A question at the end of a sentence, where a name is close to one of these: `; did you mean "privacy"?` */
export type Hint = (name: string, names: readonly string[]) => string;

/**
 * Validates a program's arguments. Values that are not known yet pass; so does a value that the resource already
 * has, whatever this version thinks of it. `olds` is empty for a new record.
 */
export function check(resource: Resource, olds: Values, news: Values, hint?: Hint): Checked {
  const { adopt = false, ...args } = news;
  const { values, failures } = validate(`a ${resource.type}`, resource.inputs, args, olds, ["adopt"], hint);
  if (typeof adopt !== "boolean" && !isUnknown(adopt))
    failures.push(wrongArgument("adopt", `adopt must be true or false, not ${shown(undefined, adopt)}`));
  // What a record has already it need not be given again, and what breaks the rule already stays as it is.
  const isNew = olds[resource.key] === undefined;
  if (isNew ? adopt === false : broken(resource, olds).length === 0)
    failures.push(...broken(resource, isNew ? values : { ...olds, ...values }));
  return { values: adopt === false ? values : { ...values, adopt }, failures };
}

/**
 * Validates arguments by their fields and fills in defaults.
 *
 * @param owner whose arguments they are, for messages
 * @param olds values that pass whatever they are
 * @param more names that are arguments too, and validated elsewhere
 * @param hint which name was meant by one that there is not
 */
export function validate(
  owner: string,
  fields: Readonly<Record<string, Checkable>>,
  news: Values,
  olds: Values = {},
  more: readonly string[] = [],
  hint: Hint = () => "",
): { values: Values; failures: Violation[] } {
  const names = [...Object.keys(fields), ...more];
  const failures = Object.keys(news)
    .filter((name) => !names.includes(name) && news[name] !== undefined)
    .map((name) => {
      const rest = hint(name, names) || `: ${owner} has ${names.join(", ") || "none"}`;
      return wrongArgument(name, `there is no argument ${JSON.stringify(name)}${rest}`);
    });
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = news[name] ?? field.default;
    if (value === undefined) {
      if (field.required)
        failures.push(wrongArgument(name, `${name} is missing: it must be ${field.allowed}`));
      continue;
    }
    values[name] = value;
    const wrong = JSON.stringify(value) === JSON.stringify(olds[name]) ? undefined : reject(field, value);
    if (wrong !== undefined)
      failures.push(wrongArgument(name, `${name} must be ${field.allowed}, not ${wrong}`));
  }
  return { values, failures };
}

function wrongArgument(argument: string, text: string): Violation {
  return { argument, breaks: "argument", text };
}

/** How these arguments break the resource's own rule, if they do. */
export function broken(resource: Resource, values: Values): Violation[] {
  const failure = resource.rule?.(values);
  if (failure === undefined) return [];
  const { field, reason } = failure;
  return [{ argument: field, breaks: "rule", text: `${field} ${reason}` }];
}

/** The part of a value that a field can't accept, as text, or nothing. */
function reject(field: Checkable, value: unknown): string | undefined {
  if (value === UNKNOWN) return undefined;
  const known = Array.isArray(value) ? value.filter((each) => each !== UNKNOWN) : value;
  const result = shape(field).safeParse(known);
  if (result.success) return undefined;
  const path = result.error.issues[0]?.path ?? [];
  return shown(
    field,
    path.reduce<unknown>((part, step) => (part as Record<PropertyKey, unknown>)[step], known),
  );
}

const shapes = new WeakMap<Checkable, ReturnType<Checkable["accepts"]>>();

/** A field's shape, made once: making it takes longer than a validation by it. */
function shape(field: Checkable): ReturnType<Checkable["accepts"]> {
  const made = shapes.get(field) ?? field.accepts(zod());
  shapes.set(field, made);
  return made;
}
