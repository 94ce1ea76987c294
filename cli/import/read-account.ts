import { reasonOf } from "../../provider/api/api";
import { sanitize } from "../../provider/api/redact";
import { SettingError } from "../../provider/config";
import { IMPORT } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { noun, type Resource } from "../../provider/schema/resource";
import { countOf } from "../alike";
import { CommandFailure } from "../failure";
import type { ServiceRecords } from "../look/service";

/** Reads records for an import: a failure says which can't be read, and what to do. */
export async function readable<T>(resource: Resource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
      `The ${noun(resource)}s can't be read: ${sanitize(reasonOf(error))}`,
      error instanceof SettingError
        ? "Set that for this stack, and run this again"
        : 'Run "npx pulumi-tracking doctor", which checks the settings',
    );
  }
}

/** Every record of a resource. Rejects with a `CommandFailure` if it can't be read, or if there may be more. */
export async function allOf(resource: Resource, service: ServiceRecords): Promise<readonly RemoteRecord[]> {
  const { records, complete } = await readable(resource, () => service.list(resource));
  if (complete) return records;
  throw new CommandFailure(
    `Nothing is imported. The service's list of ${noun(resource)}s may be incomplete: it has ${countOf(resource, records)}, and nothing shows that it is complete`,
    `Declare the ${noun(resource)}s that you want and run "${IMPORT}", or exclude ${noun(resource)}s with --only`,
  );
}
