import * as z from "zod";
import { isJsonObject } from "../api/json";

/**
 * The forms in which the marketplace's values may arrive. PHP writes a list as an object if its indexes have a gap, an empty
 * object as `[]`, and before 8.1 numbers from MySQL as text: the emulator's dialect `loose` does all of it.
 */

/** Text, or a number as it is written, unless JSON could not hold all its digits. */
export const text = z.union([
  z.string(),
  z
    .number()
    .refine((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
    .transform(String),
]);

/** Text that may be absent or null. */
export const maybeText = text.nullish().transform((value) => value ?? undefined);

/** A number, or one as text. */
export const number = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
]);

/** A whole number that JavaScript can hold exactly: one with more digits would become another. */
export const id = number.refine(
  (value) => Number.isSafeInteger(value),
  "is a number that can't be held exactly",
);

/** Yes or no, as boolean, number or text. */
export const flag = z.union([
  z.boolean(),
  z.literal([1, "1", "true"]).transform(() => true),
  z.literal([0, "0", "false", ""]).transform(() => false),
  z.null().transform(() => false),
]);

/** Anything or nothing: to zod, a plain `unknown` is required. */
const maybeAnything = z.unknown().optional();

/** `full_name` as `fullName`. */
type CamelCase<N> = N extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : N;
type InCamelCase<T> = { [N in keyof T as CamelCase<N>]: T[N] };

/** An object, its members under our names. */
export function object<S extends z.ZodRawShape>(shape: S) {
  return z.object(shape).transform((value) => {
    const renamed = Object.keys(shape).map((name) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      Reflect.get(value, name),
    ]);
    // The mapped type says of each name what was just done to it.
    return Object.fromEntries(renamed) as InCamelCase<typeof value>;
  });
}

/** An object that may be absent or null: then all its members are absent. */
export function orEmpty<T>(shape: z.ZodType<T, object>) {
  return maybeAnything.transform((value) => value ?? {}).pipe(shape);
}

/** A list of texts, as the values of an object, or as one text with commas. Empty if absent. */
export const texts = maybeAnything.transform((value): string[] => {
  if (typeof value === "string")
    return value
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean);
  const parts = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return parts.filter((part) => typeof part === "string" || typeof part === "number").map(String);
});

/** A list of texts; from an object, each name with its value or values. */
export const options = maybeAnything.transform((value): string[] => {
  if (!isJsonObject(value)) return texts.parse(value);
  return Object.entries(value).map(
    ([name, of]) => `${name}: ${texts.parse(Array.isArray(of) ? of : [of]).join(", ")}`,
  );
});

/** Texts by name, without null values, and without a name that has a meaning to JavaScript. */
export const textsByName = maybeAnything.transform((value): Record<string, string> => {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && entry[0] !== "__proto__",
    ),
  );
});
