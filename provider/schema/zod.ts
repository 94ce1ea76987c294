import type { Zod } from "./field";

/** Zod, loaded with the first validation: a program that declares nothing from a file never needs it. */
export function zod(): Zod {
  return require("zod");
}
