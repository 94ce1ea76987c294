import { z } from "zod";

/** A value of the wrong shape. The message names the place, such as `websites[0].domain`. */
export class ShapeError extends Error {
  override name = "ShapeError";
}

/** A non-negative integer. */
export const count = z.int().nonnegative();

/** An object with these keys and no other; `optional` ones may be omitted. */
export function record<R extends z.ZodRawShape, O extends Record<string, z.ZodType>>(
  required: R,
  optional: O,
) {
  return z.strictObject(required).extend(
    // JSON has no `undefined`, so nobody sends it.
    Object.fromEntries(Object.entries(optional).map(([key, shape]) => [key, z.exactOptional(shape)])) as {
      [K in keyof O]: z.ZodExactOptional<O[K]>;
    },
  );
}

/** Reads a value of unknown origin. Throws a `ShapeError`. */
export function read<S extends z.ZodType>(shape: S, value: unknown, place = ""): z.infer<S> {
  const { success, data, error } = shape.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  throw new ShapeError(`${`${place}${path.join("")}`.replace(/^\./, "") || "it"}: ${issue?.message}`);
}
