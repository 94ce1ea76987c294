import { isLoopback, withoutUserInfo } from "./addresses";
import type { SettingName } from "./settings";

/** A setting's value, or what its text must be instead. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** Where the parameters of a POST to the marketplace go; the first is the default. */
export const postParameters = ["form", "query", "json"] as const;
export type PostParameters = (typeof postParameters)[number];

const booleans = ["false", "true"] as const;

/** A positive number. */
export function parseNumber(text: string): Parsed<number> {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? { value } : { expected: "a number above 0" };
}

/** One of a few words. */
export function parseChoice<W extends string>(text: string, words: readonly W[]): Parsed<W> {
  const value = words.find((each) => each === text);
  return value === undefined ? { expected: `one of ${words.join(", ")}` } : { value };
}

/** `true` or `false`. */
export function parseBoolean(text: string): Parsed<boolean> {
  const parsed = parseChoice(text, booleans);
  return "value" in parsed ? { value: parsed.value === "true" } : parsed;
}

/** A service's address, without a trailing slash. `allowsHttp` is called only for plain HTTP to another machine. */
export function parseBaseUrl(text: string, allowsHttp: () => boolean): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    return { expected: "an address such as https://analytics.example.com" };
  if (url.username !== "" || url.password !== "")
    return { expected: "an address without user and password; the key goes into tracking:apiKey" };
  if (url.search !== "" || url.hash !== "" || /\/api\/(v1|account|items|purchases)(\/|$)/.test(url.pathname))
    return { expected: "the part of the address before /api, without a query" };
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowsHttp())
    return {
      expected:
        'an https:// address, since the key would travel in clear; "pulumi config set tracking:allowInsecureHttp true" allows it',
    };
  return { value: url.href.replace(/\/+$/, "") };
}

/** Any setting by its name. */
export function parseSetting(
  name: SettingName,
  text: string,
  allowsHttp: () => boolean,
): Parsed<string | number | boolean> {
  switch (name) {
    case "analyticsBaseUrl":
    case "dataBaseUrl":
    case "marketBaseUrl":
      return parseBaseUrl(text, allowsHttp);
    case "requestTimeout":
    case "maxRetryWait":
    case "requestsPerMinute":
      return parseNumber(text);
    case "marketPostParameters":
      return parseChoice(text, postParameters);
    case "allowInsecureHttp":
      return parseBoolean(text);
    default:
      return { value: text };
  }
}

/** The mistake in a setting, in one clause, without a password that an address may contain. */
export function describeInvalid(label: string, text: string, expected: string): string {
  return `${label} is ${JSON.stringify(withoutUserInfo(text))}: it must be ${expected}`;
}
