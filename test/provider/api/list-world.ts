import type { Api, Request } from "../../../provider/api/api";
import { Listing } from "../../../provider/api/listing";

export interface Row {
  readonly id: string | undefined;
}

/** A page of these records, and what an honest service says of the whole. */
export function paged(ids: readonly (string | undefined)[], page: number, size: number) {
  return {
    data: ids.slice((page - 1) * size, page * size).map((id) => ({ id })),
    meta: { last_page: Math.max(1, Math.ceil(ids.length / size)), total: ids.length },
  };
}

/** A list of these records in pages of `size`; what it says of itself can be changed on the way. */
export function listing(ids: (string | undefined)[], size = 2) {
  const service = { ids, said: { last_page: true, total: true }, lies: {}, spareKey: false };
  const asked: Request["query"][] = [];
  const api: Api = async ({ query }) => {
    asked.push(query);
    const { data, meta: truth } = paged(service.ids, Number(query?.page), size);
    const meta = {
      ...(service.said.last_page && { last_page: truth.last_page }),
      ...(service.said.total && { total: truth.total }),
      ...service.lies,
    };
    return { status: 200, body: { data, meta }, spareKey: service.spareKey };
  };
  const list = new Listing<Row>(api, "/api/v1/websites", (raw) => raw as Row);
  const pages = () => asked.map((query) => Number(query?.page));
  return { list, service, asked, pages };
}

/** Reads what is left, page by page. */
export async function readAll(list: Listing<Row>): Promise<void> {
  while (list.pagesLeft > 0) await list.readNext();
}

export const idsOf = (list: Listing<Row>) => list.all().map(({ id }) => id);
