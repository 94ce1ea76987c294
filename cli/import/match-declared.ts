import type { SettingsSource } from "../../provider/config";
import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { pick } from "../../provider/schema/compare";
import { format, formatIds } from "../../provider/schema/format";
import { filterByKey, isSameRecord } from "../../provider/schema/identity";
import type { Resource } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import type { ImportEntry, ImportFile, StackResource } from "../pulumi/json-output";
import type { Planned, Preview } from "../pulumi/preview";
import { renameFailure } from "../renamed";
import { readable, type ServiceRecords } from "../service-records";
import {
  baseUrlFor,
  dropCommand,
  formOfType,
  type HeldRecord,
  holders,
  placeOf,
  providerUrn,
  resourceOfType,
} from "../stack-records";
import { importedState, toImportEntry } from "./import-entry";

/** A line on a record that needs attention; those of one code are similar. */
export interface Note {
  readonly code: string;
  readonly text: string;
}

/** What `import --declared` will do. */
export interface MatchResult {
  readonly file: ImportFile;
  readonly count: number;
  /** The ids that records of the stack have now, by their resources' URNs. */
  readonly newIds: ReadonlyMap<string, string>;
  /** Why a service may be another account's: it has none of the stack's records under their ids. */
  readonly doubt:
    | { readonly text: string; readonly resource: Resource; readonly source: SettingsSource }
    | undefined;
  readonly notes: readonly Note[];
}

/** The records of a resource's service, by the settings of the provider with this URN. */
export type ServiceFor = (provider: string) => {
  readonly source: SettingsSource;
  readonly service: ServiceRecords;
};

/** What a preview prints instead of a secret. */
export const HIDDEN = "[secret]";

/** Finds the records that the program declares, and the stack does not manage or knows by another id. */
export async function matchDeclared(
  { creates, file = { resources: [] }, keeps }: Pick<Preview, "creates" | "file" | "keeps">,
  held: readonly HeldRecord[],
  serviceFor: ServiceFor,
): Promise<MatchResult> {
  const holding = new Holding(held);
  const kept = held.filter(({ urn, isLeaving }) => !isLeaving && keeps(urn));
  const compared = await compareHeld(kept, holding, serviceFor);
  const notes = [...compared.notes];
  const entries: ImportEntry[] = [];
  const entryFor = entriesOf(file.resources);
  for (const planned of creates) {
    const resource = resourceOfType(planned.type);
    if (resource === undefined) continue;
    const values = pick(resource, planned.inputs ?? {});
    const key = values[resource.key];
    const { source, service } = serviceFor(providerUrn(planned));
    const similar = key === HIDDEN ? [] : await readable(resource, () => service.find(resource, key));
    const baseUrl = baseUrlFor(resource, source);
    const found = chooseRecord({ resource, values, baseUrl }, planned, similar, holding);
    const entry = entryFor(planned);
    if ("code" in found) notes.push(found);
    else if (entry === undefined || !holding.give(resource, baseUrl, found.id))
      notes.push(unplacedNote({ resource, values }));
    else {
      const state = importedState(resource, found, values);
      entries.push(toImportEntry(resource, entry, found.id, state, formOfType(planned.type)));
    }
  }
  return { ...compared, file: withAncestors(file, entries), count: entries.length, notes };
}

/** Which resource has which record: in the stack, and by this import. */
class Holding {
  private readonly held: ReadonlyMap<string, HeldRecord>;
  private readonly given = new Set<string>();

  constructor(held: readonly HeldRecord[]) {
    this.held = holders(held);
  }

  /** The resource of the stack that has a record, and not only its id. */
  holderOf({ resource, baseUrl }: Subject, found: RemoteRecord): HeldRecord | undefined {
    const holder = this.held.get(placeOf(resource, baseUrl, found.id));
    return holder && isSameRecord(resource, holder.values, found) ? holder : undefined;
  }

  /** Gives a record to a resource; false if another one has got it. */
  give(resource: Resource, baseUrl: string | undefined, id: string): boolean {
    const place = placeOf(resource, baseUrl, id);
    return !this.given.has(place) && this.given.add(place).has(place);
  }
}

