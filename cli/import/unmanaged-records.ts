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

/** What decides which records are selected, and their names. */
export interface SelectionContext {
  readonly managed: ManagedRecords;
  /** The base URL of a resource's service, by the stack's own settings. */
  readonly baseUrl: (resource: Resource) => string | undefined;
  readonly filter: Filter;
  readonly names: UniqueNames;
  /** The files of earlier imports. */
  readonly existingFiles: readonly ExistingFile[];
  /** The records go into a YAML file of declarations. */
  readonly isYaml: boolean;
}

/** The selected records that the stack does not manage. */
export interface UnmanagedRecords {
  /** No file of an earlier import declares them. */
  readonly undeclared: readonly NamedRecord[];
  /** A file of an earlier import declares them, so they only need to be imported. */
  readonly declared: readonly NamedRecord[];
  /** One line for each record that needs attention. */
  readonly notes: readonly string[];
}

/** Selects and names the unmanaged records of a resource. */
export function selectUnmanaged(
  resource: Resource,
  records: readonly RemoteRecord[],
  context: SelectionContext,
): UnmanagedRecords {
  const [undeclared, declared, notes]: [NamedRecord[], NamedRecord[], string[]] = [[], [], []];
  const pendingDeclarations = new PendingDeclarations(resource, context);
  for (const found of records) {
    const key = found.values[resource.key];
    if (typeof key !== "string" || found.id === undefined) {
      notes.push(`A ${noun(resource)} without id or ${resource.key} is skipped.`);
      continue;
    }
    // Every record is tried, so that an unused pattern is one that matches nothing at all.
    if (!context.filter.matches(key)) continue;
    if (context.managed.holderOf(resource, context.baseUrl(resource), found) !== undefined) continue;
    const pending = context.managed.pendingCreate(resource, found);
    if (pending !== undefined) {
      notes.push(pending);
      continue;
    }
    const complete = importedState(resource, found);
    // Also for a record that a file declares: what state has and the file omits, the next up would clear.
    const fit = context.isYaml ? fitForYaml(resource, complete) : { state: complete, omitted: [] };
    const known = pendingDeclarations.take(key);
    if (known !== undefined) {
      declared.push({ resource, id: found.id, name: known, state: fit.state });
      continue;
    }
    const label = `${noun(resource)} ${format(undefined, key)} (id ${found.id})`;
    for (const value of fit.omitted)
      notes.push(`${label}: YAML can't hold ${value}; the file omits it, and it stays unchanged.`);
    undeclared.push({ resource, id: found.id, name: context.names.forResource(key), state: fit.state });
  }
  return { undeclared, declared, notes };
}

/** What files of earlier imports declare of a resource, but the stack does not hold: that import did not finish. */
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

  /** The name that a record is declared by; each is given once. */
  take(key: string): string | undefined {
    const canonical = (text: string) => this.resource.inputs[this.resource.key]?.canonical(text);
    const at = this.declared.findIndex((each) => canonical(each.key) === canonical(key));
    return at < 0 ? undefined : this.declared.splice(at, 1)[0]?.name;
  }
}

/** One line for each record that was deleted on the service meanwhile: `pulumi import` does not check. */
export async function describeDeleted(
  service: ServiceRecords,
  imported: readonly NamedRecord[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const resource of new Set(imported.map((each) => each.resource))) {
    const { records, complete } = await service.list(resource);
    // A record that an incomplete list lacks may exist all the same.
    if (!complete) continue;
    const listed = new Set(records.map(({ id }) => id));
    for (const { id, state } of imported.filter((each) => each.resource === resource && !listed.has(each.id)))
      lines.push(
        `${noun(resource)} ${format(undefined, state[resource.key])} (id ${id}) was deleted on the service meanwhile: ` +
          `run "pulumi refresh" to remove it from the stack, then remove it from the program.`,
      );
  }
  return lines;
}
