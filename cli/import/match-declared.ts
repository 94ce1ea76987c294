import { parseUrn } from "../../provider/hosts/urn";
import { describeNone } from "../../provider/lifecycle/account";
import { describeRecord } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { pick } from "../../provider/schema/compare";
import { format, formatIds } from "../../provider/schema/format";
import { filterByKey, isSameRecord } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import type { ImportEntry, ImportFile, StackResource } from "../pulumi/json-output";
import type { Preview } from "../pulumi/preview";
import { renameFailure } from "../renamed";
import { readable, type ServiceRecords, Unknowable } from "../service-records";
import {
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

/** Why a service may be another account's, and the settings that say which it is. */
export interface Doubt {
  readonly text: string;
  readonly settings: string;
}

/** What `import --declared` will do. */
export interface MatchResult {
  readonly file: ImportFile;
  readonly count: number;
  /** The ids that records of the stack have now, by their resources' URNs. */
  readonly newIds: ReadonlyMap<string, string>;
  /** Services that may be another account's, since they have none of the stack's records under their ids. */
  readonly doubts: readonly Doubt[];
  readonly notes: readonly Note[];
}

/**
 * The records of a resource's service, by the settings of the provider with this URN. Throws an `Unknowable` if the
 * settings are.
 */
export type ServiceFor = (
  resource: Resource,
  provider: string,
) => {
  readonly baseUrl: string | undefined;
  readonly service: ServiceRecords;
  /** The names of the settings of its key and its address. */
  settings(): string;
};

/** What becomes of a resource: another id, an entry for the import, a note, or nothing. */
type Outcome = { readonly id: string } | { readonly entry: ImportEntry } | Note | undefined;

/** What a preview prints instead of a secret. */
export const HIDDEN = "[secret]";

/** Finds the records that the program declares, and the stack does not manage or knows by another id. */
export async function matchDeclared(
  { creates, file, keeps }: Pick<Preview, "creates" | "file" | "keeps">,
  held: readonly HeldRecord[],
  serviceFor: ServiceFor,
): Promise<MatchResult> {
  const matching = new Matching(held, entriesOf(file?.resources ?? []), serviceFor);
  const newIds = new Map<string, string>();
  const entries: ImportEntry[] = [];
  const notes: Note[] = [];
  const take = (urn: string, outcome: Outcome) => {
    if (outcome === undefined) return;
    if ("id" in outcome) newIds.set(urn, outcome.id);
    else if ("entry" in outcome) entries.push(outcome.entry);
    else notes.push(outcome);
  };
  for (const each of held)
    if (!each.isLeaving && keeps(each.urn))
      take(each.urn, await unknownAsNote(each, () => matching.holds(each)));
  for (const planned of creates) {
    const resource = resourceOfType(planned.type);
    if (resource === undefined) continue;
    const subject = { resource, values: pick(resource, planned.inputs ?? {}) };
    take(planned.urn, await unknownAsNote(subject, () => matching.creates(subject, planned)));
  }
  return {
    file: withAncestors(file ?? { resources: [] }, entries),
    count: entries.length,
    newIds,
    doubts: matching.doubts(),
    notes,
  };
}

/** Runs the search for a record. What can't be known becomes a note. */
async function unknownAsNote(
  subject: { readonly resource: Resource; readonly values: Readonly<Record<string, unknown>> },
  search: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await readable(subject.resource, search);
  } catch (error) {
    if (!(error instanceof Unknowable)) throw error;
    const text = `${describeRecord(subject)}: ${error.problem}, so it is not imported. ${error.remedy}.`;
    return { code: "unknown", text };
  }
}

/** What a subject of a message needs to be found by its key. */
type Declared = Pick<HeldRecord, "resource" | "values">;

/** Which record each resource of the program has. */
class Matching {
  private readonly holders: ReadonlyMap<string, HeldRecord>;
  /** The resources that get a record by this import. */
  private readonly owners = new Map<string, string>();
  /** By service and provider: how many records were looked for by their ids, and how many are there. */
  private readonly asked = new Map<string, { asked: number; present: number; settings: () => string }>();

  constructor(
    held: readonly HeldRecord[],
    private readonly entryFor: (planned: StackResource) => ImportEntry | undefined,
    private readonly serviceFor: ServiceFor,
  ) {
    this.holders = holders(held);
  }

