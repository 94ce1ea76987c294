const MAX_BYTES = 2048;
/** All forms of all secrets. */
const forms = new Set<string>();
/** Matches any of these forms; built again after one is added. */
let anyForm: RegExp | undefined;

/** From now on, hides this text and its usual encodings in everything that a person may see. */
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

/** In one pass, so that the marks of hidden text are not searched again. Of two matches, the longer one is hidden. */
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

/** Servers echo a secret as it is, encoded, or truncated. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    // As it is sent, since half of a surrogate pair can't be encoded.
    encodeURIComponent(bytes.toString()),
    new URLSearchParams({ k: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    secret.slice(0, 12),
  ];
}

/** A shorter secret of only letters, or only digits, may be part of another word by chance. */
const WORD = 8;

/** Escape sequences of encodings and terminals that end in a letter or a digit, but are not part of a word. */
const CODE = "%[\\da-fA-F]{2}|\\\\[bfnrtv]|\\\\u[\\da-fA-F]{4}|\\x1b\\[[\\d;]*m";

/**
 * A short secret is hidden only as a whole word, or texts would become unreadable: with the key `shop`,
 * shop.example.com stays a host name.
 */
function pattern(form: string): string {
  const literal = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isWord = form.length < WORD && /^(\p{L}+|\d+)$/u.test(form);
  if (form.length >= 4 && !isWord) return literal;
  return `(?:(?<![\\w-]|\\w\\.)|(?<=${CODE}))${literal}(?![\\w-]|\\.\\w)`;
}
