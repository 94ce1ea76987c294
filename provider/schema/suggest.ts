import type * as levenshtein from "fastest-levenshtein";

/** A question, if a mistyped name is close to an existing one: `; did you mean "privacy"?` */
export function suggest(name: string, names: readonly string[]): string {
  // Loaded with the first mistake.
  const { distance }: typeof levenshtein = require("fastest-levenshtein");
  const distanceTo = (each: string) => distance(name.toLowerCase(), each.toLowerCase());
  const [best] = names
    .filter((each) => distanceTo(each) <= Math.ceil(Math.min(name.length, each.length) / 3))
    .sort((a, b) => distanceTo(a) - distanceTo(b));
  return best === undefined ? "" : `; did you mean ${JSON.stringify(best)}?`;
}
