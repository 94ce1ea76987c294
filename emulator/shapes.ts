import { z } from "zod";

/** A value of the wrong shape. The message names the place, such as `websites[0].domain`. */
export class ShapeError extends Error {
  override name = "ShapeError";
}

/** A non-negative integer. */
export const count = z.int().nonnegative();

/** The same members, each of which may be omitted. JSON has no `undefined`, so nobody sends it. */
export function omissible<S extends z.ZodRawShape>(shape: S) {
  const members = Object.entries(shape).map(([name, member]) => [name, z.exactOptional(member)]);
  return Object.fromEntries(members) as { [K in keyof S]: z.ZodExactOptional<S[K]> };
}

/** Reads a value of unknown origin. Throws a `ShapeError`. */
export function read<S extends z.ZodType>(shape: S, value: unknown): z.infer<S> {
  const { success, data, error } = shape.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  throw new ShapeError(`${path.join("").replace(/^\./, "") || "it"}: ${issue?.message}`);
}
