/** A setting's value, or what its text must be instead. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** A positive number. Node's timers go off at once where they are to wait longer than 2^31 ms. */
export function parseNumber(text: string): Parsed<number> {
  const value = Number(text);
  return value > 0 && value <= 2e6 ? { value } : { expected: "a number above 0, at most 2000000" };
}

/** One of a few words. */
export function parseChoice<W extends string>(words: readonly W[]): (text: string) => Parsed<W> {
  return (text) => {
    const value = words.find((each) => each === text);
    return value === undefined ? { expected: `one of ${words.join(", ")}` } : { value };
  };
}

/** A service's address, without a trailing slash. `allowsHttp` is called only for plain HTTP to another machine. */
export function parseBaseUrl(allowsHttp: () => boolean): (text: string) => Parsed<string> {
  return (text) => {
    const url = urlOf(text);
    if (url === undefined || !["http:", "https:"].includes(url.protocol))
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
    return { value: url.href.replace(/\/+$/, "") };
  };
}

/** Not by `URL.canParse`, which refuses letters such as ü as soon as Node.js 20 has compiled its caller. */
function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The mistake in a setting, in one clause, without a password that an address may contain. */
export function describeInvalid(label: string, text: string, expected: string): string {
  const shown = JSON.stringify(text.replace(/\/\/.*@/, "//(secret)@"));
  return `${label} is ${shown}: it must be ${expected}`;
}

/** Whether a host is this machine: a key may go there unencrypted, and no proxy is used. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
