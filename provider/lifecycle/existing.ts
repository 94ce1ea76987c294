import type { RemoteRecord } from "../schema/codec";
import { formatIds } from "../schema/format";
import { filterByKey } from "../schema/identity";
import type { Values } from "../schema/resource";
import type { Context } from "./context";
import { describeOwner, describeRecord, LifecycleError, withContext } from "./errors";
import { idOf } from "./put";

/** Whether a record has the key of a wanted one now. */
export async function hasKey({ resource, records }: Context, wanted: Values, id: string): Promise<boolean> {
  const key = wanted[resource.key];
  const now = await records.fetch(id, key);
  return now !== undefined && filterByKey(resource, key, [now]).length > 0;
}

/** What there is of a key. */
export interface Findings {
  /** The records that have it now. */
  readonly existing: readonly RemoteRecord[];
  /** What the service has listed beside them. */
  readonly listed: readonly RemoteRecord[];
}

/**
 * The records that have the key of a wanted one now. What a list said before is asked for again, since it decides
 * about another's record; and where a resource of this program moves away from one, that is waited for. After that
 * no list of before is believed.
 */
export async function currentRecords(
  context: Context,
  wanted: Values,
  listed: readonly RemoteRecord[],
): Promise<Findings> {
  const { resource, records, claims } = context;
  const key = wanted[resource.key];
  const subject = { resource, values: wanted };
  const matches = filterByKey(resource, key, listed);
  if (matches.length === 0) return { existing: [], listed };
  if (!(await claims.settled()))
    throw new LifecycleError(
      `${describeRecord(subject)} exists already (${formatIds(matches)}), and whether another resource of this program has it is not known, since one was refused or failed; run the same command again once that is mended`,
    );
  const existing: RemoteRecord[] = [];
  for (const match of matches) {
    const id = idOf(context, wanted, match);
    const standing = claims.standing(id, wanted);
    if (standing.is === "gone") continue;
    if (standing.is === "moving") {
      if (await claims.vacated(id, wanted)) return currentRecords(context, wanted, await lookAgain());
      throw new LifecycleError(
        `${describeRecord({ ...subject, id })} belongs to ${describeOwner(standing.by)}, which moves away from it, and has not done so; run the same command again`,
      );
    }
    const now = await withContext(subject, "looked for", () => records.fetch(id, key));
    // Meanwhile its resource may have begun to move away, or may have done so.
    if (claims.standing(id, wanted).is !== standing.is) return currentRecords(context, wanted, listed);
    if (now !== undefined) existing.push(...filterByKey(resource, key, [now]));
  }
  return { existing, listed };

  function lookAgain(): Promise<RemoteRecord[]> {
    return withContext(subject, "looked for", () => records.findByKey(key, { fresh: true }));
  }
}
