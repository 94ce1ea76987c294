import {
  type Collection,
  type Kind,
  normalizeDomain,
  pixelCollection,
  pixels,
  pixelTypes,
  websiteCollection,
  websites,
} from "./collections";
import type { Page } from "./listing";
import type { Json, JsonObject, ServiceResponse } from "./response";
import type { ValidationErrors } from "./validation";
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

/** How one server differs in websites and pixels. */
export interface DialectRules {
  collections: readonly Collection[];
  /** Whether a new record gets the interface's defaults; otherwise the store has NULL. */
  presets: boolean;
  /** Whether lists support `sort_by` and `sort`. */
  sorts: boolean;
  view: Record<Kind, View>;
  shown(record: JsonObject): ServiceResponse;
  stored(record: JsonObject): ServiceResponse;
  removed(kind: Kind, id: number): ServiceResponse;
  /** A list; without `page` it carries no paging data. */
  listed(records: JsonObject[], page: Page | undefined): ServiceResponse;
  refused(complaints: ValidationErrors): ServiceResponse;
  failed(status: number, message: string): ServiceResponse;
  /** The answer to an update of a record that isn't there. */
  notUpdated(kind: Kind): ServiceResponse;
  /** How the web page stores a list that someone edits in it. */
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
  shown: (record) => stringified(reference.shown(record)),
  stored: (record) => stringified(reference.stored(record)),
  removed: (kind, id) => stringified(reference.removed(kind, id)),
  listed: (records, page) => stringified(reference.listed(records, page)),
  refused: (complaints) => stringified(reference.refused(complaints)),
  failed: (status, message) => stringified(reference.failed(status, message)),
  notUpdated: (kind) => stringified(reference.notUpdated(kind)),
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
    websiteCollection((domain) => normalizeDomain(domain).replace(/^www\./, "")),
    pixelCollection(pixelTypes.map(newerType), newerType),
  ],
  view: { website: newerWebsite, pixel: newerPixel },
};

const webform: DialectRules = { ...reference, typed: asWebForm };

/** The dialects of the websites and pixels interfaces. */
export const dialects = { reference, spec, bare, strings, legacy, newer, webform } as const;

/**
 * A dialect of the websites and pixels interfaces.
 *
 * @useDeclaredType
 */
export type Dialect = keyof typeof dialects;

/** Every dialect of websites and pixels. */
export const dialectNames = Object.keys(dialects) as Dialect[];

/** Every number and truth value of an answer as text, as an untyped database driver returns them. */
function stringified(answer: ServiceResponse): ServiceResponse {
  const text = (value: Json): Json => {
    if (typeof value === "number") return String(value);
    if (typeof value === "boolean") return value ? "1" : "0";
    if (Array.isArray(value)) return value.map(text);
    if (value === null || typeof value === "string") return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, text(member)]));
  };
  return { ...answer, body: text(answer.body ?? {}) as JsonObject };
}

/** The lines in reverse order, with CRLF and blank lines between. */
function asWebForm(lines: string): string {
  const reversed = lines.split(/\s*\n\s*/).reverse();
  return `\r\n${reversed.join("\r\n\r\n")}\r\n`;
}
