import { ApiError } from "../api/api";
import { parseRecord } from "../records/envelope";
import { decode, encode, type RemoteRecord } from "../schema/codec";
import { pick } from "../schema/compare";
import { format, formatIds } from "../schema/format";
import { filterByKey, isMadeAnew } from "../schema/identity";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import { adopt, onlyMatch } from "./adopt";
import type { Context, ResourceState } from "./context";
import {
  ALIASES,
  describeDoubt,
  describeFailure,
  describeRecord,
  IMPORT,
  LifecycleError,
  withContext,
} from "./errors";
import { type Creation, recoverAmbiguousCreate } from "./recover";
import { idOf, sendForm, verifyWrite } from "./write";

/** How often a POST is sent that a service in maintenance did not carry out. */
const MAX_ATTEMPTS = 3;

/** Creates the record, or adopts the existing one if the arguments ask for it. */
export async function create(context: Context, args: Values): Promise<ResourceState> {
  try {
    return await makeOrAdopt(context, args);
  } catch (error) {
    context.ledger.fails(args);
    throw error;
  }
}

async function makeOrAdopt(context: Context, args: Values): Promise<ResourceState> {
  const { resource, records, guard } = context;
  const values = pick(resource, args);
  const subject = { resource, values };
  const listed = await withContext(subject, "looked for", () => records.findByKey(values[resource.key]));
  // What was there before the request: the next answers are no proof of that.
  const listedBefore = records.seen();
  const doubt = await guard.doubtNew();
  if (doubt !== undefined)
    throw describeDoubt({ ...subject, verb: "created" }, doubt, context.accountRemedy(), records.listed);
  const existing = await stillThere(context, values, listed);
  const creation = {
    ...subject,
    context,
    adopts: args.adopt === true,
    before: (id: string) => listed.find((each) => each.id === id) ?? listedBefore(id),
    sentAt: context.clock(),
  };
  if (existing.length > 0) return adoptOrRefuse(creation, existing);
  const wrong = resource.validateCreate?.(values);
  if (wrong) throw new LifecycleError(`${describeRecord(subject)}: ${wrong.field} ${wrong.reason}`);
  return make(creation);
}

/** Sends the POST, and looks for the record if the answer does not show it. */
async function make(creation: Creation, attempt = 1): Promise<ResourceState> {
  const { context, resource, values } = creation;
  const form = encode(resource, values, Object.keys(values));
  const request = { method: "POST", path: resource.path, alwaysExists: true, form } as const;
  let why = "the service answered without an id";
  let failed: ApiError | undefined;
  try {
    const made = decode(resource, parseRecord(request, await sendForm(context, request)));
    if (made.id !== undefined) return claimMade(creation, made);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // One that is sent again may meet the record that it has made before.
    if (error.failure !== "unclear" && attempt === 1) return explainRejection(creation, error);
    failed = error;
    why = error.reason;
  }
  const made = await recoverAmbiguousCreate(creation, why);
  if (made !== undefined) return claimMade(creation, made);
  if (failed !== undefined && failed.failure !== "unclear") return explainRejection(creation, failed);
  // A service in maintenance may have been asked for nothing: the looks have shown that it did not make the record.
  if (failed?.details.status === 503 && attempt < MAX_ATTEMPTS) return make(creation, attempt + 1);
  throw new LifecycleError(
    `${describeRecord(creation)} may not have been created (${why}); run the same command again`,
  );
}

/**
 * The listed records with the wanted key, as they are now. A recent list is no proof, and the answer decides about
 * somebody else's record.
 */
async function stillThere(
  context: Context,
  values: Values,
  listed: readonly RemoteRecord[],
): Promise<RemoteRecord[]> {
  const { resource, records } = context;
  const key = values[resource.key];
  const subject = { resource, values };
  const looks = filterByKey(resource, key, listed).map((match) =>
    withContext(subject, "looked for", () => records.fetch(idOf(subject, match), key)),
  );
  const found = (await Promise.all(looks)).filter((now) => now !== undefined);
  return filterByKey(resource, key, found);
}

