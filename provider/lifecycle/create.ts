import { ApiError, type Request } from "../api/api";
import { parseRecord } from "../api/envelope";
import { decode, encode, type RemoteRecord } from "../schema/codec";
import { pick } from "../schema/compare";
import { format, formatIds } from "../schema/format";
import { couldHaveKey, filterByKey } from "../schema/identity";
import { fieldOf, type Values } from "../schema/resource";
import { adopt, assertAvailable, onlyMatch } from "./adopt";
import type { Context, ResourceState } from "./context";
import {
  describeFailure,
  describeOwner,
  describeRecord,
  IMPORT,
  LifecycleError,
  PartialFailure,
  withContext,
} from "./errors";
import { currentRecords } from "./existing";
import { idOf } from "./put";
import { recoverAmbiguousCreate } from "./recover";
import { verifyWrite } from "./verify";

/** Makes the record, or adopts the existing one where the arguments say so. */
export async function create(context: Context, args: Values): Promise<ResourceState> {
  const { resource, claims } = context;
  const wanted = pick(resource, args);
  if (!claims.begin(wanted))
    throw new LifecycleError(
      `${describeRecord({ resource, values: wanted })} is declared twice in this program; two resources can't share one record`,
    );
  try {
    return await creation(context, wanted, args.adopt === true)();
  } catch (error) {
    claims.refused();
    if (!(error instanceof PartialFailure)) claims.failed(wanted);
    throw error;
  }
}

/** One create: what its steps share is the record that is wanted. */
function creation(context: Context, wanted: Values, mayAdopt: boolean): () => Promise<ResourceState> {
  const { resource, api, records, claims } = context;
  const key = wanted[resource.key];
  const subject = { resource, values: wanted };
  return checkThenCreate;

  async function checkThenCreate(): Promise<ResourceState> {
    const found = await withContext(subject, "looked for", () => records.findByKey(key));
    const { existing, listed } = await currentRecords(context, wanted, found);
    if (existing.length > 0) return adoptOrRefuse(existing);
    // What had the key has it no more, and its id may come back.
    const gone = filterByKey(resource, key, listed);
    const before = listed.filter((each) => !gone.includes(each));
    const wrong = resource.validateCreate?.(wanted);
    if (wrong) throw new LifecycleError(`${describeRecord(subject)}: ${wrong.field} ${wrong.reason}`);

    const request: Request = {
      method: "POST",
      path: resource.path,
      fixed: true,
      form: encode(resource, wanted, Object.keys(wanted)),
    };
    const sent = context.clock();
    let made: RemoteRecord;
    try {
      made = decode(resource, parseRecord(request, await api(request)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.failure !== "unclear") return explainRejection(error);
      made = await recoverAmbiguousCreate(context, wanted, { before, sent, why: error.reason });
    }
    if (made.id === undefined)
      made = await recoverAmbiguousCreate(context, wanted, {
        before,
        sent,
        why: "the service answered without an id",
      });
    return keep(made, before);
  }

  /** Makes the record that came back this resource's, unless it is another's. */
  function keep(found: RemoteRecord, before: readonly RemoteRecord[]): Promise<ResourceState> {
    const id = idOf(context, wanted, found);
    const known = before.find((each) => each.id === id && couldHaveKey(resource, key, each));
    if (known !== undefined || !claims.made(id, wanted))
      throw new LifecycleError(
        `${describeRecord(subject)} was not created: the service answered with ${known === undefined ? `the record of ${describeOwner(claims.other(id, wanted)?.name)}` : `${format(undefined, known.values[resource.key])}, which was there before`} (id ${id}), and nothing is done to it`,
      );
    return verifyWrite(context, { id, olds: {}, wanted, names: Object.keys(wanted) }, found);
  }

  async function adoptOrRefuse(existing: readonly RemoteRecord[]): Promise<ResourceState> {
    if (!mayAdopt) throw alreadyExists(existing);
    const found = onlyMatch(context, wanted, existing) as RemoteRecord;
    const id = idOf(context, wanted, found);
    assertAvailable(context, wanted, id, claims.standing(id, wanted));
    return adopt(context, wanted, found);
  }

  function alreadyExists(existing: readonly RemoteRecord[]): LifecycleError {
    return new LifecycleError(
      `${describeRecord(subject)} exists already (${formatIds(existing)}). To manage it, run "${IMPORT}", or give this resource adopt: true`,
    );
  }

  /** The service refused a new record. Where its key is taken by a record of this account, that is the better story. */
  async function explainRejection(error: ApiError): Promise<ResourceState> {
    const wire = fieldOf(resource, resource.key).wire ?? resource.key;
    const taken = error.details.status === 409 || error.details.fields?.[wire] !== undefined;
    if (!taken) throw describeFailure(subject, "created", error);
    const now = await records.findByKey(key, { fresh: true }).catch(() => []);
    const { existing } = await currentRecords(context, wanted, now);
    if (existing.length > 0) return adoptOrRefuse(existing);
    // A service may take two keys for one. Which record is meant is for the program to say.
    const lookalike = now.find((found) => couldHaveKey(resource, key, found));
    throw describeFailure(subject, "created", error, conflictHint(lookalike));
  }

  function conflictHint(lookalike: RemoteRecord | undefined): string {
    if (lookalike === undefined)
      return `where the ${resource.key} is taken, another account of the service may hold it`;
    const other = format(undefined, lookalike.values[resource.key]);
    return `${other} (${formatIds([lookalike])}) is there, and the service may take the two for one: to manage that one, declare the ${resource.key} ${other}`;
  }
}
