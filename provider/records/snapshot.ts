import { indexByKey } from "../schema/identity";
import type { Resource } from "../schema/resource";
import type { List } from "./pages";

/** The content of a list at one time. */
export type Snapshot = ReturnType<typeof indexList>;

/** The records of a list by id and by key, and whether one that it does not show does not exist. */
export function indexList(resource: Resource, { records, askedAt, answeredAt, complete, cost }: List) {
  // A record without an id or a key, as of an old version that says `url` for `domain`, may be the one that is looked for.
  const isReadable = records.every(({ id, values }) => id !== undefined && values[resource.key] != null);
  return {
    records,
    askedAt,
    answeredAt,
    complete,
    cost,
    byId: new Map(records.map((record) => [record.id, record])),
    withKey: indexByKey(resource, records),
    isReadable,
    conclusive: complete && isReadable,
  };
}
