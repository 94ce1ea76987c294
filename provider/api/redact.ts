const MAX_BYTES = 2048;
/** So many letters and digits of a secret in a row give it away in what a service says. */
const RUN = 6;
/** The same in all other text, which may share a word with a secret. */
const LONG_RUN = 10;

/** Secrets, and where a text contains one. */
class Secrets {
  private readonly all = new Set<string>();
  /** All runs of all secrets, and of their encodings. */
  private readonly runs = new Set<string>();
  /** Matches any secret; built again after one is added. */
  private any: RegExp | undefined;

  has(secret: string): boolean {
    return this.all.has(secret);
  }

  add(secret: string): void {
    this.all.add(secret);
    this.any = undefined;
    const bytes = Buffer.from(secret);
    for (const form of [secret, bytes.toString("base64"), bytes.toString("hex")]) {
      const letters = lettersOf(form);
      for (let at = 0; at + RUN <= letters.length; at += 1) this.runs.add(letters.slice(at, at + RUN));
    }
  }

  /** In one pass, so that the marks of hidden text are not searched again. Of two matches, the longer one is hidden. */
  mask(text: string): string {
    if (this.all.size === 0) return text;
    this.any ??= new RegExp(
      [...new Set([...this.all].flatMap(spellingsOf))]
        .sort((a, b) => b.length - a.length)
        .map(pattern)
        .join("|"),
      "g",
    );
    return text.replace(this.any, "(secret)");
  }

  /** How many letters and digits of a secret follow each other in a text, at most. */
  longestRun(text: string): number {
    const letters = lettersOf(text);
    let [longest, run] = [0, 0];
    for (let at = 0; at + RUN <= letters.length; at += 1) {
      run = this.runs.has(letters.slice(at, at + RUN)) ? Math.max(run + 1, RUN) : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }
}

/** Searched in what a service says. */
const secrets = new Secrets();
/** Searched in all text. Our own words may contain a secret that is a word, or a number. */
const unusualSecrets = new Secrets();
const USUAL = /^(\p{L}{1,15}|\d{1,15})$/u;

/** From now on, hides this text in everything that a person may see: a word or a number only in what a service says. */
export function registerSecret(secret: string | undefined): void {
  if (secret === undefined || secret.length === 0 || secrets.has(secret)) return;
  secrets.add(secret);
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  unusualSecrets.add(USUAL.test(secret) ? base64 : secret);
}

/** Whether a value is, or a list contains, a text that is hidden. */
export function isSecret(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isSecret) : typeof value === "string" && secrets.has(value);
}

/** User and password of an address, also if a character of the password ends them too early. */
const CREDENTIALS =
  /(?<=\/\/)([^\s/?#]*:(?!\d+[/?#])\S*|[^\s/?#]*)@|(?<![^\s/:@"'([{])[^\s/:@"'([{]+:[^\s/:@]+@(?=[^\s/:@]*\.\p{L}{2})/gu;

function withoutCredentials(text: string): string {
  return text.replace(CREDENTIALS, "(secret)@");
}

/** A service's words; none of them if they repeat a part of a secret, encoded or cut in whatever way. */
export function serviceWords(text: string): string {
  const words = text.slice(0, MAX_BYTES);
  const plain = decoded(words);
  const hidesCredentials = withoutCredentials(words) === words && withoutCredentials(plain) !== plain;
  const repeats = hidesCredentials || secrets.longestRun(words) >= RUN || secrets.mask(plain) !== plain;
  return repeats ? "not shown, since it repeats a secret" : words;
}

/** Lines as one text. Only these breaks are ours: those in a line, as a service's words may have, become spaces. */
export function sanitizeLines(lines: readonly string[]): string {
  return lines.map(sanitize).join("\n");
}

/**
 * The one exit for text: secrets hidden, control characters and engine directives made harmless, one line, at
 * most 2 KB.
 */
export function sanitize(text: string): string {
  const plain = withoutCredentials(unusualSecrets.mask(text.slice(0, 4 * MAX_BYTES)))
    .replace(/\S+/g, (word) => (unusualSecrets.longestRun(word) >= LONG_RUN ? "(secret)" : word))
    .replace(/[\r\n\t\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD")
    .replaceAll("<{%", "<{ %");
  return Buffer.byteLength(plain) <= MAX_BYTES
    ? plain
    : `${Buffer.from(plain)
        .subarray(0, MAX_BYTES - 8)
        .toString()}...`;
}

function lettersOf(text: string): string {
  return decoded(text)
    .toLowerCase()
    .replace(/[^a-z\d]/g, "");
}

const CODE = /&#x([\da-f]{1,6});|&#(\d{1,7});|\\u([\da-f]{4})|\\x([\da-f]{2})/gi;

/** Without entities, escapes and percent signs, each of which may have been encoded once more. */
function decoded(text: string): string {
  const character = (code: number) => String.fromCodePoint(Math.min(code, 0x10ffff));
  const plain = text
    .replace(/\p{Cc}\[[\d;]*m/gu, " ")
    .replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString())
    .replace(CODE, (_, hex, decimal, unicode, byte) =>
      character(decimal === undefined ? Number.parseInt(hex ?? unicode ?? byte, 16) : Number(decimal)),
    )
    .replace(/&[a-z]+;/gi, " ")
    .replace(/\\([^\p{L}\d])/gu, "$1")
    .replace(/\\[bfnrtv]/g, " ");
  return plain === text ? plain : decoded(plain);
}

/** A secret as it is and as a quoted value has it; and in base64, where a short one has too few letters for a run. */
function spellingsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [secret, JSON.stringify(secret).slice(1, -1), base64];
}

/** A shorter secret of only letters, or only digits, may be part of another word by chance. */
const WORD = 8;

/**
 * A short secret is hidden only as a whole word, or texts would become unreadable: with the key `shop`,
 * shop.example.com stays a host name.
 */
function pattern(form: string): string {
  const literal = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isWord = form.length < WORD && /^(\p{L}+|\d+)$/u.test(form);
  if (form.length >= 4 && !isWord) return literal;
  return `(?<![\\w-]|\\w\\.)${literal}(?![\\w-]|\\.\\w)`;
}
