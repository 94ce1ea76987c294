import { isIPv4, isIPv6, SocketAddress } from "node:net";
import { domainToASCII } from "node:url";
import { type Field, type FieldOptions, optional, required, scalar, type Zod } from "./field";

// Regular expressions wherever possible, since an editor's schema has no other way to express these rules.

/** Text on one line, of 1 to `max` characters, not counting surrounding blanks. */
function oneLine(max: number): RegExp {
  return new RegExp(`^[^\\S\\r\\n]*(?!\\s)[^\\r\\n]{0,${max - 1}}\\S[^\\S\\r\\n]*$`, "u");
}

/** Text on one line that is not empty. */
const NOT_BLANK = /^[^\r\n]*[^\s][^\r\n]*$/;

/** The characters of a host name: no scheme, no port, no path, no inner blanks. */
const HOST_CHARACTERS = /^\s*[^\s/:@?#%\\“”„‘’]+\s*$/;

/** IPv6 in a JSON schema: zod's own pattern refuses some addresses that zod accepts, such as `::ffff:192.0.2.1`. */
const IPV6_JSON_PATTERN = { pattern: "^[0-9a-fA-F]*:[0-9a-fA-F:.]*(/[0-9]{1,3})?$" };

/** The most characters that a text may have. */
const MAX_TEXT = 255;

/** A letter and its accent may be one character or two; people see no difference. */
function composed(text: string): string {
  return text.normalize("NFC");
}

/** One line of text, trimmed as servers trim it. Every server accepts `usual` text; other text is sent with a notice. */
export function text(
  rule: { usual?: { pattern: RegExp; words: string } } & FieldOptions<string> = {},
): Field<string, true> {
  const { usual, ...traits } = rule;
  return required(
    {
      lenient: true,
      expected: `text of 1 to ${MAX_TEXT} characters on one line`,
      validator: (z) => z.string().regex(oneLine(MAX_TEXT)),
      notice: (before, after, name) =>
        usual === undefined || after === undefined || after === before || usual.pattern.test(after.trim())
          ? undefined
          : `its ${name} is not ${usual.words}: many services refuse it`,
      encode: (value) => value.trim(),
      decode: (raw) => scalar(raw),
      canonical: (value) => composed(value.trim()),
      // SQL's LIKE compares character by character: it may miss `é` as two characters for `é` as one.
      searchTerm: (value) => (composed(value) === value.normalize("NFD") ? value.trim() : undefined),
    },
    traits,
  );
}

/** A host name in its form on the wire. `domainToASCII`, which takes longer, changes only others, such as `é.com`, or `1.2` to `1.0.0.2`. */
const IN_WIRE_FORM = /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/;

/** The form on the wire. What is no host name, such as `shop.com/blog` in a record, stays as it is, and is compared as text. */
function asciiHost(value: string): string {
  if (IN_WIRE_FORM.test(value)) return value;
  const bare = value.trim().replace(/\.$/, "");
  if (!HOST_CHARACTERS.test(bare)) return bare;
  return (domainToASCII(bare) || bare).toLowerCase();
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, "");
}

function isHostName(value: string): boolean {
  const bare = value.trim().replace(/\.$/, "");
  // Of an ASCII name, Node.js 22 refuses an `xn--` label that stands for no other script, such as xn--0.example.com. The URL
  // Standard and Node.js 24 accept it (whatwg/url#267), so here it is a label like any other.
  const isAscii = /^\p{ASCII}*$/u.test(bare);
  const ascii = domainToASCII(isAscii ? bare.replace(/(?<=^|\.)xn--/gi, "xm--") : bare);
  // A number alone, such as 123, stands for an IPv4 address (0.0.0.123).
  const isShortened = /^[\d.]+$/.test(ascii) && ascii !== bare;
  return (
    !isShortened &&
    ascii.length <= 253 &&
    ascii.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  );
}

