import { type Api, reasonOf, UnexpectedAnswer } from "../provider/api/api";
import { createApi, type Logger } from "../provider/api/client";
import { sanitize } from "../provider/api/redact";
import { endpoint, type SettingsSource } from "../provider/config";
import { OLDEST_FIRST, readPages } from "../provider/records/pages";
import { RecordReader } from "../provider/records/reader";
import { decode, type RemoteRecord } from "../provider/schema/codec";
import { indexByKey } from "../provider/schema/identity";
import { noun, type Resource } from "../provider/schema/resource";
import { CommandFailure } from "./failure";

/** Reads the service's whole list of a resource, and whether it is provably complete. */
export async function readRecordList(api: Api, resource: Resource) {
  const { records, complete } = await readPages(api, resource.path, OLDEST_FIRST);
  return { records: records.map((raw) => decode(resource, raw)), complete };
}

/** Such as `3 websites`. */
export function countOf(resource: Resource, { length }: readonly unknown[]): string {
  return `${length} ${noun(resource)}${length === 1 ? "" : "s"}`;
}

/** It is unknown whether a declared record exists, and nothing is imported on a guess. */
export class Unknowable extends CommandFailure {}

/** The records on a service, by one provider's settings. Each kind is listed once. */
export class ServiceRecords {
  private readonly lists = new Map<Resource, ReturnType<ServiceRecords["readIndexed"]>>();

  constructor(
    private readonly source: SettingsSource,
    private readonly logger: Logger,
  ) {}

  /** Every record of a resource. Rejects with a `CommandFailure` if it can't be read, or if there may be more. */
  async all(resource: Resource): Promise<readonly RemoteRecord[]> {
    const { records, complete } = await this.list(resource);
    if (complete) return records;
    throw new CommandFailure(
      `Nothing is imported. The service's list of ${noun(resource)}s may be incomplete: it has ${countOf(resource, records)}, and nothing shows that it is complete`,
      `Declare the ${noun(resource)}s that you want and run "npx pulumi-tracking import --declared", or exclude ${noun(resource)}s with --only`,
    );
  }

  /** The records that may have this domain or name. Searches if the list is incomplete. */
  async find(resource: Resource, key: unknown): Promise<readonly RemoteRecord[]> {
    const { withKey, complete } = await this.list(resource);
    if (complete) return withKey(key);
    const search = (api: Api) => new RecordReader(api, resource).findByKey(key, { fresh: true });
    return this.read(resource, (api) =>
      search(api).catch((error: unknown) => {
        if (!(error instanceof UnexpectedAnswer)) throw error;
        const remedy = "Ask the service's operators how to list all of its records";
        throw new Unknowable(sanitize(reasonOf(error)), remedy);
      }),
    );
  }

  private list(resource: Resource) {
    const list = this.lists.get(resource) ?? this.readIndexed(resource);
    this.lists.set(resource, list);
    return list;
  }

  private async readIndexed(resource: Resource) {
    const list = await this.read(resource, (api) => readRecordList(api, resource));
    return { ...list, withKey: indexByKey(resource, list.records) };
  }

  private async read<T>(resource: Resource, ask: (api: Api) => Promise<T>): Promise<T> {
    try {
      return await ask(createApi(endpoint(resource.service, this.source), this.logger));
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      throw new CommandFailure(
        `The ${noun(resource)}s can't be read: ${sanitize(reasonOf(error))}`,
        'Check the settings with "npx pulumi-tracking doctor", or import only other records, with --only',
      );
    }
  }
}