/** Looks for the records of the stack: one may have another id now, and its id may be another record's. */
async function compareHeld(
  held: readonly HeldRecord[],
  holding: Holding,
  serviceFor: ServiceFor,
): Promise<Pick<MatchResult, "newIds" | "doubt" | "notes">> {
  const newIds = new Map<string, string>();
  const notes: Note[] = [];
  let doubt: MatchResult["doubt"];
  for (const group of groupsBy(held, ({ resource, provider }) => JSON.stringify([resource.type, provider]))) {
    const { resource, provider = "", baseUrl } = group[0];
    const { source, service } = serviceFor(provider);
    const compared = await readable(resource, () => service.compare(group));
    if (compared.doubt !== undefined) doubt ??= { text: compared.doubt, resource, source };
    for (const { held: each, found: other } of compared.differing) {
      const key = each.values[resource.key];
      const exact = filterByKey(resource, key, await readable(resource, () => service.find(resource, key)));
      const [found, second] = exact.filter((record) => holding.holderOf(each, record) === undefined);
      if (found?.id !== undefined && second === undefined && holding.give(resource, baseUrl, found.id))
        newIds.set(each.urn, found.id);
      else if (other !== undefined) notes.push(takenNote(each, other));
    }
  }
  return { newIds, doubt, notes };
}

/** A resource, and where its record is. */
type Subject = Pick<HeldRecord, "resource" | "values" | "baseUrl">;

/** The record of a resource that the next `up` would create, or why none is imported. */
function chooseRecord(
  declared: Subject,
  planned: Planned,
  similar: readonly RemoteRecord[],
  holding: Holding,
): (RemoteRecord & { readonly id: string }) | Note {
  const { resource, values } = declared;
  const key = values[resource.key];
  const note = (code: string, text: string) => ({ code, text: `${describeRecord(declared)}: ${text}` });
  if (key === HIDDEN)
    return note(
      "hidden",
      `a preview hides its ${resource.key}, so it is not imported. Give it adopt: true instead.`,
    );
  const exact = filterByKey(resource, key, similar);
  const free = exact.filter((each) => holding.holderOf(declared, each) === undefined);
  const [found, second] = free;
  if (found?.id !== undefined && second === undefined) return { ...found, id: found.id };
  if (found !== undefined)
    return note(
      "several",
      `${free.length} records match (${formatIds(free)}), so none is imported; delete all but one.`,
    );
  const [holder] = exact.flatMap((each) => holding.holderOf(declared, each) ?? []);
  if (holder !== undefined)
    return note("renamed", `not imported. ${renameFailure({ held: holder, declared: planned }).message}`);
  const [other] = similar;
  if (other === undefined) return note("absent", "does not exist on the service; the next up creates it.");
  const spelling = `${format(undefined, other.values[resource.key])} does (id ${other.id})`;
  return note(
    "similar",
    `does not exist on the service, but ${spelling}; if they are the same, declare it in this spelling.`,
  );
}

function takenNote(held: HeldRecord, other: RemoteRecord): Note {
  const key = format(undefined, other.values[held.resource.key]);
  const text =
    `${describeRecord(held)}: this id is ${key} on the service, and no record has its ${held.resource.key}. If the base URL and ` +
    `the key are right, drop the resource with ${dropCommand(held.urn)}, and the next up creates the record.`;
  return { code: "taken", text };
}

function unplacedNote(declared: Pick<HeldRecord, "resource" | "values">): Note {
  const why = "Pulumi can't import it under its name, or the program declares it twice";
  return { code: "unplaced", text: `${describeRecord(declared)}: not imported. ${why}.` };
}

/** Finds the name, parent and provider of a planned resource in the file that the engine wrote for `pulumi import`. */
function entriesOf(resources: readonly ImportEntry[]): (planned: StackResource) => ImportEntry | undefined {
  const placeIn = (type: string, name: string) => JSON.stringify([type, name]);
  const groups = groupsBy(resources, ({ type, name, logicalName = name }) => placeIn(type, logicalName));
  const byName = new Map(
    groups.map((group) => [placeIn(group[0].type, group[0].logicalName ?? group[0].name), group]),
  );
  const types = new Map(resources.map(({ name, type }) => [name, type]));
  return ({ urn, type }) => {
    const { name, parentType } = parseUrn(urn);
    const alike = byName.get(placeIn(type, name)) ?? [];
    return alike.find(({ parent = "" }) => types.get(parent) === parentType) ?? alike[0];
  };
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
