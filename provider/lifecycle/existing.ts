import type { RemoteRecord } from "../schema/codec";
import { formatIds } from "../schema/format";
import { filterByKey } from "../schema/identity";
import type { Values } from "../schema/resource";
import type { Context } from "./context";
import { describeOwner, describeRecord, LifecycleError, withContext } from "./errors";
import { idOf } from "./put";

/**
 * The records that have the key of a wanted one now. What a list said before is asked for again, since it decides
 * about another's record; and where a resource of this program moves away from one, that is waited for.
 */
export async function currentRecords(
  context: Context,
  wanted: Values,
  listed: readonly RemoteRecord[],
): Promise<RemoteRecord[]> {
  const { resource, records, claims } = context;
  const key = wanted[resource.key];
  const subject = { resource, values: wanted };
  const matches = filterByKey(resource, key, listed);
  if (matches.length === 0) return [];
  if (!(await claims.settled()))
    throw new LifecycleError(
      `${describeRecord(subject)} exists already (${formatIds(matches)}), and whether another resource of this program has it is not known, since one was refused or failed; run the same command again once that is mended`,
    );
  const existing: RemoteRecord[] = [];
  for (const match of matches) {
    const id = idOf(context, wanted, match);
    const standing = claims.standing(id, wanted);
    if (standing.is === "moving" && !(await claims.vacated(id, wanted)))
      throw new LifecycleError(
        `${describeRecord({ ...subject, id })} belongs to ${describeOwner(standing.by)}, which moves away from it, and has not done so; run the same command again`,
      );
    if (claims.standing(id, wanted).is === "gone") continue;
    const now = await withContext(subject, "looked for", () => records.fetch(id, key));
    if (now !== undefined) existing.push(...filterByKey(resource, key, [now]));
  }
  return existing;
}
