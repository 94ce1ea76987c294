import type { RemoteRecord } from "../schema/codec";
import { filterByKey } from "../schema/identity";
import type { Values } from "../schema/resource";
import type { Context } from "./context";
import { withContext } from "./errors";
import { idOf } from "./put";

/**
 * The records that have the key of a wanted one now. What a list said a moment ago is asked again, because it decides
 * about another's record.
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
