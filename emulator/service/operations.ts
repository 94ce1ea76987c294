import type { Collection } from "./collections";
import type { DialectRules } from "./dialects";
import { pageOf, selectRows } from "./listing";
import type { ServiceRequest } from "./request";
import type { Outcome, ServiceResponse } from "./response";
import type { ServiceState } from "./state";
import type { Row, Table } from "./store";
import { columnsOf, parseForm, validationErrors } from "./validation";

/** One request to one collection; `id` is the last part of the path. */
export interface Call {
  state: ServiceState;
  rules: DialectRules;
  collection: Collection;
  table: Table;
  request: ServiceRequest;
  id: string;
}

/** What a method does to a collection or a record. Nothing changes before the outcome's `change` is run. */
export type Operation = (call: Call) => Outcome;

/** The same answer for a missing record and for an unknown path. */
export function renderNotFound(rules: DialectRules): ServiceResponse {
  return rules.renderError(404, "Resource not found.");
}

function recordAt(table: Table, id: string): Row | undefined {
  return /^[1-9]\d*$/.test(id) ? table.find(Number(id)) : undefined;
}

function isTakenIn({ tables, otherTenant }: ServiceState, collection: Collection, self?: Row) {
  return (column: string, value: string): boolean =>
    (column === "domain" && otherTenant.has(value)) ||
    tables[collection.model].all().some((row) => row[column] === value && row.id !== self?.id);
}

/** GET of a collection. */
export const list: Operation = ({ rules, collection, table, request }) => {
  const rows = selectRows(table.all(), request.query, collection);
  const page = pageOf(rows, request.query, `${request.origin}${collection.path}`);
  const records = page.rows.map((row) => rules.view[collection.model](row));
  return { response: rules.renderList(records, page) };
};

/** GET of a record. */
export const get: Operation = ({ rules, collection, table, id }) => {
  const row = recordAt(table, id);
  return { response: row ? rules.renderRecord(rules.view[collection.model](row)) : renderNotFound(rules) };
};

/** POST to a collection. */
export const create: Operation = ({ state, rules, collection, table, request }) => {
  const sent = parseForm(collection.fields, request.form, undefined);
  const columns = columnsOf(collection.fields, sent, { withDefaults: rules.appliesDefaults });
  const next = { ...table.blank, ...columns };
  const errors = validationErrors(collection.fields, sent, undefined, next, isTakenIn(state, collection));
  if (Object.keys(errors).length > 0) return { response: rules.renderInvalid(errors) };

  const now = new Date().toISOString();
  const row: Row = { ...next, id: table.reserveId(), created_at: now, updated_at: now };
  return {
    response: rules.renderCreated(rules.view[collection.model](row, sent)),
    change: () => table.insert(row),
  };
};

/** PUT or PATCH of a record. */
export const update: Operation = ({ state, rules, collection, table, request, id }) => {
  const row = recordAt(table, id);
  if (row === undefined) return { response: rules.renderUpdateOfMissing(collection.model) };
  const sent = parseForm(collection.fields, request.form, row);
  const columns = columnsOf(collection.fields, sent);
  const next: Row = { ...row, ...columns, updated_at: new Date().toISOString() };
  const errors = validationErrors(collection.fields, sent, row, next, isTakenIn(state, collection, row));
  if (Object.keys(errors).length > 0) return { response: rules.renderInvalid(errors) };
  return {
    response: rules.renderRecord(rules.view[collection.model](next, sent)),
    change: () => table.update(row.id, columns),
  };
};

/** DELETE of a record. */
export const remove: Operation = ({ rules, collection, table, id }) => {
  const row = recordAt(table, id);
  if (row === undefined) return { response: renderNotFound(rules) };
  return { response: rules.renderDeleted(collection.model, row.id), change: () => table.remove(row.id) };
};