/** Claims the created record for this resource. Throws if the answer is an earlier record, or another resource's. */
async function claimMade(creation: Creation, made: RemoteRecord): Promise<ResourceState> {
  const { context, resource, values: wanted } = creation;
  const { records, ledger } = context;
  const key = wanted[resource.key];
  const id = idOf(creation, made);
  // An id alone may be another record's. If that can't be read, the id is kept.
  const isNamed = made.values[resource.key] != null;
  const found = (isNamed ? undefined : await records.fetch(id, key).catch(() => undefined)) ?? made;
  const answered = found.values[resource.key];
  const listedAs = creation.before(id);
  // The service may have given the new record the id of one that was deleted. One that was renamed is the old one.
  const isNew =
    listedAs === undefined ||
    (await stillThere(context, wanted, [found])).some((now) => isMadeAnew(listedAs, now));
  const isAsSent = answered == null || fieldOf(resource, resource.key).matches(key, answered);
  const verified = () => verifyWrite(context, { id, olds: {}, wanted, names: Object.keys(wanted) }, found);
  if (isNew && isAsSent && ledger.made(id, wanted) === undefined) return verified();
  // It may still have made the record.
  const now = await withContext(creation, "looked for", () => records.findByKey(key, { fresh: true }));
  const own = await stillThere(context, wanted, now);
  if (own.length > 0) return adoptOrRefuse(creation, own);
  const other = isNew ? ledger.made(id, wanted) : undefined;
  // A service may store a key in a form of its own.
  if (isNew && other === undefined) return verified();
  throw new LifecycleError(
    `${describeRecord(creation)} was not created: the service answered with ${isNew ? `the record of ${other}` : `${format(undefined, listedAs.values[resource.key])}, which existed before`} (id ${id}); that record was left unchanged. Change the ${resource.key} of this resource`,
  );
}

async function adoptOrRefuse(creation: Creation, existing: readonly RemoteRecord[]): Promise<ResourceState> {
  const { context, resource, values, adopts } = creation;
  if (adopts) return adopt(context, values, onlyMatch(creation, existing) as RemoteRecord);
  const ids = existing.map((found) => idOf(creation, found));
  const owner = ids.map((id) => context.ledger.other(id, values)).find(Boolean);
  throw new LifecycleError(
    `${describeRecord(creation)} exists already (${formatIds(existing)})${wayOut(resource, owner)}`,
  );
}

/** The service refused a new record. If a record of this account has the key already, the message names it. */
async function explainRejection(creation: Creation, error: ApiError): Promise<ResourceState> {
  const { context, resource, values } = creation;
  const { key } = resource;
  const taken =
    error.details.status === 409 || error.details.fields?.[fieldOf(resource, key).wire ?? key] !== undefined;
  if (!taken) throw describeFailure(creation, "created", error);
  const now = await context.records.findByKey(values[key], { fresh: true }).catch(() => []);
  const existing = await stillThere(context, values, now);
  if (existing.length > 0) return adoptOrRefuse(creation, existing);
  // A service may treat two keys as the same. The program has to choose the record.
  throw describeFailure(creation, "created", error, conflictHint(resource, now[0]));
}

function conflictHint({ key }: Resource, lookalike: RemoteRecord | undefined): string {
  if (lookalike === undefined)
    return `unless the service says why, another account of it may have this ${key}, or the plan may be full`;
  const other = format(undefined, lookalike.values[key]);
  return `${other} (${formatIds([lookalike])}) exists, and the service may treat the two as the same: to manage that record, declare the ${key} ${other}`;
}

/** What to do about a record that exists already. What deletes it comes last: only a replacement may want that. */
function wayOut({ key, deletesWith }: Resource, owner: string | undefined): string {
  if (owner !== undefined)
    return `, and belongs to ${owner}: declare it once; if that one is being renamed, run the same command again`;
  const loss = deletesWith === undefined ? "" : `, which deletes its ${deletesWith}`;
  return `. ${ALIASES}. If no other stack manages the record, give it adopt: true, or run "${IMPORT}". Only if the resource is replaced and keeps its ${key}, give it deleteBeforeReplace: true${loss}`;
}
