import type { Api } from "../../provider/api/api";
import { createApi, type Logger } from "../../provider/api/client";
import { endpoint, type SettingsSource } from "../../provider/config";
import { describeNone } from "../../provider/lifecycle/account-guard";
import { type Standing, standingOf } from "../../provider/lifecycle/standing";
import { RecordReader } from "../../provider/records/reader";
import type { RemoteRecord } from "../../provider/schema/codec";
import { canonicalKey, identify } from "../../provider/schema/identity";
import type { Resource, Values } from "../../provider/schema/resource";
import type { HeldRecord } from "./held";

/** A record of a stack, and what its id leads to. */
interface Looked {
  readonly held: HeldRecord;
  readonly found: RemoteRecord | undefined;
}

/** A record of a stack whose id does not lead to it on the service, and what became of it, unless that is unknown. */
export interface Differing {
  readonly held: HeldRecord;
  readonly standing?: Standing;
}

/** Whether a record is the one in state, by its key there or the program's, as far as the last `up` knows it. */
export function isFound({ held: { resource, values, declared }, found }: Looked): boolean {
  return found !== undefined && [values, declared].some((each) => identify(resource, each, found) === "same");
}

/** The records on a service, by one provider's settings. Each kind is listed once. Rejects with an `ApiError`. */
export class ServiceRecords {
  private readonly lists = new Map<Resource, ReturnType<RecordReader["readAll"]>>();
  private readonly readers = new Map<Resource, RecordReader>();

  /** @param connect the client of a resource's service; may throw what settings are missing */
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
   * Asks which records of a stack are what their ids lead to; `omitted` are those of them that the list lacks. If the service
   * has none of several, `doubt` says so: it is probably another account.
   *
   * @param isRightAccount whether records of other kinds prove that it is the right one
   */
  async compare(
    resource: Resource,
    held: readonly HeldRecord[],
    isRightAccount = false,
  ): Promise<{
    readonly differing: readonly Differing[];
    readonly omitted: readonly RemoteRecord[];
    readonly doubt?: string;
  }> {
    const { byId, withKey } = await this.list(resource);
    const ids = new Map(held.map(({ values, id }) => [canonicalKey(resource, values), id]));
    const idInState = (found: Values) => ids.get(canonicalKey(resource, found));
    const became = ({ held: each, found }: Looked): Differing => ({
      held: each,
      standing: standingOf(each, found, withKey(each.values[resource.key]), idInState),
    });
    const unlisted = held
      .map((each) => ({ held: each, found: byId.get(each.id) }))
      .filter((each) => !isFound(each));
    // A record that a list lacks may still exist.
    const look = async ({ held: each, found }: Looked) => ({
      held: each,
      found: found ?? (await this.reader(resource).fetchById(each.id, each.values[resource.key])),
    });
    // If neither the list nor its own path shows the first of several, the others need not be asked for.
    const looked = await Promise.all(unlisted.slice(0, 1).map(look));
    const present = held.length - unlisted.length + looked.filter(isFound).length;
    // An id that leads to another record, or to one with another key, is told for each.
    const isAnother = [...unlisted, ...looked].some(({ found }) => found !== undefined);
    const doubt = isAnother || isRightAccount ? undefined : describeNone(held.length, present);
    if (doubt !== undefined)
      return { differing: unlisted.map(({ held: each }) => ({ held: each })), omitted: [], doubt };
    looked.push(...(await Promise.all(unlisted.slice(1).map(look))));
    return {
      differing: looked.filter((each) => !isFound(each)).map(became),
      omitted: looked.flatMap(({ found }) => (found?.id && !byId.has(found.id) ? found : [])),
    };
  }

  private reader(resource: Resource): RecordReader {
    const reader = this.readers.get(resource) ?? new RecordReader(this.connect(resource), resource);
    this.readers.set(resource, reader);
    return reader;
  }
}

/** The records that these settings lead to. */
export function recordsBy(source: SettingsSource, logger: Logger): ServiceRecords {
  return new ServiceRecords(({ service }) => createApi(endpoint(service, source), logger));
}
