import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { optional, required, scalar } from "../../../provider/schema/field";
import { defineResource } from "../../../provider/schema/resource";

/** A record as these services have it: its id is its key. */
export interface Row {
  readonly id: string;
  readonly at?: number;
}

/** What an honest service says of a page and the whole. */
interface Said {
  readonly current_page: number;
  readonly per_page: number;
  readonly last_page: number;
  readonly total: number;
  /** How many records are on this page, which some services call the total. */
  readonly here: number;
}

/** How a service gives its list. */
export interface Manner {
  /** Records per page, whatever the request asks for; by default as many as it asks for. */
  readonly size?: number;
  /** What `page` means: the number of a page counted from 1 or 0, or nothing. */
  readonly page?: "from 1" | "from 0" | "ignored" | "refused";
  /** What it says of the page and the whole. */
  readonly says?: (said: Said) => object;
  /** Whether it heeds `search`. */
  readonly searches?: boolean;
}

export const honest = ({ here: _, ...said }: Said) => said;
export const silent = () => ({});

export const path = "/api/v1/things";

/** A service with these records, which can be changed on the way, and what it was asked. */
export function listService(ids: readonly string[], manner: Manner = {}) {
  const { page = "from 1", says = honest, searches = true } = manner;
  const service = { rows: ids.map((id): Row => ({ id })), manner };
  const asked: Request[] = [];
  const pageOf = (query: Request["query"] = {}) => {
    const { search } = query;
    const found = service.rows.filter(({ id }) => search === undefined || !searches || id.includes(search));
    const size = manner.size ?? Number(query.per_page ?? 10);
    const first = page === "from 0" ? 0 : 1;
    const at = page === "ignored" ? 0 : Number(query.page ?? first) - first;
    const data = found.slice(at * size, (at + 1) * size);
    const last_page = Math.max(1, Math.ceil(found.length / size));
    const current_page = page === "ignored" ? 1 : at + first;
    const said = { current_page, per_page: size, last_page, total: found.length, here: data.length };
    return { data, meta: says(said) };
  };
  const api: Api = async (request) => {
    asked.push(request);
    if (request.path === path) {
      if (page === "refused" && request.query?.page !== undefined)
        throw new ApiError(request, "rejected", "unknown parameter", { status: 422 });
      return { status: 200, body: pageOf(request.query) };
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
  return { api, asked, lines, service };
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
