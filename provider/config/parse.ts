import { isLoopback, withoutUserInfo } from "./addresses";
import type { SettingName } from "./settings";

/** A setting's value, or what its text must be instead. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** Where the parameters of a POST to the marketplace go; the first is the default. */
export const postParameters = ["form", "query", "json"] as const;
export type PostParameters = (typeof postParameters)[number];

const booleans = ["false", "true"] as const;

/** A positive number. */
function parseNumber(text: string): Parsed<number> {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? { value } : { expected: "a number above 0" };
}

/** One of a few words. */
function parseChoice<W extends string>(text: string, words: readonly W[]): Parsed<W> {
  const value = words.find((each) => each === text);
  return value === undefined ? { expected: `one of ${words.join(", ")}` } : { value };
}

/** `true` or `false`. */
function parseBoolean(text: string): Parsed<boolean> {
  const parsed = parseChoice(text, booleans);
  return "value" in parsed ? { value: parsed.value === "true" } : parsed;
}

/** A service's address, without a trailing slash. `allowsHttp` is called only for plain HTTP to another machine. */
function parseBaseUrl(text: string, allowsHttp: () => boolean): Parsed<string> {
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

type Parser<T> = (text: string, allowsHttp: () => boolean) => Parsed<T>;

/** How a setting's text is read; any other setting is its text. */
const parsers = {
  analyticsBaseUrl: parseBaseUrl,
  dataBaseUrl: parseBaseUrl,
  marketBaseUrl: parseBaseUrl,
  requestTimeout: parseNumber,
  maxRetryWait: parseNumber,
  requestsPerMinute: parseNumber,
  marketPostParameters: (text) => parseChoice(text, postParameters),
  allowInsecureHttp: parseBoolean,
} satisfies { readonly [N in SettingName]?: Parser<unknown> };

/** What a setting's text stands for. */
export type SettingValue<N extends SettingName> = N extends keyof typeof parsers
  ? ReturnType<(typeof parsers)[N]> extends Parsed<infer T>
    ? T
    : never
  : string;

/** Any setting by its name. */
export function parseSetting<N extends SettingName>(
  name: N,
  text: string,
  allowsHttp: () => boolean,
): Parsed<SettingValue<N>> {
  const parse: Parser<unknown> = Reflect.get(parsers, name) ?? ((value: string) => ({ value }));
  // The type is that of the setting's parser, found by the same name.
  return parse(text, allowsHttp) as Parsed<SettingValue<N>>;
}

/** The mistake in a setting, in one clause, without a password that an address may contain. */
export function describeInvalid(label: string, text: string, expected: string): string {
  return `${label} is ${JSON.stringify(withoutUserInfo(text))}: it must be ${expected}`;
}
