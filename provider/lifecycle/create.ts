import { ApiError, linesOf } from "../api/api";
import { parseRecord } from "../records/envelope";
import { decode, encode, type RemoteRecord } from "../schema/codec";
import { mismatches, pick } from "../schema/compare";
import { format, formatIds } from "../schema/format";
import { filterByKey } from "../schema/identity";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import { adopt, onlyMatch } from "./adopt";
import { adviceForSecond, IMPORT, inGuide } from "./advice";
import type { Context, ResourceState } from "./context";
import { describeFailure, describeRecord, explainFailure, LifecycleError, type Subject } from "./errors";
import { refusalForDoubt } from "./standing";
import { idOf, verifyWrite } from "./write";

/** What to do if it is unknown whether a record was created. */
const LOOK_AGAIN = "Run the same command again: it looks for the record first";

/** One create. `values` are the arguments as state will have them. */
interface Creation extends Subject {
  readonly context: Context;
  readonly adopts: boolean;
  /** Whether nothing that was read before the POST, the list and the search for the key, showed a record with this id. */
  isNew(id: string | undefined): boolean;
}

/**
 * Milliseconds between the searches for a record that may have been made, since a list may be some seconds behind.
 * They add up to less than the 7 seconds that CI services give an interrupted run.
 * If the service is busy they also let the others go on: the engine begins no more creates once one has failed.
 */
const RECHECK_DELAYS_MS = [1000, 2500];
/** What to do about a record that nobody in this program has, the commonest cause first. */
const TAKEN = [
  "If the resource was renamed or moved, give its old name or parent in `aliases`",
  `If no other stack manages it, run "${IMPORT}"`,
  `Else see ${inGuide("When a record exists already")}`,
];

/** Listed records as they are now: since the list was read, the id may have been given to somebody else's record. */
async function fetchAll(creation: Creation, listed: readonly RemoteRecord[]): Promise<RemoteRecord[]> {
  const { context, resource, values } = creation;
  const fetches = listed.map((record) =>
    context.records.fetchById(idOf(creation, record), values[resource.key]),
  );
  return (await Promise.all(fetches)).filter((record) => record !== undefined);
}

/** The only record with the wanted key, of those listed that still exist and still have it, or undefined. */
async function fetchWithKey(
  creation: Creation,
  listed: readonly RemoteRecord[],
): Promise<RemoteRecord | undefined> {
  const { resource, values } = creation;
  const key = values[resource.key];
  const fetched = await explainFailure(creation, "looked for", () =>
    fetchAll(creation, filterByKey(resource, key, listed)),
  );
  return onlyMatch(creation, filterByKey(resource, key, fetched));
}

/** Takes the record that has the key, if the arguments ask for it or it is this resource's own already. Throws otherwise. */
async function adoptOrRefuse(creation: Creation, found: RemoteRecord): Promise<ResourceState> {
  const { context, values, adopts } = creation;
  const id = idOf(creation, found);
  // Some engines create again after an error hook, though the failed create has left a record (pulumi/pulumi#24683): it is ours, so
  // it is taken. A refusal would lose its id.
  if (adopts || context.ledger.isOwner(id, values)) return adopt(context, values, found);
  const owner = context.ledger.otherOwner(id, values);
  const title = `${describeRecord(creation)} exists already (${formatIds([found])})`;
  if (owner === undefined) throw new LifecycleError(title, ...TAKEN);
  throw new LifecycleError(`${title}, and belongs to ${owner}`, ...adviceForSecond(owner));
}

function adviceForConflict({ inputs, key }: Resource, similar: RemoteRecord | undefined): string {
  if (similar === undefined)
    return `Unless the service says why, look for this ${key} in other accounts of the service, and at the limits of the subscription`;
  const other = format(inputs[key], similar.values[key]);
  return `If that is the same to the service as ${other} (${formatIds([similar])}), declare the ${key} ${other}`;
}

