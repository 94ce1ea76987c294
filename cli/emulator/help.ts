import type { Dialect, MarketDialect } from "../../emulator";

const dialects: Readonly<Record<Dialect, string>> = {
  reference: "as most servers answer (default); excluded parameters are never shown",
  spec: "every field is shown, numbers as numbers, in an envelope of data",
  bare: "no envelope, no paging data, nothing in answer to a delete",
  strings: "every number and flag as text",
  legacy: "an old version: url for domain, pixel_id for value, the password in clear, no sorting",
  newer: "x for twitter, no www. in front of a domain, fields that nobody else has",
  webform: "lists of lines as an edit in the web page leaves them: reordered, CRLF, blank lines",
};

const marketDialects: Readonly<Record<MarketDialect, string>> = {
  spec: "as the interface is described (default)",
  "nested-item": "a purchase comes at item, which holds the whole item",
  loose: "numbers as text, lists as text or objects, and null for what is not set",
  translated: "status, messages and licences in another language",
  "one-item": "an account with exactly one item is said to have none",
};

/** What a seed file holds; each part may be left out. */
export const SEED_EXAMPLE = {
  websites: [{ id: 5, domain: "shop.example", privacy: 1, exclude_ips: "192.0.2.1" }],
  pixels: [{ name: "Ads", type: "facebook", value: "12345" }],
};

/** What stands below the options. */
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
    'A seed file is a JSON object with "websites", "pixels", "account", "items" and "purchases"; each may be left out.',
    "Its records have the fields of the service's own answers. A website needs a domain and a pixel a name; ids are",
    "given to those without one. The account, items and purchases replace the samples that are there otherwise. Such as:",
    `  ${JSON.stringify(SEED_EXAMPLE)}`,
  ].join("\n");
}
