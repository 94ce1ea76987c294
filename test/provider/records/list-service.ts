import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { RecordReader } from "../../../provider/records/reader";
import { optional, required, scalar } from "../../../provider/schema/field";
import { defineResource } from "../../../provider/schema/resource";
import { type ListWays, pageOf } from "../../service/lists";

/** A record as these services have it: its id is its key. */
export interface Row {
  readonly id: string;
  readonly at?: number;
}

export const path = "/api/v1/things";

/** A service with these records, which can be changed on the way, what it was asked, and a reader of them. */
export function listService(ids: readonly string[], manner: ListWays = {}) {
  const { page, searches = true } = manner;
  const service = { rows: ids.map((id): Row => ({ id })), manner };
  const asked: Request[] = [];
  const api: Api = async (request) => {
    asked.push(request);
    if (request.path === path) {
      if (page === "refused" && request.query?.page !== undefined)
        throw new ApiError(request, "rejected", "unknown parameter", { status: 422 });
      const { query = {} } = request;
      const { search } = query;
      const found = service.rows.filter(({ id }) => search === undefined || !searches || id.includes(search));
      return { status: 200, body: pageOf(found, query, manner) };
    }
    const row = service.rows.find(({ id }) => request.path === `${path}/${id}`);
    if (row === undefined) throw new ApiError(request, "missing", "gone", { status: 404 });
    return { status: 200, body: row };
  };
  /** What was asked, in short: `list`, `list 2`, `search a`, `5`. */
  const lines = () =>
    asked.map(({ path: to, query = {} }) => {
      if (to !== path) return to.slice(path.length + 1);
      const kind = query.search === undefined ? "list" : `search ${query.search}`;
      return query.page === undefined ? kind : `${kind} ${query.page}`;
    });
  return { api, asked, lines, service, records: new RecordReader(api, thing) };
}

/** What these records are: the key is the id, and one that begins with `odd` can't be searched for. */
export const thing = defineResource({
  type: "Thing",
  service: "data",
  path,
  key: "name",
  inputs: {
    name: required<string>({
      wire: "id",
      expected: "text",
      validator: (z) => z.string(),
      encode: (value) => value,
      decode: scalar,
      searchTerm: (value) => (value.startsWith("odd") ? undefined : value),
    }),
    at: optional<number>({
      expected: "a number",
      validator: (z) => z.number(),
      encode: String,
      decode: (raw) => (typeof raw === "number" ? raw : undefined),
    }),
  },
});

/** Such a record as the reader gives it. */
export const record = (id: string, at?: number) => ({ id, values: { name: id, at } });

/** Ids from 1, or from another. */
export const ids = (count: number, from = 1) => Array.from({ length: count }, (_, at) => String(from + at));