/**
 * The service refused the POST. If a record of this account has the key, it is adopted if the arguments ask for it, else the error
 * names it.
 */
async function adoptOrExplain(creation: Creation, error: ApiError): Promise<ResourceState> {
  const { context, resource, values } = creation;
  const { key } = resource;
  const taken =
    error.details.status === 409 || error.details.fields?.[fieldOf(resource, key).wire ?? key] !== undefined;
  if (!taken) throw describeFailure(creation, "created", error);
  const listed = await context.records.findByKey(values[key], { fresh: true }).catch(() => []);
  const existing = await fetchWithKey(creation, listed);
  if (existing !== undefined) return adoptOrRefuse(creation, existing);
  // A service may treat two keys as the same. The program has to choose the record.
  throw describeFailure(creation, "created", error, [adviceForConflict(resource, listed[0])]);
}

/** What a POST was answered with. */
interface Posted {
  /** The record that the answer shows. */
  readonly record?: RemoteRecord;
  /** Why another one may be the new record. */
  readonly why: string;
  /** What to do about that. */
  readonly advice?: readonly string[];
  /** Tells that the POST was done, though the answer does not say so. */
  readonly wasDone?: (() => void) | undefined;
}

/** Sends the POST. Resolves with the error if the service certainly made nothing. */
async function sendPost(creation: Creation): Promise<Posted | ApiError> {
  const { context, resource, values } = creation;
  const { key, path } = resource;
  // After an error hook some engines create again in the same run, when a lost POST may have come into effect.
  const onSend = () => context.records.invalidateKey(values);
  const form = encode(resource, values, Object.keys(values));
  const request = { method: "POST", path, alwaysExists: true, form, onSend } as const;
  try {
    const answer = decode(resource, parseRecord(request, await context.api(request)));
    const { id } = answer;
    if (id === undefined) return { why: "the service answered without an id" };
    // An id alone may be another record's. If that can't be read, the id is kept.
    const isNamed = answer.values[key] != null;
    const current = isNamed
      ? undefined
      : await context.records.fetchById(id, values[key]).catch(() => undefined);
    const record = { ...(current ?? answer), id };
    const why = `the service answered with another record (id ${id})`;
    return { record, why };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure !== "unclear") return error;
    const [why = "", ...advice] = linesOf(error);
    return { why, advice, wasDone: error.details.wasDone };
  }
}

/** Whether a record that was found may be the new one: it is new, and no other resource has it. */
function isFree({ isNew, context, values }: Creation, id: string | undefined): boolean {
  return isNew(id) && context.ledger.otherOwner(id ?? "", values) === undefined;
}

/** The records with the wanted key, as they are now, else new ones whose key may be the service's form of it. */
async function lookOnce(creation: Creation, why: string): Promise<RemoteRecord[]> {
  const { context, resource, values } = creation;
  const { records, ledger } = context;
  const key = values[resource.key];
  try {
    const listed = await records.recheck(
      (list) => (list.conclusive ? list.withKey(key) : undefined),
      () => records.findByKey(key, { fresh: true }),
    );
    const exact = filterByKey(resource, key, listed);
    const undeclared = listed.filter(
      ({ id, values: shown }) => isFree(creation, id) && !ledger.isDeclared(shown),
    );
    return await fetchAll(creation, exact.length > 0 ? exact : undeclared);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [what, advice = LOOK_AGAIN] = linesOf(error);
    throw new LifecycleError(
      `it is unknown whether ${describeRecord(creation)} was created: ${why}, and looking for it failed: ${what}`,
      advice,
    );
  }
}

/** Looks until a look finds a record, or all looks are done. */
async function lookForMade(creation: Creation, why: string): Promise<RemoteRecord[]> {
  for (const wait of RECHECK_DELAYS_MS) {
    const found = await lookOnce(creation, why);
    if (found.length > 0) return found;
    await creation.context.sleep(wait);
  }
  return lookOnce(creation, why);
}

