import type { RemoteRecord } from "../../provider/schema/codec";
import { format } from "../../provider/schema/format";
import { noun, type Resource } from "../../provider/schema/resource";
import type { ServiceRecords } from "../service-records";
import type { Filter } from "./filter";
import type { NamedRecord } from "./generated-program";
import { importedState } from "./import-entry";
import type { ManagedRecords } from "./managed-records";
import type { ExistingFile } from "./program-file";
import type { DeclaredRecord } from "./script";
import type { UniqueNames } from "./unique-names";
import { fitForYaml } from "./yaml";

/** What there is to know before records are named. */
export interface SelectionContext {
  readonly managed: ManagedRecords;
  /** Where the service of each resource is, by the stack's own settings. */
  readonly baseUrl: (resource: Resource) => string | undefined;
  readonly filter: Filter;
  readonly names: UniqueNames;
  /** The files of earlier imports. */
  readonly existingFiles: readonly ExistingFile[];
  /** The records have to fit into a file of declarations. */
  readonly isYaml: boolean;
}

/** The records of a resource that the stack does not hold and that are wanted. */
export interface UnmanagedRecords {
  /** No file of an earlier import declares them. */
  readonly undeclared: readonly NamedRecord[];
  /** A file of an earlier import declares them: they only have to come into the stack. */
  readonly declared: readonly NamedRecord[];
  readonly notes: readonly string[];
}

/** Finds and names them. */
export function selectUnmanaged(
  resource: Resource,
  records: readonly RemoteRecord[],
  context: SelectionContext,
): UnmanagedRecords {
  const [undeclared, declared, notes]: [NamedRecord[], NamedRecord[], string[]] = [[], [], []];
  const waiting = new PendingDeclarations(resource, context);
  for (const found of records) {
    const key = found.values[resource.key];
    if (typeof key !== "string" || found.id === undefined) {
      notes.push(`a ${noun(resource)} has no id or no ${resource.key}, and is passed over`);
      continue;
    }
    // Asked of every record, so that a filter without a hit is one that fits nothing at all.
    if (!context.filter.matches(key)) continue;
    if (context.managed.holderOf(resource, context.baseUrl(resource), found) !== undefined) continue;
    const pending = context.managed.pendingCreate(resource, found);
    if (pending !== undefined) {
      notes.push(pending);
      continue;
    }
    const whole = importedState(resource, found);
    // Also of a record that a file declares already: what state holds and the file leaves out would be emptied.
    const fit = context.isYaml ? fitForYaml(resource, whole) : { state: whole, left: [] };
    const known = waiting.take(key);
    if (known !== undefined) {
      declared.push({ resource, id: found.id, name: known, state: fit.state });
      continue;
    }
    const label = `${noun(resource)} ${format(undefined, key)} (id ${found.id})`;
    for (const left of fit.left)
      notes.push(`${label}: YAML can't hold ${left}, so it is left out of the file and stays as it is`);
    undeclared.push({ resource, id: found.id, name: context.names.forResource(key), state: fit.state });
  }
  return { undeclared, declared, notes };
}

/** What files of earlier imports declare of a resource, and the stack does not hold: that import did not end. */
class PendingDeclarations {
  private readonly declared: DeclaredRecord[];

  constructor(
    private readonly resource: Resource,
    { existingFiles, managed }: SelectionContext,
  ) {
    this.declared = existingFiles
      .flatMap((each) => each.declared)
      .filter(({ type, name }) => type === resource.type && !managed.hasName(type, name));
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
export async function describeDeleted(
  account: ServiceRecords,
  imported: readonly NamedRecord[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const resource of new Set(imported.map((each) => each.resource))) {
    const { records, complete } = await account.list(resource);
    // What a list that is cut off lacks may be there all the same.
    if (!complete) continue;
    const there = new Set(records.map(({ id }) => id));
    for (const { id, state } of imported.filter((each) => each.resource === resource && !there.has(each.id)))
      lines.push(
        `${noun(resource)} ${format(undefined, state[resource.key])} (id ${id}) was deleted on the service meanwhile; ` +
          `"pulumi refresh" takes it out of the stack, and then it has to go from the program too.`,
      );
  }
  return lines;
}
