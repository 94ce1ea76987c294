import type { Api } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { endpoint, type SettingsSource } from "../../provider/config";
import { describeNone, doubtOf, isRightAccount } from "../../provider/lifecycle/account-guard";
import { isAsInState, type Standing, standingOf } from "../../provider/lifecycle/standing";
import { RecordReader } from "../../provider/records/reader";
import type { RemoteRecord } from "../../provider/schema/codec";
import { creationOf, secondOf, signOf } from "../../provider/schema/identity";
import type { Resource } from "../../provider/schema/resource";
import type { HeldRecord } from "./held";

/** A record of a stack, and what its id leads to. */
interface LookedUp {
  readonly held: HeldRecord;
  readonly found: RemoteRecord | undefined;
}

/** A record of a stack whose id does not lead to it on the service, and what became of it, unless that is unknown. */
export interface Differing {
  readonly held: HeldRecord;
  readonly standing?: Standing;
}

/** What verifying records of one account has shown. */
export interface Verified {
  /** How many records there were to verify. */
  readonly expected: number;
  /** Those whose ids do not lead to them. */
  readonly differing: readonly Differing[];
  /** For each kind, the reason why this is probably another account, if it has none of several. */
  readonly doubts: readonly string[];
}

/** How to verify. */
interface Verification {
  /** Records of other kinds have shown that this is the right account. */
  readonly skipsDoubt: boolean;
}

/**
 * Verifies the records of one account, and says why it may be another one, by the provider's rule for that. If one kind alone
 * looks lost, and another shows that it is the right account, all are verified again, now record by record.
 *
 * @param verify verifies them in parts, such as kind by kind
 */
export async function verifyAccount<Part extends Verified>(
  verify: (options?: Verification) => Promise<readonly Part[]>,
): Promise<{ readonly parts: readonly Part[]; readonly doubt?: ReturnType<typeof doubtOf> }> {
  const parts = await verify();
  const differing = parts.flatMap((part) => part.differing);
  const expected = parts.reduce((sum, part) => sum + part.expected, 0);
  const standings = differing.flatMap(({ standing }) => standing ?? []);
  if (!isRightAccount(expected - differing.length, standings))
    return { parts, doubt: doubtOf(expected, standings) };
  const isDoubted = parts.some(({ doubts }) => doubts.length > 0);
  return { parts: isDoubted ? await verify({ skipsDoubt: true }) : parts };
}

/** The records on a service, by one provider's settings. Each kind is listed once. Rejects with an `ApiError`. */
export class ServiceRecords {
  private readonly lists = new Map<Resource, ReturnType<RecordReader["readAll"]>>();
  private readonly readers = new Map<Resource, RecordReader>();

  /** @param connect makes the client of a resource's service; may throw a `SettingError` */
  constructor(private readonly connect: (resource: Resource) => Api) {}

  /** The service's whole list. */
  list(resource: Resource): ReturnType<RecordReader["readAll"]> {
    const list = this.lists.get(resource) ?? this.reader(resource).readAll();
    this.lists.set(resource, list);
    return list;
  }

  /** The records that may have this domain or name, perhaps without its `www.`. Searches if the list is not complete. */
  async find(resource: Resource, key: unknown): Promise<readonly RemoteRecord[]> {
    const { withKey, complete } = await this.list(resource);
    return complete ? withKey(key) : this.reader(resource).findByKey(key, { fresh: true });
  }

  /**
   * Verifies that the ids of records of one kind lead to them. `omitted` is what the service has though its list lacks it. If the
   * service has none of several, what became of each is unknown.
   */
  async verify(
    resource: Resource,
    held: readonly HeldRecord[],
    { skipsDoubt }: Verification = { skipsDoubt: false },
  ): Promise<Verified & { readonly omitted: readonly RemoteRecord[] }> {
    const expected = held.length;
    const { byId, withKey } = await this.list(resource);
    const ids = new Map(held.map(({ values, id }) => [signOf(resource, values, creationOf(values)), id]));
    const idInState = ({ values, createdAt }: RemoteRecord) =>
      ids.get(signOf(resource, values, secondOf(createdAt)));
    const standingNow = ({ held: record, found }: LookedUp) =>
      standingOf(record, found, withKey(record.values[resource.key]), idInState);
    const suspects = held
      .map((record) => ({ held: record, found: byId.get(record.id) }))
      .filter((record) => !(record.found && isAsInState(record.held, record.found)));
    // A record that the list lacks may exist: a list that is cut after 25 pages does not show the others.
    const lookUp = async ({ held: record, found }: LookedUp) => ({
      held: record,
      found: found ?? (await this.reader(resource).fetchById(record.id, record.values[resource.key])),
    });
    // If neither the list nor its own path shows the first of several, the service is not asked for the others: in another
    // account, 200 records would cost 200 requests.
    const lookedUp = await Promise.all(suspects.slice(0, 1).map(lookUp));
    const isFound = (record: LookedUp) => standingNow(record).status === "same";
    const present = expected - suspects.length + lookedUp.filter(isFound).length;
    // An id that leads to another record, or to one with another key, is reported for each.
    const isAnother = [...suspects, ...lookedUp].some(({ found }) => found !== undefined);
    const doubt = isAnother || skipsDoubt || present > 0 ? undefined : describeNone(expected);
    if (doubt !== undefined) {
      const differing = suspects.map(({ held: record }) => ({ held: record }));
      return { expected, differing, doubts: [doubt], omitted: [] };
    }
    lookedUp.push(...(await Promise.all(suspects.slice(1).map(lookUp))));
    return {
      expected,
      doubts: [],
      differing: lookedUp
        .map((record) => ({ held: record.held, standing: standingNow(record) }))
        .filter(({ standing }) => standing.status !== "same"),
      omitted: lookedUp.flatMap(({ found }) => (found?.id && !byId.has(found.id) ? found : [])),
    };
  }

  private reader(resource: Resource): RecordReader {
    const reader = this.readers.get(resource) ?? new RecordReader(this.connect(resource), resource);
    this.readers.set(resource, reader);
    return reader;
  }
}

/** The records of the services that these settings lead to. */
export function recordsBy(source: SettingsSource, logger: Logger): ServiceRecords {
  return new ServiceRecords(({ service }) => createApi(endpoint(service, source), logger));
}
