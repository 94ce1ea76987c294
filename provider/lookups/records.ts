import { readPages } from "../records/pages";
import { RecordReader } from "../records/reader";
import { encode, parseId, type RemoteRecord } from "../schema/codec";
import { type Field, optional } from "../schema/field";
import { format, formatIds } from "../schema/format";
import { filterByKey } from "../schema/identity";
import { choice } from "../schema/kinds";
import { type Fields, fieldOf, noun, type Resource, type Values } from "../schema/resource";
import { argument, type Lookup } from "./lookup";

const recordId = argument("a record's id, as text", (z) =>
  z.string().refine((value) => parseId(value) !== undefined),
);

/**
 * Whether a record is what was searched for. Services search with SQL's `LIKE`, to which `%` and `_` are wildcards, and may
 * know neither search nor filters (`searches: false` of the tests' service), so their result is filtered again.
 */
function matches(resource: Resource, filters: Fields, args: Values, found: RemoteRecord): boolean {
  const search = args.search;
  const key = found.values[resource.key];
  if (typeof search === "string" && typeof key === "string")
    if (!key.toLowerCase().includes(search.trim().toLowerCase())) return false;
  return Object.entries(filters).every(([name, field]) => {
    const value = found.values[name];
    return (
      args[name] === undefined || (value !== undefined && value !== null && field.matches(args[name], value))
    );
  });
}

/** Without its secrets, which no answer gives. */
function toLookupRecord<R>(resource: Resource, { id, values, createdAt, updatedAt }: RemoteRecord): R {
  if (id === undefined)
    throw new Error(`the service lists a ${noun(resource)} whose id can't be held exactly`);
  const visible = Object.entries(values).filter(([, value]) => value != null);
  // `R` is derived from the definition, which has these names.
  return { id, ...Object.fromEntries(visible), createdAt, updatedAt } as R;
}

async function fetchOne(reader: RecordReader, resource: Resource, id: string): Promise<RemoteRecord> {
  const found = await reader.fetchById(id);
  if (found === undefined) throw new Error(`the service has no ${noun(resource)} with id ${id}`);
  return found;
}

/** The only record with exactly this key. An error names the one that the service may have made of it, `shop.com` of `www.shop.com`. */
async function findOne(reader: RecordReader, resource: Resource, key: unknown): Promise<RemoteRecord> {
  const candidates = await reader.findByKey(key, { fresh: true });
  const [found, ...twins] = filterByKey(resource, key, candidates);
  const wanted = `the ${resource.key} ${format(undefined, key)}`;
  if (found !== undefined && twins.length > 0)
    throw new Error(
      `the service has several ${noun(resource)}s with ${wanted} (${formatIds([found, ...twins])}); look it up by id`,
    );
  if (found !== undefined) return found;
  const [lookalike] = candidates;
  const hint =
    lookalike && `; it has ${format(undefined, lookalike.values[resource.key])} (${formatIds([lookalike])})`;
  throw new Error(`the service has no ${noun(resource)} with ${wanted}${hint ?? ""}`);
}

/** The look-up of one record, by its id or its key. */
export function getOne<R>(resource: Resource): Lookup<R> {
  const keyField = resource.inputs[resource.key] as Field<unknown>;
  return {
    name: `get${resource.type}`,
    service: resource.service,
    inputs: { id: optional(recordId), [resource.key]: optional(keyField) },
    invoke: async ({ id, [resource.key]: key }, { api }) => {
      if ((id === undefined) === (key === undefined)) throw new Error(`give either id or ${resource.key}`);
      const reader = new RecordReader(api, resource);
      const found = await (typeof id === "string"
        ? fetchOne(reader, resource, id)
        : findOne(reader, resource, key));
      return toLookupRecord<R>(resource, found);
    },
  };
}

/** The look-up of all records that match, page by page. */
export function getMany<R>(resource: Resource): Lookup<R[]> {
  const filters = (resource.filters ?? []).map((name) => [name, optional(fieldOf(resource, name))] as const);
  const filtered = Object.fromEntries(filters);
  const inputs: Fields = {
    search: optional(argument("text", (z) => z.string())),
    searchBy: optional(choice([resource.key], { wire: "search_by" })),
    sortBy: optional(choice(["id", resource.key], { wire: "sort_by" })),
    sort: optional(choice(["desc", "asc"])),
    perPage: optional(
      argument<number>("10, 25, 50 or 100", (z) => z.literal([10, 25, 50, 100])),
      { wire: "per_page" },
    ),
    ...filtered,
  };
  return {
    name: `get${resource.type}s`,
    service: resource.service,
    inputs,
    invoke: async (args, { api, warn }) => {
      const sent = Object.keys(args).filter((name) => inputs[name]?.searchTerm(args[name]) !== undefined);
      const { records, complete } = await readPages(api, resource, encode({ inputs }, args, sent));
      if (!complete)
        warn(
          `get${resource.type}s: the service's list may be truncated: it returned ${records.length} ${noun(resource)}s without showing that these are all; look up missing ones by ${resource.key}`,
        );
      return records
        .filter((record) => matches(resource, filtered, args, record))
        .map((record) => toLookupRecord<R>(resource, record));
    },
  };
}
