import { catalogue } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import { pick } from "../../provider/schema/compare";
import { format, formatIds } from "../../provider/schema/format";
import { filterByKey } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import type { CommandFailure } from "../failure";
import type { ImportEntry, ImportFile, ResourceState } from "../pulumi/json-output";
import type { Preview } from "../pulumi/preview";
import { renameFailure } from "../renamed";
import { Unknowable } from "../service-records";
import { formOfType, type HeldRecord, holderOf, nameOf, resourceOfType } from "../stack-records";
import { importedState, toImportEntry } from "./import-entry";

/** What `import --declared` will import. */
export interface MatchResult {
  readonly file: ImportFile;
  readonly count: number;
  /** One line for each declared record that needs attention. */
  readonly notes: readonly string[];
}

/**
 * Finds the records that may have the key of a declared resource, by the settings of its provider. Rejects with an
 * `Unknowable` if that is impossible.
 */
export type FindRecords = (
  resource: Resource,
  planned: ResourceState,
  key: unknown,
) => Promise<{ readonly baseUrl: string | undefined; readonly records: readonly RemoteRecord[] }>;

/** Finds the records that the program declares and the stack does not manage. */
export async function matchDeclared(
  preview: Pick<Preview, "creates" | "file">,
  held: readonly HeldRecord[],
  find: FindRecords,
): Promise<MatchResult> {
  const notes: string[] = [];
  const entries: ImportEntry[] = [];
  const owners = new Map<string, string>();
  const file = preview.file ?? { resources: [] };
  for (const resource of catalogue)
    for (const planned of preview.creates.filter(({ type }) => resourceOfType(type) === resource)) {
      const declared = pick(resource, planned.inputs ?? {});
      const key = declared[resource.key];
      const label = `${noun(resource)} ${format(undefined, key)}`;
      const service = await find(resource, planned, key).catch((error: unknown) => {
        if (!(error instanceof Unknowable)) throw error;
        notes.push(`${label}: ${error.problem}, so it is not imported. ${error.remedy}.`);
      });
      if (service === undefined) continue;
      const { baseUrl, records } = service;
      const candidates = filterByKey(resource, key, records);
      const holders = candidates.map((each) => holderOf(held, resource, baseUrl, each.id));
      const free = candidates.filter((_, at) => holders[at] === undefined);
      const [found] = free;
      if (free.length !== 1 || found?.id === undefined) {
        const [holder] = holders;
        const rename = holder && renameFailure({ held: holder, declared: planned });
        notes.push(`${label}: ${whyNotImported(resource, free, rename, records)}`);
        continue;
      }
      const identity = `${resource.type} ${baseUrl} ${found.id}`;
      const owner = owners.get(identity);
      if (owner !== undefined) {
        notes.push(
          `${label}: the program declares its record (id ${found.id}) twice; "${owner}" is imported with it.`,
        );
        continue;
      }
      owners.set(identity, nameOf(planned.urn));
      const entry = findEntry(file, planned);
      if (entry === undefined) continue;
      const state = importedState(resource, found, declared);
      entries.push(toImportEntry(resource, entry, found.id, state, formOfType(planned.type)));
    }
  return { file: withAncestors(file, entries), count: entries.length, notes };
}

/** The name, parent and provider of a planned resource in the file that the engine wrote for `pulumi import`. */
function findEntry({ resources }: ImportFile, { urn, type }: ResourceState): ImportEntry | undefined {
  const name = nameOf(urn);
  const alike = resources.filter((each) => each.type === type && (each.logicalName ?? each.name) === name);
  const parentType = urn.split("::")[2]?.split("$").at(-2);
  const hasParent = ({ parent }: ImportEntry) =>
    resources.find((other) => other.name === parent)?.type === parentType;
  return alike.length < 2 ? alike[0] : (alike.find(hasParent) ?? alike[0]);
}

/** The file with only these entries, and their parents and providers. */
function withAncestors(file: ImportFile, entries: readonly ImportEntry[]): ImportFile {
  const needed = new Set(entries.flatMap(({ parent, provider }) => [parent, provider]));
  const above: ImportEntry[] = [];
  const isRecord = ({ type }: ImportEntry) =>
    type.startsWith("pulumi-nodejs:dynamic/") || resourceOfType(type);
  for (const entry of [...file.resources].reverse())
    if (needed.has(entry.name) && !isRecord(entry)) {
      above.unshift(entry);
      needed.add(entry.parent).add(entry.provider);
    }
  return { ...file, resources: [...above, ...entries] };
}

/** Why a declared record can't be imported: managed already, one of several, spelled otherwise, or missing. */
function whyNotImported(
  resource: Resource,
  free: readonly RemoteRecord[],
  rename: CommandFailure | undefined,
  records: readonly RemoteRecord[],
): string {
  if (free.length > 1)
    return `${free.length} records match (${formatIds(free)}), so none is imported; delete all but one.`;
  if (rename !== undefined) return `not imported. ${rename.message}`;
  const [other] = records;
  return other === undefined
    ? "does not exist on the service; the next up creates it."
    : `does not exist on the service, but ${format(undefined, other.values[resource.key])} does (id ${other.id}); ` +
        "if they are the same, declare it in this spelling.";
}
