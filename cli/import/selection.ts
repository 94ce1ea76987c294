import type { RemoteRecord } from "../../provider/schema/codec";
import { format } from "../../provider/schema/format";
import { fieldOf, noun, type Resource } from "../../provider/schema/resource";
import type { Filter } from "./filter";
import { importedState } from "./import-entry";
import type { ManagedRecords } from "./managed-records";
import type { WrittenRecord } from "./written-record";
import { fitForYaml } from "./yaml";

/** What decides which records are imported, and their names. */
export interface Selection {
  readonly managed: ManagedRecords;
  /** The base URL of the records' service. */
  readonly baseUrl: string | undefined;
  readonly filter: Filter;
  readonly nameFor: (key: string) => string;
  /** The records go into a YAML file of declarations. */
  readonly isYaml: boolean;
  readonly print: (line: string) => void;
}

/** Selects and names the records of a resource that the stack does not manage. Prints what needs attention. */
export function selectUnmanaged(
  resource: Resource,
  records: readonly RemoteRecord[],
  { managed, baseUrl, filter, nameFor, isYaml, print }: Selection,
): WrittenRecord[] {
  const canonical = (found: RemoteRecord) =>
    fieldOf(resource, resource.key).canonical(found.values[resource.key]);
  const held = new Set(records.filter((each) => managed.holderOf(resource, baseUrl, each) !== undefined));
  const owners = new Map([...held].map((each) => [canonical(each), each.id]));
  return records.flatMap((found) => {
    const key = found.values[resource.key];
    if (typeof key !== "string" || found.id === undefined) {
      print(`A ${noun(resource)} without id or ${resource.key} is skipped.`);
      return [];
    }
    // Every record is tried, so that an unused pattern is one that matches nothing at all.
    if (!filter.matches(key) || held.has(found)) return [];
    const label = `${noun(resource)} ${format(undefined, key)} (id ${found.id})`;
    if (managed.isPending(resource, found)) {
      print(`${label} is skipped: a run that has not ended is creating it.`);
      return [];
    }
    const owner = owners.get(canonical(found));
    if (owner !== undefined) {
      print(
        `${label} is skipped: id ${owner} has the same ${resource.key}, which a program can declare only once.`,
      );
      return [];
    }
    owners.set(canonical(found), found.id);
    const state = importedState(resource, found);
    const fit = isYaml ? fitForYaml(resource, state) : { state, omitted: [] };
    for (const value of fit.omitted)
      print(`${label}: YAML can't hold ${value}; the file omits it, and it stays unchanged.`);
    return [{ resource, id: found.id, name: nameFor(key), state: fit.state }];
  });
}
