import { ApiError, parseRecord, type Request } from "../api/api";
import { noun, type Resource, type Values } from "../schema/resource";
import { decode, type Found, mayHaveKey, shown, unlike, withKey } from "../schema/wire";
import { named, Problem, reasonOf, several } from "./problem";
import type { World } from "./world";
import { idOf } from "./write";

/**
 * Milliseconds between the looks for a record that may have been made: a list may be some seconds behind. No
 * longer in all, since an interrupted run is given 7 seconds by CI services.
 */
const RECHECK_DELAYS_MS = [1000, 2500];
/** Services write times in seconds, and so does HTTP: what is apart by less may be the same moment. */
const SAME_TIME_MS = 2000;

/** A create of which nobody knows whether it was done. */
interface Doubt {
  /** The records that were there before, as far as a list of then says. */
  readonly before: readonly Found[];
  /** When the request was sent, by our clock. */
  readonly sent: number;
  readonly why: string;
}

/**
 * The record that an unclear create has made. One counts as ours only on evidence: it was not there before, nobody
 * else of the program declares it or has it, it holds what was sent, and the service made it after we asked.
 */
export async function recover(
  resource: Resource,
  world: World,
  wanted: Values,
  { before, sent, why }: Doubt,
): Promise<Found> {
  const again = `run the same command again; if it then says that the ${noun(resource)} exists already, "npx pulumi-tracking import --declared --apply" brings it under management`;
  const known = new Set(before.map(({ id }) => id));
  const look = async () => {
    const now = await world.records
      .findByKey(wanted[resource.key], { fresh: true })
      .catch((cause: unknown) => {
        throw new Problem(
          `it is not known whether ${named(resource, wanted)} was created: ${why}, and looking for it failed: ${reasonOf(cause)}; ${again}`,
        );
      });
    return newOnes(
      resource,
      world,
      wanted,
      now.filter(({ id }) => !known.has(id)),
    );
  };
  let news = await look();
  for (const wait of RECHECK_DELAYS_MS) {
    if (news.length > 0) break;
    await world.rest(wait);
    news = await look();
  }
  const [found, ...others] = news;
  if (found === undefined)
    throw new Problem(
      `${named(resource, wanted)} was not created, as far as the service's list shows: ${why}; ${again}`,
    );
  if (others.length > 0)
    throw new Problem(
      `it is not known which record is ${named(resource, wanted)}: ${why}, and ${several(news)}; delete the ones that are not wanted`,
    );
  const doubt = await whyNotOurs(resource, world, wanted, idOf(resource, wanted, found), sent);
  if (doubt === undefined) return found;
  throw new Problem(
    `it is not known whether ${named(resource, wanted, found.id)} is the one that was to be created: ${why}, and ${doubt}; ` +
      `if it is the one, "npx pulumi-tracking import --declared --apply" brings it under management`,
  );
}

/** Those that may be the new record: with its key, or else with what the service may have made of that. */
function newOnes(resource: Resource, world: World, wanted: Values, now: readonly Found[]): Found[] {
  const free = now.filter(({ id }) => id === undefined || world.claims.other(id, wanted) === undefined);
  const exact = withKey(resource, wanted[resource.key], free);
  if (exact.length > 0) return exact;
  return free.filter(
    (found) => mayHaveKey(resource, wanted[resource.key], found) && !world.claims.declares(found.values),
  );
}

/** What speaks against a record being the one that was asked for at this time. */
async function whyNotOurs(
  resource: Resource,
  world: World,
  wanted: Values,
  id: string,
  sent: number,
): Promise<string | undefined> {
  const request: Request = { method: "GET", path: `${resource.path}/${encodeURIComponent(id)}` };
  try {
    const answer = await world.api(request);
    const elapsed = world.clock() - sent;
    const found = decode(resource, parseRecord(request, answer));
    const [name] = unlike(resource, wanted, Object.keys(wanted), found);
    if (name !== undefined)
      return `its ${name} is ${shown(resource.inputs[name], found.values[name])} where ${shown(resource.inputs[name], wanted[name])} was sent`;
    const made = Date.parse(found.createdAt ?? "");
    if (answer.date === undefined || Number.isNaN(made)) return "the service does not say when it was made";
    // By the service's clock alone: nobody knows how far ours is from it.
    return made < answer.date - elapsed - SAME_TIME_MS
      ? `it was made at ${found.createdAt}, before that`
      : undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `reading it failed: ${error.reason}`;
  }
}
