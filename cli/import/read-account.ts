import { inOneLine, linesOf } from "../../provider/api/api";
import { sanitize } from "../../provider/api/redact";
import { IMPORT } from "../../provider/lifecycle/advice";
import type { RemoteRecord } from "../../provider/schema/codec";
import { noun, type Resource } from "../../provider/schema/resource";
import { countOf } from "../alike";
import { CommandFailure } from "../failure";
import type { ServiceRecords } from "../look/service";
import type { Account } from "./accounts";
import type { PlanRow } from "./row";

/** Reads records for an import. A failure says which can't be read, and what to do. */
export async function readable<T>(
  resource: Resource,
  { records, failure }: Pick<Account, "records" | "failure">,
  work: (records: ServiceRecords) => Promise<T>,
): Promise<T> {
  if (failure !== undefined) throw failure;
  try {
    return await work(records);
  } catch (error) {
    const [what = "", ...advice] = linesOf(error);
    throw new CommandFailure(
      `the service's ${noun(resource)}s can't be read: ${sanitize(what)}`,
      advice.length > 0 ? inOneLine(advice) : 'Run "npx pulumi-tracking doctor", which checks the settings',
    );
  }
}

/** Ends an import by a failure. Any other error is thrown as it is. */
export function refuse(failure: unknown): never {
  if (!(failure instanceof CommandFailure)) throw failure;
  throw new CommandFailure(`Nothing is imported: ${failure.title}`, failure.advice);
}

/**
 * The row of an account that can't be read: what it concerns waits for the next import. Throws if it is the stack's own:
 * without that, nothing is imported.
 *
 * @param about `what`: the records that the row is about
 */
export function failedRow(
  failure: unknown,
  about: { readonly what: string; readonly isOwn: boolean },
): PlanRow {
  if (about.isOwn || !(failure instanceof CommandFailure)) return refuse(failure);
  return { kind: "unread", text: `${about.what}: ${failure.title}. ${failure.advice}.`, isOpen: true };
}

/**
 * Reads every record of a resource. Rejects with a `CommandFailure` if that fails, or if there may be others: a record that is
 * not listed would get no program, and nobody would miss it.
 */
export async function readAll(resource: Resource, service: ServiceRecords): Promise<readonly RemoteRecord[]> {
  const reading = readable(resource, { records: service }, () => service.list(resource));
  const { records, complete } = await reading.catch(refuse);
  if (complete) return records;
  throw new CommandFailure(
    `Nothing is imported. The service's list of ${noun(resource)}s may be incomplete: it has ${countOf(resource, records)}, and nothing shows that it is complete`,
    `Declare the ${noun(resource)}s that you want and run "${IMPORT}", or exclude ${noun(resource)}s with --only`,
  );
}
