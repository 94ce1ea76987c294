import type { RemoteRecord } from "../schema/codec";
import { filterByKey } from "../schema/identity";
import type { Values } from "../schema/resource";
import type { Context } from "./context";
import { withContext } from "./errors";
import { idOf } from "./put";

/**
 * The existing records with the key of the wanted one. Listed records are read again, because a recent list is no
 * proof, and the answer decides about somebody else's record.
 */
export async function currentRecords(
  context: Context,
  wanted: Values,
  listed: readonly RemoteRecord[],
): Promise<RemoteRecord[]> {
  const { resource, records } = context;
  const key = wanted[resource.key];
  const existing: RemoteRecord[] = [];
  for (const match of filterByKey(resource, key, listed)) {
    const id = idOf(context, wanted, match);
    const now = await withContext({ resource, values: wanted }, "looked for", () => records.fetch(id, key));
    if (now !== undefined) existing.push(...filterByKey(resource, key, [now]));
  }
  return existing;
}
