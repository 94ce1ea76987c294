import type { Dialect, MarketDialect } from "../../emulator";

const dialects: Readonly<Record<Dialect, string>> = {
  reference: "most servers' answers (default); excluded parameters are never shown",
  spec: "every field, numbers as numbers, in a data envelope",
  bare: "no envelope, no paging data, an empty answer to a delete",
  strings: "every number and flag as text",
  legacy: "an old version: url for domain, pixel_id for value, the password in plain text, no sorting",
  newer: "x for twitter, domains without www., additional fields",
  webform: "lists as an edit in the web page leaves them: reordered, CRLF, blank lines",
};

const marketDialects: Readonly<Record<MarketDialect, string>> = {
  spec: "as in the interface's description (default)",
  "nested-item": "a purchase under item, with the whole item",
  loose: "numbers as text, lists as text or objects, null for unset fields",
  translated: "status, messages and licences in another language",
  "one-item": "an account with one item answers that it has none",
};

/** A seed file; each part is optional. */
export const SEED_EXAMPLE = {
  websites: [{ id: 5, domain: "shop.example", privacy: 1, exclude_ips: "192.0.2.1" }],
  pixels: [{ name: "Ads", type: "facebook", value: "12345" }],
};

/** The text below the options. */
export function emulatorHelp(): string {
  const table = (rows: Readonly<Record<string, string>>) =>
    Object.entries(rows).map(([name, text]) => `  ${name.padEnd(12)} ${text}`);
  return [
    "",
    "Dialects of websites and pixels:",
    ...table(dialects),
    "",
    "Dialects of the marketplace:",
    ...table(marketDialects),
    "",
    'A seed file is a JSON object with "websites", "pixels", "account", "items" and "purchases", each optional.',
    "Records have the fields of the service's answers. A website needs a domain and a pixel a name; records without",
    "an id get one. The account, items and purchases replace the samples. For example:",
    `  ${JSON.stringify(SEED_EXAMPLE)}`,
    "",
    "Exit codes: 0 interrupted, 1 it can't start, 2 invalid arguments.",
    "",
    "Example:",
    "  npx pulumi-tracking emulator --port 4004 --dialect newer --seed seed.json",
  ].join("\n");
}
