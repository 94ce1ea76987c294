import { ApiError, type Request } from "../api/api";
import { parseRecord } from "../api/envelope";
import { decode, type RemoteRecord } from "../schema/codec";
import { mismatches } from "../schema/compare";
import { format } from "../schema/format";
import { couldHaveKey, filterByKey } from "../schema/identity";
import { noun, type Values } from "../schema/resource";
import type { Context } from "./context";
import { describeMatches, describeRecord, IMPORT, LifecycleError, reasonOf } from "./errors";
import { idOf } from "./put";

/**
 * Milliseconds between the looks for a record that may have been made: a list may be some seconds behind. No
 * longer in all, since an interrupted run is given 7 seconds by CI services.
 */
const RECHECK_DELAYS_MS = [1000, 2500];
/** Services write times in seconds, and so does HTTP: what is apart by less may be the same moment. */
const CLOCK_PRECISION_MS = 2000;

/** A time without a zone may be of any: it proves nothing. */
const ZONED = /(Z|GMT|UTC|[+-]\d\d:?\d\d)$/;

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
export function recoverAmbiguousCreate(
  context: Context,
  wanted: Values,
  { before, sent, why }: AmbiguousCreate,
): Promise<RemoteRecord> {
  const { resource, api, records, ledger } = context;
  const key = wanted[resource.key];
  const record = describeRecord({ resource, values: wanted });
  const again = `run the same command again; if it then says that the ${noun(resource)} exists already, "${IMPORT}" brings it under management`;
  const known = new Set(before.map(({ id }) => id));
  return recover();

  async function recover(): Promise<RemoteRecord> {
    let news = await look();
    for (const wait of RECHECK_DELAYS_MS) {
      if (news.length > 0) break;
      await context.sleep(wait);
      news = await look();
    }
    const [found, ...others] = news;
    if (found === undefined)
      throw new LifecycleError(
        `${record} could not be confirmed as created (${why}): it is not in the list; ${again}`,
      );
    if (others.length > 0)
      throw new LifecycleError(
        `it is not known which record is ${record}: ${why}, and ${describeMatches(news)}; delete the ones that are not wanted`,
      );
    const id = idOf(context, wanted, found);
    const doubt = await whyNotOurs(id);
    if (doubt === undefined) return found;
    throw new LifecycleError(
      `it is not known whether ${describeRecord({ resource, values: wanted, id })} is the one that was to be created: ${why}, and ${doubt}; ` +
        `if it is the one, "${IMPORT}" brings it under management`,
    );
  }

  /** Those that may be the new record: with its key, or else with what the service may have made of that. */
  async function look(): Promise<RemoteRecord[]> {
    const now = await records.findByKey(key, { fresh: true }).catch((cause: unknown) => {
      throw new LifecycleError(
        `it is not known whether ${record} was created: ${why}, and looking for it failed: ${reasonOf(cause)}; ${again}`,
      );
    });
    const free = now.filter(
      ({ id }) => !known.has(id) && (id === undefined || ledger.other(id, wanted) === undefined),
    );
    const exact = filterByKey(resource, key, free);
    if (exact.length > 0) return exact;
    return free.filter((found) => couldHaveKey(resource, key, found) && !ledger.declares(found.values));
  }

  /** What speaks against a record being the one that was asked for at this time. */
  async function whyNotOurs(id: string): Promise<string | undefined> {
    const request: Request = { method: "GET", path: `${resource.path}/${encodeURIComponent(id)}` };
    try {
      const answer = await api(request);
      const elapsed = context.clock() - sent;
      const found = decode(resource, parseRecord(request, answer));
      const [name] = mismatches(resource, wanted, Object.keys(wanted), found);
      if (name !== undefined)
        return `its ${name} differs: sent ${format(resource.inputs[name], wanted[name])}, stored ${format(resource.inputs[name], found.values[name])}`;
      const { createdAt = "" } = found;
      const made = ZONED.test(createdAt) ? Date.parse(createdAt) : Number.NaN;
      if (answer.date === undefined || Number.isNaN(made))
        return "the service does not say when it was made, or in which time zone";
      // By the service's clock alone: nobody knows how far ours is from it.
      return made < answer.date - elapsed - CLOCK_PRECISION_MS
        ? `it was made at ${createdAt}, before that`
        : undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return `reading it failed: ${error.reason}`;
    }
  }
}
