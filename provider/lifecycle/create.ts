import { ApiError, type Request, recordOf } from "../api/api";
import { noun, type Resource, type Values } from "../schema/resource";
import { decode, encode, type Found, fieldOf, ids, mayHaveKey, pick, withKey } from "../schema/wire";
import { candidate, takeOver } from "./adopt";
import { attempted, failed, HalfDone, named, Problem, reasonOf, several } from "./problem";
import type { Kept, World } from "./world";
import { confirm, idOf } from "./write";

/**
 * Milliseconds between the looks for a record that may have been made: a list may be some seconds behind. No
 * longer in all, since an interrupted run is given 7 seconds by CI services.
 */
const LAG = [1000, 2500];

/** Makes the record, or takes the existing one over where the arguments say so. */
export async function create(resource: Resource, world: World, args: Values): Promise<Kept> {
  const wanted = pick(resource, args);
  const key = `${resource.path} ${fieldOf(resource, resource.key).canonical(wanted[resource.key])}`;
  if (world.claims.has(key))
    throw new Problem(
      `${named(resource, args)} is declared twice in this program; two resources can't share one record`,
    );
  world.claims.add(key);
  try {
    return await lookThenCreate(resource, world, args, wanted);
  } catch (error) {
    if (!(error instanceof HalfDone)) world.claims.delete(key);
    throw error;
  }
}

async function lookThenCreate(resource: Resource, world: World, args: Values, wanted: Values): Promise<Kept> {
  const key = wanted[resource.key];
  const before = await attempted(resource, wanted, "looked for", () => world.records.findByKey(key));
  if (args.adopt === true) {
    const existing = await candidate(resource, world, wanted, before);
    if (existing) return takeOver(resource, world, wanted, existing.found);
  }
  const matches = withKey(resource, key, before);
  if (matches.length > 0) throw exists(resource, wanted, matches);
  const wrong = resource.rule?.(wanted);
  if (wrong) throw new Problem(`${named(resource, wanted)}: ${wrong.field} ${wrong.reason}`);

  const request: Request = {
    method: "POST",
    path: resource.path,
    fixed: true,
    form: encode(resource, wanted, Object.keys(wanted)),
  };
  let found: Found;
  try {
    found = decode(resource, recordOf(request, await world.api(request)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure !== "unclear") return turnedDown(resource, world, args, wanted, error);
    found = await lookAfterDoubt(resource, world, wanted, before, error);
  }
  if (found.id === undefined) found = await lookAfterDoubt(resource, world, wanted, before);
  const id = idOf(resource, wanted, found);
  world.claims.add(id);
  return confirm(resource, world, { id, found }, { olds: {}, wanted, names: Object.keys(wanted) });
}

/** Nobody knows whether the record was made: the one that is there now and was not before is ours. */
async function lookAfterDoubt(
  resource: Resource,
  world: World,
  wanted: Values,
  before: readonly Found[],
  error?: ApiError,
): Promise<Found> {
  const known = new Set(before.map(({ id }) => id));
  const why = error?.reason ?? "the service answered without an id";
  const again = `run the same command again; if it then says that the ${noun(resource)} exists already, "npx pulumi-tracking import --declared --apply" brings it under management`;
  const look = async () => {
    const now = await world.records
      .findByKey(wanted[resource.key], { fresh: true })
      .catch((cause: unknown) => {
        throw new Problem(
          `it is not known whether ${named(resource, wanted)} was created: ${why}, and looking for it failed: ${reasonOf(cause)}; ${again}`,
        );
      });
    return now.filter(
      (found) =>
        mayHaveKey(resource, wanted[resource.key], found) &&
        !known.has(found.id) &&
        !world.claims.has(`${found.id}`),
    );
  };
  let news = await look();
  for (const wait of LAG) {
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
  idOf(resource, wanted, found);
  return found;
}

/** The service refused a new record. Where its key is taken by a record of this account, that is the better story. */
async function turnedDown(
  resource: Resource,
  world: World,
  args: Values,
  wanted: Values,
  error: ApiError,
): Promise<Kept> {
  const wire = fieldOf(resource, resource.key).wire ?? resource.key;
  const taken = error.said.status === 409 || error.said.fields?.[wire] !== undefined;
  if (!taken) throw failed(resource, wanted, "created", error);
  const now = await world.records.findByKey(wanted[resource.key], { fresh: true }).catch(() => []);
  const matches = now.filter((found) => mayHaveKey(resource, wanted[resource.key], found));
  const [found] = matches;
  if (args.adopt === true && matches.length === 1 && found) return takeOver(resource, world, wanted, found);
  if (matches.length > 0) throw exists(resource, wanted, matches);
  throw failed(
    resource,
    wanted,
    "created",
    error,
    `where the ${resource.key} is taken, another account of the service may hold it`,
  );
}

function exists(resource: Resource, wanted: Values, matches: readonly Found[]): Problem {
  return new Problem(
    `${named(resource, wanted)} exists already (${ids(matches)}). To manage it, run "npx pulumi-tracking import --declared --apply", or give this resource adopt: true`,
  );
}
