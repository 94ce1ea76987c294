import { validateHeaderName, validateHeaderValue } from "node:http";

/** A setting's value, or what its text must be instead. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** A positive number. A timer of Node.js that should wait longer than 2^31 ms, 24.8 days, goes off at once. */
export function parseNumber(text: string): Parsed<number> {
  const value = Number(text);
  return value > 0 && value <= 2e6 ? { value } : { expected: "a number above 0, at most 2000000" };
}

/** One of a few words. */
export function parseChoice<W extends string>(words: readonly W[]): (text: string) => Parsed<W> {
  return (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? { expected: `one of ${words.join(", ")}` } : { value };
  };
}

/** Whether a host is this machine: a key may go there unencrypted, and no proxy is used. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/**
 * The one spelling in which addresses are compared and shown: `HTTPS://Stats.Example:443/` is `https://stats.example`. Otherwise a
 * stack and an explicit provider with two spellings would count as two services, and an import would take each record twice.
 */
export function canonicalAddress(text: string): string {
  return (URL.parse(text)?.href ?? text).replace(/\/+$/, "");
}

/**
 * A service's address, which has its one spelling already.
 *
 * @param allowsHttp is called only for plain HTTP to another machine
 */
export function parseBaseUrl(allowsHttp: () => boolean): (text: string) => Parsed<string> {
  return (text) => {
    const url = URL.parse(text);
    if (url === null || !["http:", "https:"].includes(url.protocol))
      return { expected: "an address such as https://analytics.example.com" };
    if (url.username !== "" || url.password !== "")
      return { expected: "an address without user and password; the key goes into tracking:apiKey" };
    if (/[?#]|\/api\/(v1|account|items|purchases)(\/|$)/.test(url.href))
      return { expected: "the part of the address before /api, without a query" };
    if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowsHttp())
      return {
        expected:
          'an https:// address, since the key would travel in clear; "pulumi config set tracking:allowInsecureHttp true" allows it',
      };
    return { value: text };
  };
}

/** Headers that every request has already: the key, and what the interface and HTTP itself need. */
const OWN_HEADERS = /^(authorization|accept|content-type|content-length|host)$/i;

/** Returns what is wrong with a header, as Node.js says it at the first request, or `undefined`. Its text is a secret. */
function headerMistake([name, value]: [string, unknown]): string | undefined {
  if (OWN_HEADERS.test(name)) return `headers without ${name}, which every request has already`;
  try {
    validateHeaderName(name);
  } catch {
    return "headers whose names have no space, colon or other character that HTTP does not allow";
  }
  try {
    validateHeaderValue(name, `${value}`);
  } catch {
    return `headers whose texts HTTP can send, and that of ${name} has a line break or another character that it can't`;
  }
  // `pulumi config set --path tracking:headers.X-Team 7` stores a number.
  return ["string", "number", "boolean"].includes(typeof value) ? undefined : NO_HEADERS;
}

const NO_HEADERS = 'an object of names and texts, such as {"CF-Access-Client-Id": "…"}';

/** Headers as JSON, by name. */
export function parseHeaders(text: string): Parsed<Readonly<Record<string, string>>> {
  const given = objectIn(text);
  if (given === undefined) return { expected: NO_HEADERS };
  const entries = Object.entries(given);
  const expected = entries.map(headerMistake).find((mistake) => mistake !== undefined);
  if (expected !== undefined) return { expected };
  return { value: Object.fromEntries(entries.map(([name, value]) => [name, `${value}`])) };
}

function objectIn(text: string): object | undefined {
  // A key, mostly.
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What is secret in a setting's text: of an object, such as headers, the texts and not the names, which messages need. */
export function secretsIn(text: string): string[] {
  const given = objectIn(text);
  return given === undefined
    ? [text]
    : Object.values(given).flatMap((value) =>
        secretsIn(typeof value === "string" ? value : JSON.stringify(value)),
      );
}

/** The user or the password of an address. One that nobody has encoded may have a percent sign, such as `100%`, and stays as it is. */
export function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** User and password of an address, as it has them and as they are sent. */
export function credentialsOf(address = ""): string[] {
  const { username = "", password = "" } = URL.parse(address) ?? {};
  return [username, password].flatMap((text) => [text, decodeCredential(text)]);
}
