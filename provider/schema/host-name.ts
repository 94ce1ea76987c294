import { domainToASCII } from "node:url";
import { type Field, type FieldOptions, required, scalar } from "./field";
import { HOST_CHARACTERS } from "./patterns";

/**
 * A host name. Case, a trailing dot and the IDN form are spelling; on the wire it is lower-case ASCII. A server
 * may strip a leading `www.`.
 */
export function hostName(traits: FieldOptions<string> = {}): Field<string, true> {
  return required(
    {
      lenient: true,
      expected: 'a host name such as "shop.example.com", without scheme, port or path',
      validator: (z) => z.string().regex(HOST_CHARACTERS).refine(isHostName),
      correct: (text) =>
        text
          .trim()
          .replace(/^\w*:?\/\//, "")
          .replace(/[/:?#].*$/s, "")
          // Quotes, a wildcard, a mention.
          .replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, ""),
      encode: asciiHost,
      decode: (raw) => scalar(raw)?.replace(/^https?:\/\//i, ""),
      // Some servers store an IDN name in ASCII, others in its letters, so it has no single search term. `www.` is
      // omitted, since some servers strip it, and a search also finds longer texts.
      searchTerm: (value) => (/(^|\.)xn--/.test(asciiHost(value)) ? undefined : withoutWww(asciiHost(value))),
      storedForms: (value) => [...new Set([asciiHost(value), withoutWww(asciiHost(value))])],
    },
    traits,
  );
}

function asciiHost(value: string): string {
  const bare = value.trim().replace(/\.$/, "");
  return (domainToASCII(bare) || bare).toLowerCase();
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, "");
}

function isHostName(value: string): boolean {
  const ascii = domainToASCII(value.trim().replace(/\.$/, ""));
  return (
    ascii.length <= 253 &&
    ascii.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  );
}
