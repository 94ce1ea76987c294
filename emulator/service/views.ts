import type { Page } from "./listing";
import type { Json, JsonObject } from "./response";
import type { Row } from "./store";
import type { FormValues } from "./validation";

/** How a record is written in an answer. `sent` is the form, in the answer to a write. */
export type View = (row: Row, sent?: FormValues) => JsonObject;

/** Times are kept in milliseconds and written in microseconds. */
function times(row: Row): JsonObject {
  const written = (time: string) => time.replace(/(\.\d{3})Z$/, "$1000Z");
  return { created_at: written(row.created_at), updated_at: written(row.updated_at) };
}

/** In the answer to a write, the optional columns repeat the form: text, or null. */
export function echoedWebsite(row: Row, sent?: FormValues): JsonObject {
  const echo = (name: string): Json => (sent === undefined ? (row[name] ?? null) : (sent[name] ?? null));
  return {
    id: row.id,
    domain: row.domain ?? null,
    privacy: echo("privacy"),
    email: echo("email"),
    password: row.password !== null,
    exclude_bots: echo("exclude_bots"),
    exclude_ips: echo("exclude_ips"),
    ...times(row),
  };
}

/** Every column, the password's text included. */
export function wholeWebsite(row: Row): JsonObject {
  return { ...row, ...times(row) };
}

/** A pixel as it is stored. */
export function plainPixel(row: Row): JsonObject {
  return {
    id: row.id,
    name: row.name ?? null,
    type: row.type ?? null,
    value: row.value ?? null,
    ...times(row),
  };
}

/** A website with additional fields. */
export function newerWebsite(row: Row, sent?: FormValues): JsonObject {
  const favicon = `https://icons.example.com/${row.domain}.png`;
  return { ...echoedWebsite(row, sent), object: "website", favicon, tags: [], team: null };
}

/** What newer servers call a type. */
export function newerType(type: string): string {
  return type === "twitter" ? "x" : type;
}

/** A pixel with additional fields, and the new name of one type. */
export function newerPixel(row: Row): JsonObject {
  return { ...plainPixel(row), type: newerType(String(row.type)), object: "pixel", links_count: 0 };
}

/** The paging data of a list. */
export function paging(page: Page): { links: JsonObject; meta: JsonObject } {
  const { number, lastPage, perPage, total, rows, address } = page;
  const link = (target: number) => `${address}?per_page=${perPage}&page=${target}`;
  const before = (number - 1) * perPage;
  return {
    links: {
      first: link(1),
      last: link(lastPage),
      prev: number > 1 ? link(number - 1) : null,
      next: number < lastPage ? link(number + 1) : null,
    },
    meta: {
      current_page: number,
      from: rows.length > 0 ? before + 1 : null,
      last_page: lastPage,
      path: address,
      per_page: perPage,
      to: rows.length > 0 ? before + rows.length : null,
      total,
    },
  };
}
