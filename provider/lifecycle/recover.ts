import { ApiError, parseRecord, type Request } from "../api/api";
import { decode, type RemoteRecord } from "../schema/codec";
import { mismatches } from "../schema/compare";
import { format } from "../schema/format";
import { couldHaveKey, filterByKey } from "../schema/identity";
import { noun, type Resource, type Values } from "../schema/resource";
import type { Context } from "./context";
import { describeMatches, describeRecord, LifecycleError, reasonOf } from "./errors";
import { idOf } from "./verify";

/**
 * Milliseconds between the looks for a record that may have been made: a list may be some seconds behind. No
 * longer in all, since an interrupted run is given 7 seconds by CI services.
 */
const RECHECK_DELAYS_MS = [1000, 2500];
/** Services write times in seconds, and so does HTTP: what is apart by less may be the same moment. */
const CLOCK_PRECISION_MS = 2000;

/** A create of which nobody knows whether it was done. */
interface AmbiguousCreate {
  /** The records that were there before, as far as a list of then says. */
  readonly before: readonly RemoteRecord[];
  /** When the request was sent, by our clock. */
  readonly sent: number;
  readonly why: string;
}

/**
 * The record that an unclear create has made. One counts as ours only on evidence: it was not there before, nobody
 * else of the program declares it or has it, it holds what was sent, and the service made it after we asked.
 */
export async function recoverAmbiguousCreate(
  resource: Resource,
  context: Context,
  wanted: Values,
  { before, sent, why }: AmbiguousCreate,
): Promise<RemoteRecord> {
  const again = `run the same command again; if it then says that the ${noun(resource)} exists already, "${context.hints.importCommand(resource)}" brings it under management`;
  const known = new Set(before.map(({ id }) => id));
  const look = async () => {
    const now = await context.records
      .findByKey(wanted[resource.key], { fresh: true })
      .catch((cause: unknown) => {
        throw new LifecycleError(
          `it is not known whether ${describeRecord(resource, wanted)} was created: ${why}, and looking for it failed: ${reasonOf(cause)}; ${again}`,
        );
      });
    return newRecords(
      resource,
      context,
      wanted,
      now.filter(({ id }) => !known.has(id)),
    );
  };
  let news = await look();
  for (const wait of RECHECK_DELAYS_MS) {
    if (news.length > 0) break;
    await context.sleep(wait);
    news = await look();
  }
  const [found, ...others] = news;
  if (found === undefined)
    throw new LifecycleError(
      `${describeRecord(resource, wanted)} was not created, as far as the service's list shows: ${why}; ${again}`,
    );
  if (others.length > 0)
    throw new LifecycleError(
      `it is not known which record is ${describeRecord(resource, wanted)}: ${why}, and ${describeMatches(news)}; delete the ones that are not wanted`,
    );
  const doubt = await whyNotOurs(resource, context, wanted, idOf(resource, wanted, found), sent);
  if (doubt === undefined) return found;
  throw new LifecycleError(
    `it is not known whether ${describeRecord(resource, wanted, found.id)} is the one that was to be created: ${why}, and ${doubt}; ` +
      `if it is the one, "${context.hints.importCommand(resource)}" brings it under management`,
  );
}

/** Those that may be the new record: with its key, or else with what the service may have made of that. */
function newRecords(
  resource: Resource,
  context: Context,
  wanted: Values,
  now: readonly RemoteRecord[],
): RemoteRecord[] {
  const free = now.filter(({ id }) => id === undefined || context.claims.other(id, wanted) === undefined);
  const exact = filterByKey(resource, wanted[resource.key], free);
  if (exact.length > 0) return exact;
  return free.filter(
    (found) => couldHaveKey(resource, wanted[resource.key], found) && !context.claims.declares(found.values),
  );
}

/** What speaks against a record being the one that was asked for at this time. */
async function whyNotOurs(
  resource: Resource,
  context: Context,
  wanted: Values,
  id: string,
  sent: number,
): Promise<string | undefined> {
  const request: Request = { method: "GET", path: `${resource.path}/${encodeURIComponent(id)}` };
  try {
    const answer = await context.api(request);
    const elapsed = context.clock() - sent;
    const found = decode(resource, parseRecord(request, answer));
    const [name] = mismatches(resource, wanted, Object.keys(wanted), found);
    if (name !== undefined)
      return `its ${name} is ${format(resource.inputs[name], found.values[name])} where ${format(resource.inputs[name], wanted[name])} was sent`;
    const made = Date.parse(found.createdAt ?? "");
    if (answer.date === undefined || Number.isNaN(made)) return "the service does not say when it was made";
    // By the service's clock alone: nobody knows how far ours is from it.
    return made < answer.date - elapsed - CLOCK_PRECISION_MS
      ? `it was made at ${found.createdAt}, before that`
      : undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `reading it failed: ${error.reason}`;
  }
}
