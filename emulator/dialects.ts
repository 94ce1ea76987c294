import type { Answer, Json, JsonObject } from "./answer";
import {
  type Collection,
  type Kind,
  pixelCollection,
  pixels,
  pixelTypes,
  plainDomain,
  websiteCollection,
  websites,
} from "./collections";
import type { Page } from "./listing";
import type { Complaints } from "./validation";
import {
  echoedWebsite,
  newerPixel,
  newerType,
  newerWebsite,
  oldPixel,
  oldWebsite,
  paging,
  plainPixel,
  plainWebsite,
  type View,
  wholeWebsite,
} from "./views";

/** All that one server does in its own way with websites and pixels. */
export interface DialectRules {
  collections: readonly Collection[];
  /** Whether a new record gets the defaults that the interface names; elsewhere the store keeps NULL. */
  presets: boolean;
  /** Whether lists heed `sort_by` and `sort`. */
  sorts: boolean;
  view: Record<Kind, View>;
  shown(record: JsonObject): Answer;
  stored(record: JsonObject): Answer;
  removed(kind: Kind, id: number): Answer;
  /** A list; without `page` it carries no paging data. */
  listed(records: JsonObject[], page: Page | undefined): Answer;
  refused(complaints: Complaints): Answer;
  failed(status: number, message: string): Answer;
  /** The answer to an update of a record that isn't there. */
  notUpdated(kind: Kind): Answer;
  /** What the web page makes of a list of lines that someone edits in it. */
  typed(lines: string): string;
}

const reference: DialectRules = {
  collections: [websites, pixels],
  presets: false,
  sorts: true,
  view: { website: echoedWebsite, pixel: plainPixel },
  shown: (data) => ({ status: 200, body: { data, status: 200 } }),
  stored: (data) => ({ status: 201, body: { data, status: 200 } }),
  removed: (object, id) => ({ status: 200, body: { id, object, deleted: true, status: 200 } }),
  listed: (data, page) => ({ status: 200, body: { data, ...paging(page), status: 200 } }),
  refused: (message) => ({ status: 422, body: { message, status: 422 } }),
  failed: (status, message) => ({ status, body: { message, status } }),
  notUpdated: (kind) => ({
    status: 404,
    body: { message: `No query results for model [${kind}].`, status: 404 },
  }),
  typed: (lines) => lines,
};

const spec: DialectRules = {
  ...reference,
  presets: true,
  view: { website: wholeWebsite, pixel: plainPixel },
  shown: (data) => ({ status: 200, body: { data } }),
  stored: (data) => ({ status: 201, body: { data } }),
  removed: (_kind, id) => ({ status: 200, body: { data: { id, deleted: true } } }),
  listed: (data, page) => ({ status: 200, body: { data, ...paging(page) } }),
  refused: (errors) => ({ status: 422, body: { message: "The given data was invalid.", errors } }),
  failed: (status, message) => ({ status, body: { message } }),
  notUpdated: () => ({ status: 404, body: { message: "Not found." } }),
};

const bare: DialectRules = {
  ...spec,
  presets: false,
  view: { website: plainWebsite, pixel: plainPixel },
  shown: (record) => ({ status: 200, body: record }),
  stored: (record) => ({ status: 201, body: record }),
  removed: () => ({ status: 204 }),
  listed: (records) => ({ status: 200, body: records }),
};

const strings: DialectRules = {
  ...reference,
  shown: (record) => stringly(reference.shown(record)),
  stored: (record) => stringly(reference.stored(record)),
  removed: (kind, id) => stringly(reference.removed(kind, id)),
  listed: (records, page) => stringly(reference.listed(records, page)),
  refused: (complaints) => stringly(reference.refused(complaints)),
  failed: (status, message) => stringly(reference.failed(status, message)),
  notUpdated: (kind) => stringly(reference.notUpdated(kind)),
};

const legacy: DialectRules = {
  ...reference,
  sorts: false,
  view: { website: oldWebsite, pixel: oldPixel },
  listed: (data, page) => ({ status: 200, body: { data, ...paging(page, String), status: 200 } }),
  notUpdated: () => ({ status: 500, body: { message: "Server Error" } }),
};

const newer: DialectRules = {
  ...reference,
  collections: [
    websiteCollection((domain) => plainDomain(domain).replace(/^www\./, "")),
    pixelCollection(pixelTypes.map(newerType), newerType),
  ],
  view: { website: newerWebsite, pixel: newerPixel },
};

const webform: DialectRules = { ...reference, typed: retyped };

/** The ways in which servers speak the websites and pixels interfaces. */
export const dialects = { reference, spec, bare, strings, legacy, newer, webform } as const;

/**
 * A way in which servers speak the websites and pixels interfaces.
 *
 * @useDeclaredType
 */
export type Dialect = keyof typeof dialects;

/** Every dialect of websites and pixels. */
export const dialectNames = Object.keys(dialects) as Dialect[];

/** Every number and truth value of an answer as text, as a database driver without types gives them. */
function stringly(answer: Answer): Answer {
  const text = (value: Json): Json => {
    if (typeof value === "number") return String(value);
    if (typeof value === "boolean") return value ? "1" : "0";
    if (Array.isArray(value)) return value.map(text);
    if (value === null || typeof value === "string") return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, text(member)]));
  };
  return { ...answer, body: text(answer.body ?? {}) as JsonObject };
}

/** Lines in the opposite order, with other ends and blank ones between. */
function retyped(lines: string): string {
  const reversed = lines.split(/\s*\n\s*/).reverse();
  return `\r\n${reversed.join("\r\n\r\n")}\r\n`;
}
