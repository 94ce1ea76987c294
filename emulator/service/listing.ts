import type { Collection } from "./collections";
import type { Row } from "./store";

/** One page of a list. */
export interface Page {
  rows: Row[];
  number: number;
  perPage: number;
  /** Records on all pages. */
  total: number;
  lastPage: number;
  /** Address of the list, without its query. */
  address: string;
}

/** The supported page sizes; for any other the first is used. */
const pageSizes = [10, 25, 50, 100] as const;

/** A substring in any case, in which `%` stands for any text and `_` for any one character. */
function searchPattern(search: string): RegExp {
  const wildcards = search
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("%", ".*")
    .replaceAll("_", ".");
  return new RegExp(wildcards, "isu");
}

function compareValues(one: Row[string] | undefined, other: Row[string] | undefined): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en");
}

/** The rows that a list's parameters select, in their order. */
export function selectRows(rows: readonly Row[], query: URLSearchParams, collection: Collection): Row[] {
  const { key, filters, fields } = collection;
  const pattern = searchPattern(query.get("search") ?? "");
  const selected = filters.reduce(
    (left, name) => {
      const value = query.get(name);
      const normalize = fields.find((field) => field.name === name)?.normalize;
      return value ? left.filter((row) => row[name] === (normalize?.(value) ?? value)) : left;
    },
    rows.filter((row) => pattern.test(String(row[key]))),
  );
  const column = query.get("sort_by") === key ? key : "id";
  const isAscending = query.get("sort") === "asc";
  const ordered = selected.sort(
    (one, other) => compareValues(one[column], other[column]) || one.id - other.id,
  );
  return isAscending ? ordered : ordered.reverse();
}

/** The requested page. Past the end it is empty. */
export function pageOf(rows: readonly Row[], query: URLSearchParams, address: string): Page {
  const size = Number(query.get("per_page"));
  const perPage = pageSizes.find((allowed) => allowed === size) ?? pageSizes[0];
  const requested = Number(query.get("page") ?? 1);
  const number = Number.isInteger(requested) && requested >= 1 ? requested : 1;
  return {
    rows: rows.slice((number - 1) * perPage, number * perPage),
    number,
    perPage,
    total: rows.length,
    lastPage: Math.max(1, Math.ceil(rows.length / perPage)),
    address,
  };
}
