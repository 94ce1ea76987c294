import type * as levenshtein from "fastest-levenshtein";

/** Returns a question if a mistyped name is close to an existing one: `; did you mean "privacy"?`. Otherwise it is empty. */
export function suggest(name: string, names: readonly string[]): string {
  // Loaded with the first mistake.
  const { distance }: typeof levenshtein = require("fastest-levenshtein");
  const distanceTo = (existing: string) => distance(name.toLowerCase(), existing.toLowerCase());
  const [best] = names
    .filter((existing) => distanceTo(existing) <= Math.ceil(Math.min(name.length, existing.length) / 3))
    .sort((a, b) => distanceTo(a) - distanceTo(b));
  return best === undefined ? "" : `; did you mean ${JSON.stringify(best)}?`;
}
