/** What an honest service says of a page and the whole. */
export interface Said {
  readonly current_page: number;
  readonly per_page: number;
  readonly last_page: number;
  readonly total: number;
  /** How many records are on this page, which some services call the total. */
  readonly here: number;
}

/** How a service gives its list. */
export interface ListWays {
  /** What `page` means: the number of a page counted from 1 or 0, or no page at all. */
  readonly page?: "from 1" | "from 0" | "ignored" | "refused";
  /** What it says of the page and the whole. */
  readonly says?: (said: Said) => object;
  /** Whether it heeds `search`. */
  readonly searches?: boolean;
}

export const honest = ({ here: _, ...said }: Said) => said;
export const silent = () => ({});

/** The page of these records that a request gets. */
export function pageOf<T>(
  found: readonly T[],
  asked: { readonly page?: string | null; readonly per_page?: string | null },
  { page = "from 1", says = honest }: ListWays = {},
): { data: T[]; meta: object } {
  const size = Number(asked.per_page ?? 10);
  const first = page === "from 0" ? 0 : 1;
  const at = page === "ignored" ? 0 : Number(asked.page ?? first) - first;
  const data = found.slice(at * size, (at + 1) * size);
  const last_page = Math.max(1, Math.ceil(found.length / size));
  const current_page = page === "ignored" ? 1 : at + first;
  const meta = says({ current_page, per_page: size, last_page, total: found.length, here: data.length });
  return { data, meta };
}
