import type { Resource } from "../../provider/schema/resource";
import { noun } from "../../provider/schema/resource";
import type { Found } from "../../provider/schema/wire";
import type { Held } from "../stack";
import { stateOf, tokenOf } from "./entry";
import type { Names } from "./names";
import type { Named } from "./program";

/** The records of a resource that the stack does not hold and that are wanted, named. */
export function restOf(
  resource: Resource,
  records: readonly Found[],
  held: readonly Held[],
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

/** Resource names that are taken in the stack. */
export function namesIn(held: readonly Held[]): string[] {
  return held.map(({ urn }) => urn.slice(urn.lastIndexOf("::") + 2));
}
