import { ApiError, parseRecord, type Request } from "../api/api";
import { decode, encode, type RemoteRecord } from "../schema/codec";
import { pick } from "../schema/compare";
import { format, formatIds } from "../schema/format";
import { couldHaveKey, filterByKey } from "../schema/identity";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import { adopt, assertAvailable, onlyMatch } from "./adopt";
import type { Context, ResourceState } from "./context";
import {
  describeFailure,
  describeOwner,
  describeRecord,
  LifecycleError,
  PartialFailure,
  withContext,
} from "./errors";
import { recoverAmbiguousCreate } from "./recover";
import { idOf, verifyWrite } from "./verify";

/** Makes the record, or takes the existing one over where the arguments say so. */
export async function create(resource: Resource, context: Context, args: Values): Promise<ResourceState> {
  const wanted = pick(resource, args);
  if (!context.claims.begin(wanted))
    throw new LifecycleError(
      `${describeRecord(resource, args)} is declared twice in this program; two resources can't share one record`,
    );
  try {
    return await checkThenCreate(resource, context, args, wanted);
  } catch (error) {
    context.claims.refused();
    if (!(error instanceof PartialFailure)) context.claims.failed(wanted);
    throw error;
  }
}

async function checkThenCreate(
  resource: Resource,
  context: Context,
  args: Values,
  wanted: Values,
): Promise<ResourceState> {
  const key = wanted[resource.key];
  const listed = await withContext(resource, wanted, "looked for", () => context.records.findByKey(key));
  const there = await findExisting(resource, context, wanted, listed);
  if (there.length > 0) return adoptOrRefuse(resource, context, args, wanted, there);
  // What had the key has it no more, and its id may come back.
  const gone = filterByKey(resource, key, listed);
  const before = gone.length === 0 ? listed : listed.filter((each) => !gone.includes(each));
  const wrong = resource.validateCreate?.(wanted);
  if (wrong) throw new LifecycleError(`${describeRecord(resource, wanted)}: ${wrong.field} ${wrong.reason}`);

  const request: Request = {
    method: "POST",
    path: resource.path,
    fixed: true,
    form: encode(resource, wanted, Object.keys(wanted)),
  };
  const sent = context.clock();
  let found: RemoteRecord;
  try {
    found = decode(resource, parseRecord(request, await context.api(request)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure !== "unclear") return explainRejection(resource, context, args, wanted, error);
    found = await recoverAmbiguousCreate(resource, context, wanted, { before, sent, why: error.reason });
  }
  if (found.id === undefined)
    found = await recoverAmbiguousCreate(resource, context, wanted, {
      before,
      sent,
      why: "the service answered without an id",
    });
  const id = idOf(resource, wanted, found);
  const known = before.find((each) => each.id === id && couldHaveKey(resource, key, each));
  if (known !== undefined || !context.claims.made(id, wanted))
    throw new LifecycleError(
      `${describeRecord(resource, wanted)} was not created: the service answered with ${known === undefined ? `the record of ${describeOwner(context.claims.other(id, wanted)?.name)}` : `${format(undefined, known.values[resource.key])}, which was there before`} (id ${id}), and nothing is done to it`,
    );
  return verifyWrite(resource, context, { id, found }, { olds: {}, wanted, names: Object.keys(wanted) });
}

/**
 * The records that have the key now. What a list said before is asked for again, since it decides about another's
 * record; and where a resource of this program moves away from one, that is waited for.
 */
async function findExisting(
  resource: Resource,
  context: Context,
  wanted: Values,
  listed: readonly RemoteRecord[],
): Promise<RemoteRecord[]> {
  const key = wanted[resource.key];
  const matches = filterByKey(resource, key, listed);
  if (matches.length === 0) return [];
  if (!(await context.claims.settled()))
    throw new LifecycleError(
      `${describeRecord(resource, wanted)} exists already (${formatIds(matches)}), and whether another resource of this program has it is not known, since one was refused or failed; run the same command again once that is mended`,
    );
  const there: RemoteRecord[] = [];
  for (const match of matches) {
    const id = idOf(resource, wanted, match);
    const standing = context.claims.standing(id, wanted);
    if (standing.is === "moving" && !(await context.claims.vacated(id, wanted)))
      throw new LifecycleError(
        `${describeRecord(resource, wanted, id)} belongs to ${describeOwner(standing.by)}, which moves away from it, and has not done so; run the same command again`,
      );
    if (context.claims.standing(id, wanted).is === "gone") continue;
    const now = await withContext(resource, wanted, "looked for", () => context.records.fetch(id, key));
    if (now !== undefined) there.push(...filterByKey(resource, key, [now]));
  }
  return there;
}

function adoptOrRefuse(
  resource: Resource,
  context: Context,
  args: Values,
  wanted: Values,
  there: readonly RemoteRecord[],
): Promise<ResourceState> {
  if (args.adopt !== true) throw alreadyExists(resource, context, wanted, there);
  const found = onlyMatch(resource, wanted, there) as RemoteRecord;
  const id = idOf(resource, wanted, found);
  assertAvailable(resource, wanted, id, context.claims.standing(id, wanted));
  return adopt(resource, context, wanted, found);
}

/** The service refused a new record. Where its key is taken by a record of this account, that is the better story. */
async function explainRejection(
  resource: Resource,
  context: Context,
  args: Values,
  wanted: Values,
  error: ApiError,
): Promise<ResourceState> {
  const wire = fieldOf(resource, resource.key).wire ?? resource.key;
  const taken = error.details.status === 409 || error.details.fields?.[wire] !== undefined;
  if (!taken) throw describeFailure(resource, wanted, "created", error);
  const now = await context.records.findByKey(wanted[resource.key], { fresh: true }).catch(() => []);
  const there = await findExisting(resource, context, wanted, now);
  if (there.length > 0) return adoptOrRefuse(resource, context, args, wanted, there);
  // A service may take two keys for one. Which record is meant is for the program to say.
  const near = now.find((found) => couldHaveKey(resource, wanted[resource.key], found));
  throw describeFailure(resource, wanted, "created", error, conflictHint(resource, near));
}

function conflictHint({ key }: Resource, near: RemoteRecord | undefined): string {
  if (near === undefined) return `where the ${key} is taken, another account of the service may hold it`;
  const other = format(undefined, near.values[key]);
  return `${other} (${formatIds([near])}) is there, and the service may take the two for one: to manage that one, declare the ${key} ${other}`;
}

function alreadyExists(
  resource: Resource,
  { hints }: Context,
  wanted: Values,
  matches: readonly RemoteRecord[],
): LifecycleError {
  return new LifecycleError(
    `${describeRecord(resource, wanted)} exists already (${formatIds(matches)}). To manage it, run "${hints.importCommand(resource)}", or give this resource adopt: true`,
  );
}