  /** A resource of the stack: its record may have another id now, and its id may be another record's. */
  async holds(held: HeldRecord): Promise<Outcome> {
    const { resource, values, urn, id } = held;
    const { provider = "" } = held;
    const { baseUrl, service, settings } = this.serviceFor(resource, provider);
    const account = `${resource.service} ${provider}`;
    const counts = this.asked.get(account) ?? { asked: 0, present: 0, settings };
    this.asked.set(account, counts);
    const listed = (await service.list(resource)).byId.get(id);
    counts.asked += 1;
    if (listed !== undefined && isSameRecord(resource, values, listed)) {
      counts.present += 1;
      return undefined;
    }
    const key = values[resource.key];
    const [found, ...others] = filterByKey(resource, key, await service.find(resource, key));
    if (found?.id !== undefined && others.length === 0 && found.id !== id) {
      const { id: newId } = found;
      return this.ownerOf(held, baseUrl, found, urn) ?? { id: newId };
    }
    const other = listed ?? (await service.fetch(held));
    if (other !== undefined && isSameRecord(resource, values, other)) counts.present += 1;
    else if (other !== undefined) return this.taken(held, other);
    return undefined;
  }

  /** The services that have none of several records. */
  doubts(): Doubt[] {
    return [...this.asked.values()].flatMap(({ asked, present, settings }) => {
      const text = describeNone(asked, present);
      return text === undefined ? [] : { text, settings: settings() };
    });
  }

  private taken(held: HeldRecord, other: RemoteRecord): Note {
    const { resource, urn } = held;
    const key = format(undefined, other.values[resource.key]);
    const text =
      `${describeRecord(held)}: this id is ${key} on the service, which has no such ${noun(resource)}. If the base URL and the ` +
      `key are right, drop the resource with ${dropCommand(urn)}, and the next up creates the record.`;
    return { code: "taken", text };
  }

  /** A resource that the next `up` would create: its record may exist. */
  async creates(declared: Declared, planned: StackResource): Promise<Outcome> {
    const { resource, values } = declared;
    const key = values[resource.key];
    if (key === HIDDEN)
      throw new Unknowable(
        `its ${resource.key} is a secret, which a preview hides`,
        "Give it adopt: true instead",
      );
    const { baseUrl, service } = this.serviceFor(resource, providerUrn(planned));
    const similar = await service.find(resource, key);
    const candidates = filterByKey(resource, key, similar);
    const held = candidates.map((each) => this.holderOf(resource, baseUrl, each));
    const free = candidates.filter((_, at) => held[at] === undefined);
    const note = (code: string, text: string): Note => ({
      code,
      text: `${describeRecord(declared)}: ${text}`,
    });
    const [found, ...others] = free;
    if (found?.id !== undefined && others.length === 0) {
      const entry = this.entryFor(planned);
      if (entry === undefined)
        return note(
          "unplaced",
          "Pulumi can't import it under its name, so it is not imported. Give it adopt: true.",
        );
      const state = importedState(resource, found, values);
      const imported = toImportEntry(resource, entry, found.id, state, formOfType(planned.type));
      return this.ownerOf(declared, baseUrl, found, planned.urn) ?? { entry: imported };
    }
    if (found !== undefined)
      return note(
        "several",
        `${free.length} records match (${formatIds(free)}), so none is imported; delete all but one.`,
      );
    const [holder] = held;
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

  /** The resource of the stack that has this record, and not only its id. */
  private holderOf(
    resource: Resource,
    baseUrl: string | undefined,
    found: RemoteRecord,
  ): HeldRecord | undefined {
    const holder = this.holders.get(placeOf(resource, baseUrl, found.id));
    return holder !== undefined && isSameRecord(resource, holder.values, found) ? holder : undefined;
  }

  /** Gives a record to a resource, or says which one has it. */
  private ownerOf(
    declared: Declared,
    baseUrl: string | undefined,
    found: RemoteRecord,
    urn: string,
  ): Note | undefined {
    const { resource } = declared;
    const place = placeOf(resource, baseUrl, found.id);
    const owner = this.owners.get(place) ?? this.holderOf(resource, baseUrl, found)?.name;
    if (owner === undefined) {
      this.owners.set(place, parseUrn(urn).name);
      return undefined;
    }
    const label = describeRecord({ ...declared, id: undefined });
    const text = `${label}: the program declares its record (id ${found.id}) twice; "${owner}" has it.`;
    return { code: "twice", text };
  }
}

/** Finds the name, parent and provider of a planned resource in the file that the engine wrote for `pulumi import`. */
function entriesOf(resources: readonly ImportEntry[]): (planned: StackResource) => ImportEntry | undefined {
  const placeIn = (type: string, name: string) => JSON.stringify([type, name]);
  const groups = groupsBy(resources, ({ type, name, logicalName }) => placeIn(type, logicalName ?? name));
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
