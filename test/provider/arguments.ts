import fc from "fast-check";
import * as z from "zod";
import type { Field } from "../../provider/schema/field";
import type { Resource, Values } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";

/** Once for each field: to find out which sources are of use takes longer than most tests that ask. */
const arbitraries = new WeakMap<Field<unknown>, fc.Arbitrary<unknown>>();

/**
 * Values that a program may give a field, drawn from what the field itself accepts. A resource that is added later is
 * generated without a word here, and so is a kind, unless it accepts what none of the sources below gives.
 */
export function anyValueOf(field: Field<unknown>): fc.Arbitrary<unknown> {
  const values = arbitraries.get(field) ?? drawn(field.validator(z));
  arbitraries.set(field, values);
  return values;
}

/** The same without what some servers refuse: words that they write otherwise, and unusual text. */
export function plainValueOf(field: Field<unknown>): fc.Arbitrary<unknown> {
  const isChoice = field.validator(z) instanceof z.ZodEnum;
  const isAmbiguous = (value: unknown) => isChoice && field.searchTerm(value) === undefined;
  const isUnusual = (value: unknown) => !isChoice && field.notice?.(undefined, value, "it") !== undefined;
  return anyValueOf(field).filter((value) => !isAmbiguous(value) && !isUnusual(value));
}

/** Arguments that `check` accepts for a new record: what is required, and any of the rest. */
export function argumentsOf(
  resource: Resource,
  fixed: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Values> {
  const fields = Object.entries(resource.inputs);
  const values = Object.fromEntries(
    fields.map(([name, field]) => [name, fixed[name] ?? plainValueOf(field)]),
  );
  const requiredKeys = fields
    .filter(([name, { required }]) => required || name in fixed)
    .map(([name]) => name);
  return fc
    .record(values, { requiredKeys })
    .filter((args) => validateResource(resource, {}, args).mistakes.length === 0);
}

/** Every argument given. */
export function everythingOf(resource: Resource): fc.Arbitrary<Values> {
  return argumentsOf(
    resource,
    Object.fromEntries(Object.entries(resource.inputs).map(([name, field]) => [name, plainValueOf(field)])),
  );
}

/** Two sets of arguments for one record: nothing that would replace it, and not its key, differs. */
export function changeOf(resource: Resource): fc.Arbitrary<[Values, Values]> {
  const kept = Object.entries(resource.inputs)
    .filter(([name, field]) => field.replaces || name === resource.key)
    .map(([name]) => name);
  return fc.tuple(argumentsOf(resource), argumentsOf(resource)).map(([olds, news]) => {
    const same = Object.fromEntries(kept.filter((name) => name in olds).map((name) => [name, olds[name]]));
    const rest = Object.fromEntries(Object.entries(news).filter(([name]) => !kept.includes(name)));
    return [olds, { ...rest, ...same }];
  });
}

/** A value that differs from `value` by more than spelling. */
export function otherThan(field: Field<unknown>, value: unknown): fc.Arbitrary<unknown> {
  return plainValueOf(field).filter(
    (other) => field.canonical(other) !== field.canonical(value) && !field.matches(value, other),
  );
}

type Schema = z.ZodType | z.core.$ZodType;

function drawn(schema: Schema): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return accepted(schema, fc.integer(), fc.double({ noNaN: true }));
  if (schema instanceof z.ZodArray) return fc.array(drawn(schema.element), { maxLength: 5 });
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(drawn));
  return accepted(schema, word, host, sentence, address);
}

/** Of each source only what the schema accepts; a source of which it accepts nothing is left out. */
function accepted(schema: Schema, ...sources: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  const accepts = (value: unknown) => z.safeParse(schema, value).success;
  const useful = sources.filter(
    (source) => fc.sample(source, { numRuns: 50, seed: 1 }).filter(accepts).length > 5,
  );
  if (useful.length === 0) throw new Error("no source gives what this field accepts: add one here");
  return fc.oneof(...useful.map((source) => source.filter(accepts)));
}

const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/).filter((text) => !/^-|-$/.test(text));

const label = fc
  .stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/)
  .filter((text) => !text.startsWith("xn"));
/** Host names in every spelling that means the same: case, a dot at the end, the IDN form, `www.`. */
const host = fc
  .tuple(
    fc.constantFrom("", "www."),
    fc.array(fc.oneof(label, fc.constantFrom("bücher", "faß", "例え", "xn--bcher-kva")), {
      maxLength: 3,
      minLength: 1,
    }),
    fc.constantFrom("example", "com", "рф"),
    fc.constantFrom("", "."),
    fc.boolean(),
  )
  .map(([www, labels, top, dot, loud]) => {
    const name = `${www}${[...labels, top].join(".")}${dot}`;
    return loud ? name.toUpperCase() : name;
  })
  // In capitals, a sharp s is two letters, and another name.
  .filter((name) => name.toLowerCase() === name || !/SS/.test(name));

/** What forms, JSON and terminals have to escape. */
const AWKWARD = [
  "&",
  "=",
  "%",
  "+",
  "%00",
  "é",
  "🛒",
  "<{%reset%}>",
  "__proto__",
  '"',
  "\\",
  "\u001b[31m",
  " ",
];
const sentence = fc
  .array(fc.oneof(fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }), fc.constantFrom(...AWKWARD)), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(""))
  .filter((text) => !/[\r\n]/.test(text));

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([ip, bits]) => `${ip}/${bits}`),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([ip, bits]) => `${ip}/${bits}`),
);
