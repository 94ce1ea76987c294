/** Characters that turn, join or hide text, or end a line for some readers of it and not for others. */
const INVISIBLE = /[\p{Cf}\u2028\u2029]/gu;

/** Whether a text holds characters that a reader of the program could not see. */
export function hasInvisibleCharacters(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/** Replaces these characters by escapes, which are only valid inside double quotes. */
export function escapeInvisibleCharacters(text: string, escapeCode: (code: number) => string): string {
  return text.replace(INVISIBLE, (character) => escapeCode(character.codePointAt(0) ?? 0));
}

/** A number with at least this many hexadecimal digits. */
export function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/** An escape of a fixed number of digits, as YAML and Python have them. */
export function fixedWidthEscape(code: number): string {
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}
