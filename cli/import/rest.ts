import { noun, type Resource } from "../../provider/schema/resource";
import { type Found, shown } from "../../provider/schema/wire";
import type { Account } from "../account";
import { stateOf } from "./entry";
import type { Filter } from "./filter";
import type { Holdings } from "./holdings";
import type { Names } from "./names";
import type { Named } from "./program";
import type { Present } from "./program-file";
import type { Declared } from "./script";
import { fitForYaml } from "./yaml";

/** What there is to know before records are named. */
export interface Surroundings {
  readonly holdings: Holdings;
  /** Where the service of each resource is, by the stack's own settings. */
  readonly address: (resource: Resource) => string | undefined;
  readonly filter: Filter;
  readonly names: Names;
  /** The files of earlier imports. */
  readonly present: readonly Present[];
  /** The records have to fit into a file of declarations. */
  readonly isYaml: boolean;
}

/** The records of a resource that the stack does not hold and that are wanted. */
export interface Rest {
  /** No file of an earlier import declares them. */
  readonly fresh: readonly Named[];
  /** A file of an earlier import declares them: they only have to come into the stack. */
  readonly declared: readonly Named[];
  readonly lines: readonly string[];
}

/** Finds and names them. */
export function restOf(resource: Resource, records: readonly Found[], around: Surroundings): Rest {
  const [fresh, declared, lines]: [Named[], Named[], string[]] = [[], [], []];
  const waiting = new Waiting(resource, around);
  for (const found of records) {
    const key = found.values[resource.key];
    if (typeof key !== "string" || found.id === undefined) {
      lines.push(`a ${noun(resource)} has no id or no ${resource.key}, and is passed over`);
      continue;
    }
    // Asked of every record, so that a filter without a hit is one that fits nothing at all.
    if (!around.filter.wants(key)) continue;
    if (around.holdings.holderOf(resource, around.address(resource), found) !== undefined) continue;
    const pending = around.holdings.pending(resource, found);
    if (pending !== undefined) {
      lines.push(pending);
      continue;
    }
    const whole = stateOf(resource, found);
    // Also of a record that a file declares already: what state holds and the file leaves out would be emptied.
    const fit = around.isYaml ? fitForYaml(resource, whole) : { state: whole, left: [] };
    const known = waiting.take(key);
    if (known !== undefined) {
      declared.push({ resource, id: found.id, name: known, state: fit.state });
      continue;
    }
    const label = `${noun(resource)} ${shown(undefined, key)} (id ${found.id})`;
    for (const left of fit.left)
      lines.push(`${label}: YAML can't hold ${left}, so it is left out of the file and stays as it is`);
    fresh.push({ resource, id: found.id, name: around.names.resource(key), state: fit.state });
  }
  return { fresh, declared, lines };
}

/** What files of earlier imports declare of a resource, and the stack does not hold: that import did not end. */
class Waiting {
  private readonly declared: Declared[];

  constructor(
    private readonly resource: Resource,
    { present, holdings }: Surroundings,
  ) {
    this.declared = present
      .flatMap((each) => each.declared)
      .filter(({ type, name }) => type === resource.type && !holdings.hasName(type, name));
  }

  /** The name under which a record is declared, each once. */
  take(key: string): string | undefined {
    const canonical = (text: string) => this.resource.inputs[this.resource.key]?.canonical(text);
    const at = this.declared.findIndex((each) => canonical(each.key) === canonical(key));
    return at < 0 ? undefined : this.declared.splice(at, 1)[0]?.name;
  }
}

/**
 * One line for each record that went from the service since it was read: an import does not look, so the stack
 * holds it all the same.
 */
export async function vanished(account: Account, imported: readonly Named[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const resource of new Set(imported.map((each) => each.resource))) {
    const { records, whole } = await account.listing(resource);
    // What a list that is cut off lacks may be there all the same.
    if (!whole) continue;
    const there = new Set(records.map(({ id }) => id));
    for (const { id, state } of imported.filter((each) => each.resource === resource && !there.has(each.id)))
      lines.push(
        `${noun(resource)} ${shown(undefined, state[resource.key])} (id ${id}) was deleted on the service meanwhile; ` +
          `"pulumi refresh" takes it out of the stack, and then it has to go from the program too.`,
      );
  }
  return lines;
}
