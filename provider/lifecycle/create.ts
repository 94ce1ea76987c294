import { ApiError, parseRecord, type Request } from "../api/api";
import type { Resource, Values } from "../schema/resource";
import { decode, encode, type Found, fieldOf, ids, mayHaveKey, pick, shown, withKey } from "../schema/wire";
import { only, refuseOthers, takeOver } from "./adopt";
import { attempted, called, failed, HalfDone, named, Problem } from "./problem";
import { recover } from "./recover";
import type { Kept, World } from "./world";
import { confirm, idOf } from "./write";

/** Makes the record, or takes the existing one over where the arguments say so. */
export async function create(resource: Resource, world: World, args: Values): Promise<Kept> {
  const wanted = pick(resource, args);
  if (!world.claims.begin(wanted))
    throw new Problem(
      `${named(resource, args)} is declared twice in this program; two resources can't share one record`,
    );
  try {
    return await lookThenCreate(resource, world, args, wanted);
  } catch (error) {
    world.claims.refused();
    if (!(error instanceof HalfDone)) world.claims.failed(wanted);
    throw error;
  }
}

async function lookThenCreate(resource: Resource, world: World, args: Values, wanted: Values): Promise<Kept> {
  const key = wanted[resource.key];
  const listed = await attempted(resource, wanted, "looked for", () => world.records.findByKey(key));
  const there = await existing(resource, world, wanted, listed);
  if (there.length > 0) return adoptOrRefuse(resource, world, args, wanted, there);
  // What had the key has it no more, and its id may come back.
  const gone = withKey(resource, key, listed);
  const before = gone.length === 0 ? listed : listed.filter((each) => !gone.includes(each));
  const wrong = resource.rule?.(wanted);
  if (wrong) throw new Problem(`${named(resource, wanted)}: ${wrong.field} ${wrong.reason}`);

  const request: Request = {
    method: "POST",
    path: resource.path,
    fixed: true,
    form: encode(resource, wanted, Object.keys(wanted)),
  };
  const sent = world.clock();
  let found: Found;
  try {
    found = decode(resource, parseRecord(request, await world.api(request)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure !== "unclear") return explainRejection(resource, world, args, wanted, error);
    found = await recover(resource, world, wanted, { before, sent, why: error.reason });
  }
  if (found.id === undefined)
    found = await recover(resource, world, wanted, {
      before,
      sent,
      why: "the service answered without an id",
    });
  const id = idOf(resource, wanted, found);
  const known = before.find((each) => each.id === id && mayHaveKey(resource, key, each));
  if (known !== undefined || !world.claims.made(id, wanted))
    throw new Problem(
      `${named(resource, wanted)} was not created: the service answered with ${known === undefined ? `the record of ${called(world.claims.other(id, wanted)?.name)}` : `${shown(undefined, known.values[resource.key])}, which was there before`} (id ${id}), and nothing is done to it`,
    );
  return confirm(resource, world, { id, found }, { olds: {}, wanted, names: Object.keys(wanted) });
}

/**
 * The records that have the key now. What a list said before is asked for again, since it decides about another's
 * record; and where a resource of this program moves away from one, that is waited for.
 */
async function existing(
  resource: Resource,
  world: World,
  wanted: Values,
  listed: readonly Found[],
): Promise<Found[]> {
  const key = wanted[resource.key];
  const matches = withKey(resource, key, listed);
  if (matches.length === 0) return [];
  if (!(await world.claims.settled()))
    throw new Problem(
      `${named(resource, wanted)} exists already (${ids(matches)}), and whether another resource of this program has it is not known, since one was refused or failed; run the same command again once that is mended`,
    );
  const there: Found[] = [];
  for (const match of matches) {
    const id = idOf(resource, wanted, match);
    const standing = world.claims.standing(id, wanted);
    if (standing.is === "moving" && !(await world.claims.vacated(id, wanted)))
      throw new Problem(
        `${named(resource, wanted, id)} belongs to ${called(standing.by)}, which moves away from it, and has not done so; run the same command again`,
      );
    if (world.claims.standing(id, wanted).is === "gone") continue;
    const now = await attempted(resource, wanted, "looked for", () => world.records.fetch(id, key));
    if (now !== undefined) there.push(...withKey(resource, key, [now]));
  }
  return there;
}

function adoptOrRefuse(
  resource: Resource,
  world: World,
  args: Values,
  wanted: Values,
  there: readonly Found[],
): Promise<Kept> {
  if (args.adopt !== true) throw exists(resource, wanted, there);
  const found = only(resource, wanted, there) as Found;
  const id = idOf(resource, wanted, found);
  refuseOthers(resource, wanted, id, world.claims.standing(id, wanted));
  return takeOver(resource, world, wanted, found);
}

/** The service refused a new record. Where its key is taken by a record of this account, that is the better story. */
async function explainRejection(
  resource: Resource,
  world: World,
  args: Values,
  wanted: Values,
  error: ApiError,
): Promise<Kept> {
  const wire = fieldOf(resource, resource.key).wire ?? resource.key;
  const taken = error.details.status === 409 || error.details.fields?.[wire] !== undefined;
  if (!taken) throw failed(resource, wanted, "created", error);
  const now = await world.records.findByKey(wanted[resource.key], { fresh: true }).catch(() => []);
  const there = await existing(resource, world, wanted, now);
  if (there.length > 0) return adoptOrRefuse(resource, world, args, wanted, there);
  // A service may take two keys for one. Which record is meant is for the program to say.
  const near = now.find((found) => mayHaveKey(resource, wanted[resource.key], found));
  throw failed(resource, wanted, "created", error, hintAt(resource, near));
}

function hintAt({ key }: Resource, near: Found | undefined): string {
  if (near === undefined) return `where the ${key} is taken, another account of the service may hold it`;
  const other = shown(undefined, near.values[key]);
  return `${other} (${ids([near])}) is there, and the service may take the two for one: to manage that one, declare the ${key} ${other}`;
}

function exists(resource: Resource, wanted: Values, matches: readonly Found[]): Problem {
  return new Problem(
    `${named(resource, wanted)} exists already (${ids(matches)}). To manage it, run "npx pulumi-tracking import --declared --apply", or give this resource adopt: true`,
  );
}
