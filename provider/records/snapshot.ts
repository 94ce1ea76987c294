import { decode, type RemoteRecord } from "../schema/codec";
import { indexByKey } from "../schema/identity";
import type { Resource } from "../schema/resource";
import type { List } from "./pages";

/** The content of a list at one time. */
export type Snapshot = ReturnType<typeof indexList>;

/**
 * The records of a list by id and by key, and whether one that it does not show does not exist.
 *
 * @param decodeRecord decodes what the service sent
 */
export function indexList(
  resource: Resource,
  list: List,
  decodeRecord = (raw: object): RemoteRecord => decode(resource, raw),
) {
  const { askedAt, answeredAt, complete, cost } = list;
  const decoded = list.records.map(decodeRecord);
  // A record without an id or a key, as of an old version that says `url` for `domain`, may be the one that is looked for.
  const isReadable = decoded.every(({ id, values }) => id !== undefined && values[resource.key] != null);
  return {
    records: decoded,
    askedAt,
    answeredAt,
    complete,
    cost,
    byId: new Map(decoded.map((record) => [record.id, record])),
    withKey: indexByKey(resource, decoded),
    isReadable,
    conclusive: complete && isReadable,
  };
}
