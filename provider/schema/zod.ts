import type { Zod } from "./field";

/** Zod, loaded with the first value that is validated: a program that declares nothing from a file never has any. */
export function zod(): Zod {
  return require("zod");
}
