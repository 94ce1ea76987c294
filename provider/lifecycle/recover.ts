import { ApiError, type Request, reasonOf } from "../api/api";
import { parseRecord } from "../records/envelope";
import { decode, type RemoteRecord } from "../schema/codec";
import { mismatches } from "../schema/compare";
import { format, formatIds } from "../schema/format";
import { filterByKey } from "../schema/identity";
import { pathOf } from "../schema/resource";
import type { Context } from "./context";
import { describeRecord, IMPORT, LifecycleError, type Subject } from "./errors";
import { idOf } from "./write";

/** One create. `values` are the arguments as state will have them. */
export interface Creation extends Subject {
  readonly context: Context;
  readonly adopts: boolean;
  /** The record that had an id before the request, according to a list. */
  before(id: string): RemoteRecord | undefined;
  /** When the request is first sent, by our clock. */
  readonly sentAt: number;
}

/**
 * Milliseconds between the searches for a record that may have been made, since a list may be some seconds behind.
 * They add up to less than the 7 seconds that CI services give an interrupted run.
 */
const RECHECK_DELAYS_MS = [1000, 2500];
/** Services and HTTP give times in whole seconds: two times that differ by less may be the same moment. */
const CLOCK_PRECISION_MS = 2000;

/** A time without a zone proves nothing: it may be in any zone. */
const ZONED = /(Z|GMT|UTC|[+-]\d\d:?\d\d)$/;

/**
 * Finds the record that an unclear create has made; nothing if there is none. It is ours only on evidence: it did not exist
 * before, no other resource of the program declares or owns it, it holds what was sent, and the service made it after our
 * request.
 *
 * @param why it is unclear
 */
export async function recoverAmbiguousCreate(
  creation: Creation,
  why: string,
): Promise<RemoteRecord | undefined> {
  const { context } = creation;
  let news = await candidates(creation, why);
  for (const wait of RECHECK_DELAYS_MS) {
    if (news.length > 0) break;
    await context.sleep(wait);
    news = await candidates(creation, why);
  }
  const [found, ...others] = news;
  if (found === undefined) return undefined;
  if (others.length > 0)
    throw new LifecycleError(
      `it is unknown which record is ${describeRecord(creation)}: ${why}, and ${news.length} records match (${formatIds(news)}); delete the unwanted ones on the service, and run "${IMPORT}"`,
    );
  const id = idOf(creation, found);
  const doubt = await whyNotOurs(creation, id);
  if (doubt === undefined) return found;
  throw new LifecycleError(
    `it is unknown whether this run created ${describeRecord({ ...creation, id })}: ${why}, and ${doubt}; ` +
      `if it did, "${IMPORT}" imports the record`,
  );
}

/** The records that may be the new one: those with its key, else those whose key may be the service's form of it. */
async function candidates(creation: Creation, why: string): Promise<RemoteRecord[]> {
  const { resource, values, before } = creation;
  const { records, ledger } = creation.context;
  const key = values[resource.key];
  const now = await records.findByKey(key, { fresh: true }).catch((cause: unknown) => {
    const hasRemedy = cause instanceof ApiError && cause.details.remedy !== undefined;
    throw new LifecycleError(
      `it is unknown whether ${describeRecord(creation)} was created: ${why}, and looking for it failed: ${reasonOf(cause)}${hasRemedy ? "" : "; run the same command again"}`,
    );
  });
  const free = now.filter(({ id }) => id === undefined || ledger.other(id, values) === undefined);
  const exact = filterByKey(resource, key, free);
  if (exact.length > 0) return exact;
  return free.filter((each) => !(each.id && before(each.id)) && !ledger.declares(each.values));
}

/** Why a record may not be the one that this run asked for. */
async function whyNotOurs(creation: Creation, id: string): Promise<string | undefined> {
  const { context, resource, values: wanted, sentAt } = creation;
  const request: Request = { method: "GET", path: pathOf(resource, id) };
  try {
    const answer = await context.api(request);
    const elapsed = context.clock() - sentAt;
    const found = decode(resource, parseRecord(request, answer));
    const [name] = mismatches(resource, wanted, Object.keys(wanted), found);
    if (name !== undefined)
      return `its ${name} differs: sent ${format(resource.inputs[name], wanted[name])}, stored ${format(resource.inputs[name], found.values[name])}`;
    const { createdAt = "" } = found;
    const made = ZONED.test(createdAt) ? Date.parse(createdAt) : Number.NaN;
    if (answer.date === undefined || Number.isNaN(made))
      return "the service does not say when it was created, or in which time zone";
    // Only the service's own clock counts: ours may be wrong by any amount.
    return made < answer.date - elapsed - CLOCK_PRECISION_MS
      ? `it was created at ${createdAt}, before the request`
      : undefined;
  } catch (error) {
    return `reading it failed: ${reasonOf(error)}`;
  }
}
