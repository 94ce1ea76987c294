import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { changedFields, pick } from "../../provider/schema/compare";
import { format, formatIds } from "../../provider/schema/format";
import { couldHaveKey, filterByKey } from "../../provider/schema/identity";
import { noun, type Resource, type Values } from "../../provider/schema/resource";
import type { ImportEntry, ImportFile, PlannedResource } from "../pulumi/json-output";
import type { Preview } from "../pulumi/preview";
import { formOfType, resourceOfType } from "../pulumi/resource-forms";
import { nameOf } from "../pulumi/urn";
import { IncompleteList } from "../service-records";
import { importedState, toImportEntry } from "./import-entry";
import { findEntry, withAncestors } from "./import-file";
import type { ManagedRecords } from "./managed-records";

/** What `import --declared` will import. */
export interface MatchResult {
  readonly file: ImportFile;
  readonly count: number;
  /** One line for each declared record that needs attention. */
  readonly notes: readonly string[];
}

/** The services that the program's providers use. */
export interface Services {
  /** The base URL of a resource's service. */
  baseUrl(resource: Resource, planned: PlannedResource): string | undefined;
  /** Records that include all with this key; rejects with an `IncompleteList` if the service can't tell. */
  find(resource: Resource, planned: PlannedResource, key: unknown): Promise<readonly RemoteRecord[]>;
}

/** Finds the records that the program declares and the stack does not manage. */
export async function matchDeclared(
  preview: Preview,
  managed: ManagedRecords,
  services: Services,
): Promise<MatchResult> {
  const notes: string[] = [];
  const entries: ImportEntry[] = [];
  const owners = new Map<string, string>();
  for (const resource of catalogue)
    for (const planned of preview.creates.filter(({ type }) => resourceOfType(type) === resource)) {
      const declared = pick(resource, planned.inputs ?? {});
      const label = `${noun(resource)} ${format(undefined, declared[resource.key])}`;
      const address = services.baseUrl(resource, planned);
      const records = await services.find(resource, planned, declared[resource.key]).catch(orIncompleteList);
      if (records instanceof IncompleteList) {
        notes.push(`${label}: ${records.problem}, so it is not imported.`);
        continue;
      }
      const candidates = filterByKey(resource, declared[resource.key], records);
      const free = candidates.filter((each) => managed.holderOf(resource, address, each) === undefined);
      const [found] = free;
      const entry = findEntry(preview.file, planned);
      if (free.length !== 1 || found?.id === undefined || entry === undefined) {
        notes.push(
          `${label}: ${whyNotImported(resource, address, { candidates, free }, managed, records, declared)}`,
        );
        continue;
      }
      const identity = `${resource.type} ${address} ${found.id}`;
      const owner = owners.get(identity);
      if (owner !== undefined) {
        notes.push(`${label}: the program declares its record (id ${found.id}) twice; "${owner}" gets it.`);
        continue;
      }
      owners.set(identity, nameOf(planned.urn));
      const state = importedState(resource, found, declared);
      const form = formOfType(planned.type) ?? "dynamic";
      entries.push(toImportEntry(resource, entry, found.id, state, form));
      notes.push(...pendingChanges(resource, label, found.id, state, declared));
    }
  return { file: withAncestors(preview.file, entries), count: entries.length, notes };
}

function orIncompleteList(error: unknown): IncompleteList {
  if (error instanceof IncompleteList) return error;
  throw error;
}

/** Why a declared record can't be imported: managed already, one of several, spelled otherwise, or missing. */
function whyNotImported(
  resource: Resource,
  address: string | undefined,
  { candidates, free }: { candidates: readonly RemoteRecord[]; free: readonly RemoteRecord[] },
  managed: ManagedRecords,
  records: readonly RemoteRecord[],
  declared: Values,
): string {
  if (free.length > 1)
    return `${free.length} records match (${formatIds(free)}), so none is imported; delete all but one.`;
  const [taken] = candidates;
  const holder = taken && managed.holderOf(resource, address, taken);
  if (taken !== undefined && holder !== undefined)
    return `skipped, because "${nameOf(holder.urn)}" already manages its record (id ${taken.id}); declare it once.`;
  const lookalike = records.find((each) => couldHaveKey(resource, declared[resource.key], each));
  return lookalike === undefined
    ? "does not exist on the service; the next up creates it."
    : `does not exist on the service, but ${format(undefined, lookalike.values[resource.key])} does (id ${lookalike.id}); ` +
        "if they are the same, declare it in this spelling.";
}

/** What the next `up` will send, because the record is not, or not known to be, as declared. */
function pendingChanges(
  resource: Resource,
  label: string,
  id: string,
  state: Values,
  news: Values,
): string[] {
  const names = changedFields(resource, state, news);
  if (names.length === 0) return [];
  const clauses = names.map((name) => {
    const field = resource.inputs[name];
    return state[name] === undefined
      ? `${name} (its current value is unknown)`
      : `${name} from ${format(field, state[name])} to ${format(field, news[name])}`;
  });
  return [`${label} (id ${id}): the next up changes ${clauses.join(", ")}.`];
}
