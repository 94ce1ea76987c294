import type { Api } from "../provider/api/api";
import { connect, type Voice } from "../provider/api/connect";
import { OLDEST_FIRST, readPages } from "../provider/api/pages";
import { clean } from "../provider/api/redact";
import { endpoint, type Source } from "../provider/config";
import { reasonOf } from "../provider/lifecycle/problem";
import { noun, type Resource } from "../provider/schema/resource";
import { decode, type Found } from "../provider/schema/wire";
import { CommandFailure } from "./failure";

/** Every record of a resource that an account shows. */
export async function everyRecord(api: Api, resource: Resource): Promise<readonly Found[]> {
  const { records } = await readPages(api, resource.path, OLDEST_FIRST);
  return records.map((raw) => decode(resource, raw));
}

/** The records of one account, as the given settings open it. */
export class Account {
  constructor(
    private readonly source: Source,
    private readonly voice: Voice,
  ) {}

  /**
   * Every record of a resource. Rejects with a `CommandFailure` where a setting is missing, the service can't be
   * reached, or the key has no right to it.
   */
  async records(resource: Resource): Promise<readonly Found[]> {
    try {
      const api = connect(endpoint(resource.service, this.source), this.voice);
      return await everyRecord(api, resource);
    } catch (error) {
      const reason = clean(reasonOf(error)).replace(/[.\s]+$/, "");
      throw new CommandFailure(
        `The ${noun(resource)}s can't be read: ${reason}`,
        'Check the settings with "npx pulumi-tracking doctor".',
      );
    }
  }
}