/**
 * A host name. Case, a trailing dot and the IDN form are spelling; on the wire it is lower-case ASCII. Newer servers strip a
 * leading `www.` (the emulator's `newer`), so a record under `shop.com` may be the one that was sent as `www.shop.com`.
 */
export function hostName(traits: FieldOptions<string> = {}): Field<string, true> {
  return required(
    {
      lenient: true,
      expected: 'a host name such as "shop.example.com", without scheme, port or path',
      isQuotable: (wrong) => /\.\p{L}{2}/u.test(wrong) && !/.@/s.test(wrong),
      validator: (z) => z.string().regex(HOST_CHARACTERS).refine(isHostName),
      encode: asciiHost,
      decode: (raw) => scalar(raw)?.replace(/^https?:\/\/(?!.*@)/is, ""),
      // A service may store an IDN name in its letters, so that a search in ASCII misses it. `www.` is omitted, since newer
      // servers strip it, and a search finds longer texts too.
      searchTerm: (value) => (/(^|\.)xn--/.test(asciiHost(value)) ? undefined : withoutWww(asciiHost(value))),
      storedSpellings: (value) => [...new Set([asciiHost(value), withoutWww(asciiHost(value))])],
    },
    traits,
  );
}

/** `1`, `"1"` and `1.0` are one code: PHP before 8.1 reads numbers from MySQL as text (the emulator's `strings`). */
function wholeNumber(raw: unknown): number | undefined {
  const value = typeof raw === "string" && /^\d+(\.0+)?$/.test(raw) ? Number(raw) : raw;
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

/** What a choice may define besides its words. */
interface Choosing<W extends string> extends FieldOptions<W> {
  /** Words of newer servers, each with the word of ours that means the same, such as `x` for `twitter`; a program may use both. */
  readonly synonyms?: Readonly<Record<string, W>>;
  /** The meaning of null. */
  readonly unset?: W;
  /** A clause for people, for a change to this word. */
  readonly announce?: { readonly [word in W]?: string };
}

/**
 * One of a set of words. On the wire it is the word itself or, if `words` is a record, its number. A server's value
 * outside the set is kept unchanged.
 */
export function choice<W extends string>(
  words: readonly W[] | Readonly<Record<W, number>>,
  { synonyms = {}, unset, announce = {}, ...traits }: Choosing<W> = {},
): Field<W, true> {
  const codeOf = new Map<string, string>(
    Array.isArray(words)
      ? words.map((word) => [word, word])
      : Object.entries(words).map(([word, code]) => [word, String(code)]),
  );
  const wordOf = new Map([...codeOf].map(([word, code]) => [code, word]));
  const meaningOf = new Map<string, W>(Object.entries(synonyms));
  const accepted = [...codeOf.keys(), ...meaningOf.keys()];
  // A search for `twitter` misses what a newer server holds as `x`.
  const hasSynonym = (word: string) => [...meaningOf].flat().includes(word);
  return required<W>(
    {
      lenient: Array.isArray(words),
      words: accepted,
      isQuotable: (wrong) => !/\d/.test(wrong),
      expected: `one of ${accepted.map((word) => `"${word}"`).join(", ")}`,
      validator: (z) => z.enum(accepted as [W, ...W[]]),
      encode: (value) => codeOf.get(value) ?? value,
      // The server's set is open: a word that a newer version adds is shown, and counts as a difference.
      decode: (raw) =>
        raw === null
          ? unset
          : ((wordOf.get(String(wholeNumber(raw) ?? scalar(raw))) ?? scalar(raw)) as W | undefined),
      canonical: (value) => meaningOf.get(value) ?? value,
      searchTerm: (value) => (hasSynonym(value) ? undefined : value),
      notice: (before, after) => (before !== after && after !== undefined ? announce[after] : undefined),
    },
    traits,
  );
}

/**
 * Yes or no: 1 or 0 on the wire, where null is no, as of a record that was created without it. Without a default, a program may
 * leave it unmanaged.
 */
export function flag(traits: FieldOptions<boolean> = {}): Field<boolean, false> {
  return optional<boolean>(
    {
      shape: "boolean",
      expected: "true or false",
      validator: (z) => z.boolean(),
      encode: (value) => (value ? "1" : "0"),
      decode: (raw) => {
        if (raw === null || raw === "") return false;
        if (raw === true || raw === "true") return true;
        if (raw === false || raw === "false") return false;
        const number = wholeNumber(raw);
        return number === undefined ? undefined : number !== 0;
      },
    },
    traits,
  );
}

/**
 * A secret that is never read back: an answer says at most whether one is set (the emulator's `reference`). An old version
 * returns its text (`spec`), which is not compared either, so that it never gets into a diff. If omitted, the server's stays.
 */
export function secret(traits: FieldOptions<string> = {}): Field<string, false> & { readonly secret: true } {
  const field = optional<string>(
    {
      writeOnly: true,
      expected: "text that is not empty",
      validator: (z) => z.string().min(1),
      encode: (value) => value,
      decode: (raw) => (raw === false || raw === 0 ? null : undefined),
      notice: (before, after, name) =>
        before !== undefined && after !== undefined && before !== after ? `its ${name} changes` : undefined,
    },
    traits,
  );
  return { ...field, secret: true };
}

function trimmed(value: readonly string[]): string[] {
  return value.map((line) => line.trim()).filter((line) => line !== "");
}

/**
 * A set of lines in one text. Order, blank lines, blanks around a line and the kind of line end make no difference: whoever
 * saves the form of the web page stores CRLF, and maybe another order (the emulator's `webform`), which is no drift. If never
 * set, it is not managed; once set and then removed, it is emptied.
 */
export function lines(
  of: Pick<Field<string>, "expected" | "validator" | "canonical">,
  traits: FieldOptions<string[]> = {},
): Field<string[], false> {
  const canonical = (value: readonly string[]) =>
    [...new Set(trimmed(value).map(of.canonical))].sort().join("\n");
  return optional<string[]>(
    {
      shape: "list",
      clearsTo: [],
      expected: of.expected,
      validator: (z) => z.array(of.validator(z)),
      encode: (value) => trimmed(value).join("\n"),
      decode: (raw) => {
        if (raw === null) return [];
        if (Array.isArray(raw)) return trimmed(raw.map((line) => scalar(line) ?? ""));
        return typeof raw === "string" || typeof raw === "number"
          ? trimmed(String(raw).split(/\r\n|\r|\n/))
          : undefined;
      },
      canonical,
      notice: (before, after, name) =>
        before !== undefined && before.length > 0 && (after ?? []).length === 0
          ? `its ${name} will be emptied`
          : undefined,
    },
    traits,
  );
}

/** For `lines`: names of URL query parameters. */
export const parameterName = {
  expected: "a list of URL query parameter names, each on one line and not empty",
  validator: (z: Zod) => z.string().regex(NOT_BLANK),
  canonical: composed,
};

/** An address in its shortest form, and a range of one address as this address. */
function shortest(line: string): string {
  const [address = "", ...bits] = line.toLowerCase().split("/");
  const short = isIPv6(address) ? new SocketAddress({ address, family: "ipv6" }).address : address;
  const isOne = (isIPv4(address) && bits[0] === "32") || (isIPv6(address) && bits[0] === "128");
  return [short, ...(isOne ? bits.slice(1) : bits)].join("/");
}

/** For `lines`: IP addresses and ranges. */
export const ipRange = {
  expected: 'a list of IP addresses or CIDR ranges such as "192.0.2.7" or "2001:db8::/32"',
  validator: (z: Zod) =>
    z.union([z.ipv4(), z.ipv6().meta(IPV6_JSON_PATTERN), z.cidrv4(), z.cidrv6().meta(IPV6_JSON_PATTERN)]),
  canonical: shortest,
};
