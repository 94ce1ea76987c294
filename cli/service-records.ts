import { type Api, UnexpectedAnswer } from "../provider/api/api";
import { createApi, type Logger } from "../provider/api/client";
import { OLDEST_FIRST, readPages } from "../provider/api/pages";
import { RecordReader } from "../provider/api/record-reader";
import { sanitize } from "../provider/api/redact";
import { endpoint, type Source } from "../provider/config/endpoint";
import { reasonOf } from "../provider/lifecycle/errors";
import { decode, type RemoteRecord } from "../provider/schema/codec";
import { collectionOf } from "../provider/schema/collection";
import { noun, type Resource } from "../provider/schema/resource";
import { CommandFailure } from "./failure";

/** The records of a resource that an account shows. */
export interface RecordList {
  readonly records: readonly RemoteRecord[];
  /** There are no more, on proof. */
  readonly complete: boolean;
}

/** Every record of a resource that a list shows. */
export async function readRecordList(api: Api, resource: Resource): Promise<RecordList> {
  const { records, complete } = await readPages(api, resource.path, OLDEST_FIRST);
  return { records: records.map((raw) => decode(resource, raw)), complete: complete };
}

/** That a list may lack records, and of how many that is known. */
export function describeIncomplete(resource: Resource, { length }: readonly unknown[]): string {
  return `the service's list of ${noun(resource)}s is cut off: it gave ${length} ${noun(resource)}${length === 1 ? "" : "s"} and no proof that there are no more`;
}

/** What was found may not be all that there is. */
export class IncompleteList extends CommandFailure {}

/** The records of one account, as the given settings open it. */
export class ServiceRecords {
  constructor(
    private readonly source: Source,
    private readonly voice: Logger,
  ) {}

  /** Every record of a resource. Rejects as `listing` does, and with a `IncompleteList` where there may be more. */
  async all(resource: Resource): Promise<readonly RemoteRecord[]> {
    const { records, complete } = await this.list(resource);
    if (complete) return records;
    throw new IncompleteList(
      `Nothing is imported: ${describeIncomplete(resource, records)}`,
      `Declare the ${noun(resource)}s that you want and run "npx pulumi-tracking import --declared", or leave ${noun(resource)}s out with --only.`,
    );
  }

  /**
   * What the service lists of a resource. Rejects with a `CommandFailure` where a setting is missing, the service
   * can't be reached, or the key has no right to it.
   */
  list(resource: Resource): Promise<RecordList> {
    return this.read(resource, (api) => readRecordList(api, resource));
  }

  /**
   * Records among which are all that have a key, by a search where a list is cut off. Rejects as `listing` does, and
   * with a `IncompleteList` where the service can't tell.
   */
  find(resource: Resource, key: unknown): Promise<readonly RemoteRecord[]> {
    return this.read(resource, async (api) => {
      try {
        return await new RecordReader<RemoteRecord>(api, collectionOf(resource)).findByKey(key, {
          fresh: true,
        });
      } catch (error) {
        if (!(error instanceof UnexpectedAnswer)) throw error;
        throw new IncompleteList(
          sanitize(reasonOf(error)),
          "Ask those who run the service how all of its records can be listed.",
        );
      }
    });
  }

  private async read<T>(resource: Resource, ask: (api: Api) => Promise<T>): Promise<T> {
    try {
      return await ask(createApi(endpoint(resource.service, this.source), this.voice));
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      const reason = sanitize(reasonOf(error)).replace(/[.\s]+$/, "");
      throw new CommandFailure(
        `The ${noun(resource)}s can't be read: ${reason}`,
        'Check the settings with "npx pulumi-tracking doctor".',
      );
    }
  }
}
