import {
  type Collection,
  type Model,
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
  paging,
  plainPixel,
  type View,
  wholeWebsite,
} from "./views";

/** How one server differs in websites and pixels. */
export interface DialectRules {
  collections: readonly Collection[];
  /** Whether a new record gets the interface's defaults; otherwise the store has NULL. */
  appliesDefaults: boolean;
  view: Record<Model, View>;
  renderRecord(record: JsonObject): ServiceResponse;
  renderCreated(record: JsonObject): ServiceResponse;
  renderDeleted(model: Model, id: number): ServiceResponse;
  renderList(records: JsonObject[], page: Page): ServiceResponse;
  renderInvalid(errors: ValidationErrors): ServiceResponse;
  renderError(status: number, message: string): ServiceResponse;
  /** The answer to an update of a record that isn't there. */
  renderUpdateOfMissing(model: Model): ServiceResponse;
  /** How the web interface stores a list that someone edits in it. */
  editLines(lines: string): string;
}

/** Every number and truth value of an answer as text. */
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

/**
 * What most servers of this interface do, which are Laravel applications: a write's answer repeats its form, and what was omitted
 * is NULL.
 */
const reference: DialectRules = {
  collections: [websites, pixels],
  appliesDefaults: false,
  view: { website: echoedWebsite, pixel: plainPixel },
  renderRecord: (data) => ({ status: 200, body: { data, status: 200 } }),
  renderCreated: (data) => ({ status: 201, body: { data, status: 200 } }),
  renderDeleted: (object, id) => ({ status: 200, body: { id, object, deleted: true, status: 200 } }),
  renderList: (data, page) => ({ status: 200, body: { data, ...paging(page), status: 200 } }),
  renderInvalid: (message) => ({ status: 422, body: { message, status: 422 } }),
  renderError: (status, message) => ({ status, body: { message, status } }),
  renderUpdateOfMissing: (model) => ({
    status: 404,
    body: { message: `No query results for model [${model}].`, status: 404 },
  }),
  editLines: (lines) => lines,
};

/** The interface's description, to the letter: defaults, whole records, errors by field. */
const spec: DialectRules = {
  ...reference,
  appliesDefaults: true,
  view: { website: wholeWebsite, pixel: plainPixel },
  renderRecord: (data) => ({ status: 200, body: { data } }),
  renderCreated: (data) => ({ status: 201, body: { data } }),
  renderDeleted: (_kind, id) => ({ status: 200, body: { data: { id, deleted: true } } }),
  renderList: (data, page) => ({ status: 200, body: { data, ...paging(page) } }),
  renderInvalid: (errors) => ({ status: 422, body: { message: "The given data was invalid.", errors } }),
  renderError: (status, message) => ({ status, body: { message } }),
  renderUpdateOfMissing: () => ({ status: 404, body: { message: "Not found." } }),
};

/** Records and lists without an envelope: nothing says how many pages a list has. */
const bare: DialectRules = {
  ...spec,
  appliesDefaults: false,
  view: { website: (row) => echoedWebsite(row), pixel: plainPixel },
  renderRecord: (record) => ({ status: 200, body: record }),
  renderCreated: (record) => ({ status: 201, body: record }),
  renderDeleted: () => ({ status: 204 }),
  renderList: (records) => ({ status: 200, body: records }),
};

/** Every number and flag as text, as PHP before 8.1 reads them from MySQL. */
const strings: DialectRules = {
  ...reference,
  renderRecord: (record) => stringified(reference.renderRecord(record)),
  renderCreated: (record) => stringified(reference.renderCreated(record)),
  renderDeleted: (model, id) => stringified(reference.renderDeleted(model, id)),
  renderList: (records, page) => stringified(reference.renderList(records, page)),
  renderInvalid: (errors) => stringified(reference.renderInvalid(errors)),
  renderError: (status, message) => stringified(reference.renderError(status, message)),
  renderUpdateOfMissing: (model) => stringified(reference.renderUpdateOfMissing(model)),
};

/** A newer version of the reference: it drops a leading `www.`, calls the type `twitter` `x`, and shows more fields. */
const newer: DialectRules = {
  ...reference,
  collections: [
    websiteCollection((domain) => normalizeDomain(domain).replace(/^www\./, "")),
    pixelCollection(pixelTypes.map(newerType)),
  ],
  view: { website: newerWebsite, pixel: newerPixel },
};

/** The reference, if people edit lists in its web interface: the browser sends CRLF, in another order. */
const webform: DialectRules = { ...reference, editLines: asWebForm };

/** The dialects of the websites and pixels interfaces. */
export const dialects = { reference, spec, bare, strings, newer, webform } as const;

/**
 * A dialect of the websites and pixels interfaces.
 *
 * @useDeclaredType
 */
export type Dialect = keyof typeof dialects;

/** Every dialect of websites and pixels. */
export const dialectNames = Object.keys(dialects) as Dialect[];