/** Takes a record that the POST has made. */
async function takeOwn(creation: Creation, made: RemoteRecord): Promise<ResourceState> {
  const { context, values: wanted } = creation;
  const id = idOf(creation, made);
  context.ledger.markMade(id, wanted);
  return verifyWrite(context, { id, olds: {}, wanted, names: Object.keys(wanted) }, made);
}

/**
 * Sends the POST, and takes the record that it made. Nothing is posted again, since the request may come into effect later.
 */
async function makeRecord(creation: Creation): Promise<ResourceState> {
  const { resource, values, isNew } = creation;
  const { key } = resource;

  // 1. Post. A refused one may name what has the key already.
  const posted = await sendPost(creation);
  if (posted instanceof ApiError) return adoptOrExplain(creation, posted);
  const { record, why, advice = [], wasDone } = posted;

  // 2. The record that the answer shows, if it is new and has the key. Another account of the installation may have lost one with
  // its id, and a stack may still have that: the answer to our own POST is ours.
  const made = record && isNew(record.id) ? record : undefined;
  const names = Object.keys(values);
  const isAsSent = (candidate: RemoteRecord, fields: readonly string[]) =>
    mismatches(resource, values, fields, candidate).length === 0;
  if (made && isAsSent(made, [key])) return takeOwn(creation, made);

  // 3. The only record that has come since, has no owner and is as it was sent. If a colleague's program made just this one in
  // these seconds, it is his: no service tells whose it is.
  const found = await lookForMade(creation, why);
  const [candidate, ...others] = found.filter(
    (record) => isFree(creation, record.id) && isAsSent(record, names),
  );
  if (candidate && others.length === 0) {
    wasDone?.();
    return takeOwn(creation, candidate);
  }

  // 4. A record that has the key and is not provably this one.
  const existing = onlyMatch(creation, filterByKey(resource, values[key], found));
  if (existing !== undefined) return adoptOrRefuse(creation, existing);

  // 5. The record of the answer with another key: a service may store a key in a form of its own, but nothing else.
  const besides = names.filter((name) => name !== key);
  if (made && isFree(creation, made.id) && isAsSent(made, besides)) return takeOwn(creation, made);
  const persists = record ? `; if it ends so again, change its ${key}` : "";
  throw new LifecycleError(
    `it is unknown whether ${describeRecord(creation)} was created: ${why}`,
    ...(advice.length > 0 ? advice : [`${LOOK_AGAIN}${persists}`]),
  );
}

async function makeOrAdopt(context: Context, args: Values): Promise<ResourceState> {
  const { resource, records, guard } = context;
  const values = pick(resource, args);
  const subject = { resource, values };
  const listed = await explainFailure(subject, "looked for", () => records.findByKey(values[resource.key]));
  // Taken before the POST: a list that is read after it may show what it has made.
  const recordListedBefore = records.listedById();
  const doubt = await guard.doubtForCreate();
  if (doubt !== undefined)
    throw refusalForDoubt({ ...subject, verb: "created" }, doubt, context.accountAdvice());
  const isNew = (id = "") =>
    recordListedBefore(id) === undefined && !listed.some((record) => record.id === id);
  const creation = { ...subject, context, adopts: args.adopt === true, isNew };
  const existing = await fetchWithKey(creation, listed);
  if (existing !== undefined) return adoptOrRefuse(creation, existing);
  const wrong = resource.validateCreate?.(values);
  if (wrong) throw new LifecycleError(`${describeRecord(subject)}: ${wrong.field} ${wrong.reason}`);
  return makeRecord(creation);
}

/** Creates the record, or adopts the existing one if the arguments ask for it. */
export async function create(context: Context, args: Values): Promise<ResourceState> {
  try {
    return await makeOrAdopt(context, args);
  } catch (error) {
    context.ledger.markFailed(args);
    throw error;
  }
}
