import { tokenOf } from "../../provider/hosts/token";
import type { Resource } from "../../provider/schema/resource";
import { noun } from "../../provider/schema/resource";
import { type Found, shown } from "../../provider/schema/wire";
import type { Account } from "../account";
import type { Stored } from "../pulumi/answers";
import { stateOf } from "./entry";
import type { Names } from "./names";
import type { Named } from "./program";

/** The records of a resource that the stack does not hold and that are wanted, named. */
export function restOf(
  resource: Resource,
  records: readonly Found[],
  held: readonly Stored[],
  { wanted, names }: { wanted: (key: string) => boolean; names: Names },
): { readonly records: readonly Named[]; readonly lines: readonly string[] } {
  const known = new Set(held.filter(({ type }) => type === tokenOf(resource)).map(({ id }) => id));
  const lines: string[] = [];
  const rest: Named[] = [];
  for (const found of records) {
    const key = found.values[resource.key];
    if (typeof key !== "string" || found.id === undefined) {
      lines.push(`a ${noun(resource)} has no id or no ${resource.key}, and is passed over`);
      continue;
    }
    if (known.has(found.id) || !wanted(key)) continue;
    rest.push({ resource, id: found.id, name: names.resource(key), state: stateOf(resource, found) });
  }
  return { records: rest, lines };
}

/**
 * One line for each record that went from the service since it was read: an import does not look, so the stack
 * holds it all the same.
 */
export async function vanished(account: Account, imported: readonly Named[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const resource of new Set(imported.map((each) => each.resource))) {
    const there = new Set((await account.records(resource)).map(({ id }) => id));
    for (const { id, state } of imported.filter((each) => each.resource === resource && !there.has(each.id)))
      lines.push(
        `${noun(resource)} ${shown(undefined, state[resource.key])} (id ${id}) was deleted on the service meanwhile; ` +
          `"pulumi refresh" takes it out of the stack, and then it has to go from the program too.`,
      );
  }
  return lines;
}

/** Resource names that are taken in the stack. */
export function namesIn(held: readonly Stored[]): string[] {
  return held.map(({ urn }) => urn.slice(urn.lastIndexOf("::") + 2));
}
