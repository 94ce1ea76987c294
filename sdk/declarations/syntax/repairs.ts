import { indents } from "./indents";
import { badEscape, closingBracket, closingQuote, openingBracket, quotes, quoteWithin } from "./pairs";
import { isBlank, type KnownNames, type Repair, type Rule } from "./repair";
import { blankAfterColon, blankAfterDash, colon, comma, dashBeforeName, semicolon } from "./separators";

const RULES: readonly Rule[] = [
  blankAfterColon,
  colon,
  closingQuote,
  closingBracket,
  openingBracket,
  comma,
  blankAfterDash,
  dashBeforeName,
  semicolon,
  quoteWithin,
  badEscape,
  quotes,
];

/** Every way to mend a line, the likeliest first. */
export function repairsOf(lines: readonly string[], at: number, names: KnownNames): Repair[] {
  const line = lines[at];
  if (line === undefined || isBlank(line)) return [];
  const found = [...indents(lines, at), ...RULES.flatMap((rule) => rule(line, names))];
  return found.map((each) => ({ line: at, ...each }));
}
