import type { Api, Request } from "../../../provider/api/api";
import { Listing } from "../../../provider/api/listing";

export interface Row {
  readonly id: string | undefined;
}

/** A list of these records in pages of `size`; what it says of itself can be changed on the way. */
export function listing(ids: (string | undefined)[], size = 2) {
  const service = { ids, said: { last_page: true, total: true }, lies: {}, spareKey: false };
  const asked: Request["query"][] = [];
  const api: Api = async ({ query }) => {
    asked.push(query);
    const from = (Number(query?.page) - 1) * size;
    const data = service.ids.slice(from, from + size).map((id) => ({ id }));
    const meta = {
      ...(service.said.last_page && { last_page: Math.max(1, Math.ceil(service.ids.length / size)) }),
      ...(service.said.total && { total: service.ids.length }),
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
