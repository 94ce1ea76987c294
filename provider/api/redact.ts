const MAX_BYTES = 2048;
/** Every form of every secret. */
const forms = new Set<string>();
/** Finds any of them; made anew once there are more. */
let anyForm: RegExp | undefined;

/** From now on, this text and its usual encodings are hidden in everything that a person may see. */
export function registerSecret(secret: string | undefined): void {
  if (secret === undefined || secret.length === 0) return;
  for (const form of formsOf(secret)) forms.add(form);
  anyForm = undefined;
}

/**
 * The one exit for text: secrets hidden, control characters and engine directives made harmless, one line, at
 * most 2 KB.
 */
export function sanitize(text: string): string {
  const plain = maskSecrets(text)
    .replace(/[\r\n\t\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD")
    .replaceAll("<{%", "<{ %");
  return Buffer.byteLength(plain) <= MAX_BYTES
    ? plain
    : `${Buffer.from(plain)
        .subarray(0, MAX_BYTES - 8)
        .toString()}...`;
}

/** In one pass, so that the marks of what is hidden are not searched again; of two that match, the longer goes. */
function maskSecrets(text: string): string {
  if (forms.size === 0) return text;
  anyForm ??= new RegExp(
    [...forms]
      .sort((a, b) => b.length - a.length)
      .map(pattern)
      .join("|"),
    "g",
  );
  return text.replace(anyForm, "(secret)");
}

/** Servers echo what they were sent as it was, encoded, or cut short. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    // As it is sent: half of a surrogate pair can't be encoded.
    encodeURIComponent(bytes.toString()),
    new URLSearchParams({ k: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    secret.slice(0, 12),
  ];
}

/** Shorter than this, a secret of letters alone, or of digits alone, may be a part of other words by chance. */
const WORD = 8;

/** What an encoding or a terminal has before a text ends in a letter or a digit, and is no part of a word. */
const CODE = "%[\\da-fA-F]{2}|\\\\[bfnrtv]|\\\\u[\\da-fA-F]{4}|\\x1b\\[[\\d;]*m";

/**
 * A short secret is hidden where it stands alone, or no text could be read any more: with the key `shop`,
 * shop.example.com is a host name all the same.
 */
function pattern(form: string): string {
  const literal = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isWord = form.length < WORD && /^(\p{L}+|\d+)$/u.test(form);
  if (form.length >= 4 && !isWord) return literal;
  return `(?:(?<![\\w-]|\\w\\.)|(?<=${CODE}))${literal}(?![\\w-]|\\.\\w)`;
}
