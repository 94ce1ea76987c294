import type { Json } from "../service/response";

/** Reads one value of unknown origin. Throws a `ShapeError` that names the place, such as `websites[0].domain`. */
export type Shape<T> = (value: unknown, place: string) => T;

/** The value that a shape reads. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

/** A value of the wrong shape. */
export class ShapeError extends Error {
  override name = "ShapeError";
}

type Shapes = Record<string, Shape<unknown>>;
type Present<R extends Shapes> = { [K in keyof R]: Shaped<R[K]> };
type Optional<O extends Shapes> = { [K in keyof O]?: Shaped<O[K]> };

/** Any text. */
export const text: Shape<string> = (value, place) =>
  typeof value === "string" ? value : reject(place, "text");

/** Any finite number. */
export const number: Shape<number> = (value, place) =>
  typeof value === "number" && Number.isFinite(value) ? value : reject(place, "a number");

/** A whole number from 0. */
export const count: Shape<number> = (value, place) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? value
    : reject(place, "a non-negative integer");

/** True or false. */
export const flag: Shape<boolean> = (value, place) =>
  typeof value === "boolean" ? value : reject(place, "true or false");

/** Any JSON value. */
export const json: Shape<Json> = (value) => value as Json;

/** One of these values. */
export function oneOf<const T extends string | number | boolean>(...allowed: readonly T[]): Shape<T> {
  return (value, place) =>
    allowed.find((each) => each === value) ?? reject(place, `one of ${allowed.join(", ")}`);
}

/** Null, or a value of this shape. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, place) => (value === null ? null : shape(value, place));
}

/** False, or a value of this shape. */
export function unlessOff<T>(shape: Shape<T>): Shape<T | false> {
  return (value, place) => (value === false ? false : shape(value, place));
}

/** An array. */
export function list<T>(shape: Shape<T>): Shape<T[]> {
  return (value, place) =>
    Array.isArray(value)
      ? value.map((each: unknown, index) => shape(each, `${place}[${index}]`))
      : reject(place, "a list");
}

/** An object with any keys. */
export function map<T>(shape: Shape<T>): Shape<Record<string, T>> {
  return (value, place) =>
    Object.fromEntries(
      Object.entries(object(value, place)).map(([key, each]) => [key, shape(each, within(place, key))]),
    );
}

/** An object with these keys and no other; `optional` ones may be omitted. */
export function record<R extends Shapes, O extends Shapes>(
  required: R,
  optional: O,
): Shape<Present<R> & Optional<O>> {
  const known: Shapes = { ...required, ...optional };
  return (value, place) => {
    const members = object(value, place);
    const missing = Object.keys(required).find((key) => members[key] === undefined);
    if (missing !== undefined) throw new ShapeError(`${within(place, missing)} is missing`);
    const read: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(members)) {
      const shape = Object.hasOwn(known, key) ? known[key] : undefined;
      if (shape === undefined)
        throw new ShapeError(
          `${within(place, key)} is unknown; allowed are ${Object.keys(known).join(", ")}`,
        );
      if (member !== undefined) read[key] = shape(member, within(place, key));
    }
    return read as Present<R> & Optional<O>;
  };
}

function object(value: unknown, place: string): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : reject(place, "an object");
}

function within(place: string, key: string): string {
  return place === "" ? key : `${place}.${key}`;
}

function reject(place: string, expected: string): never {
  throw new ShapeError(`${place || "it"} must be ${expected}`);
}
