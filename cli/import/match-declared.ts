import { endpoint, type SettingsSource } from "../../provider/config";
import { PROTECTION } from "../../provider/hosts/native/tokens";
import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord } from "../../provider/lifecycle/errors";
import { adviceFor, describeStanding, READOPT } from "../../provider/lifecycle/standing";
import type { RemoteRecord } from "../../provider/schema/codec";
import { pick } from "../../provider/schema/compare";
import { format, formatIds } from "../../provider/schema/format";
import { filterByKey } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import {
  baseUrlFor,
  formOfType,
  type HeldRecord,
  managersOf,
  providerUrn,
  resourceOfType,
  scopedId,
} from "../look/held";
import type { Differing, ServiceRecords } from "../look/service";
import type { ImportEntry, ImportFile, StackResource } from "../pulumi/json-output";
import { isShown, type Program } from "../pulumi/program";
import { importedState, toImportEntry } from "./import-entry";
import { readable } from "./read-account";

/** A line on a record that needs attention; those of one code are similar. */
export interface Note {
  readonly code: string;
  readonly text: string;
  /** The next `up` fails on it. */
  readonly isOpen: boolean;
}

const note = (code: string, text: string, isOpen = true): Note => ({ code, text, isOpen });

/** What `import --declared` will do. */
export type MatchResult = Awaited<ReturnType<typeof matchDeclared>>;

/** The records of a resource's service, by the settings of the provider with this URN. */
export type ServiceFor = (provider: string) => {
  readonly source: SettingsSource;
  readonly service: ServiceRecords;
};

/** Finds the records that the program declares, and the stack does not manage. Throws if this may be another account. */
export async function matchDeclared(
  { creates, keeps }: Pick<Program, "creates" | "keeps">,
  file: ImportFile,
  held: readonly HeldRecord[],
  serviceFor: ServiceFor,
) {
  const find = finder(held, serviceFor);
  const kept = held.filter(({ urn, isLeaving }) => !isLeaving && keeps(urn));
  const notes = await compareHeld(kept, serviceFor);
  const entries: ImportEntry[] = [];
  const entryFor = entriesOf(file);
  for (const planned of creates) {
    const resource = resourceOfType(planned.type);
    if (resource === undefined) continue;
    const values = pick(resource, planned.inputs ?? {});
    const provider = providerUrn(planned);
    const unseen = noteOnKey(planned, resource);
    if (unseen !== undefined) {
      notes.push(unseen);
      continue;
    }
    const found = await find({ resource, values }, provider);
    const entry = entryFor(planned);
    if (found.record === undefined || entry === undefined) notes.push(noteOn({ resource, values }, found));
    else {
      const { [PROTECTION]: protection } = planned.inputs ?? {};
      const state = {
        ...importedState(resource, found.record, values),
        ...(typeof protection === "boolean" && { [PROTECTION]: protection }),
      };
      entries.push(toImportEntry(resource, entry, found.record, state, formOfType(planned.type)));
    }
  }
  return { file: withAncestors(file, entries), count: entries.length, notes };
}

type Subject = Pick<HeldRecord, "resource" | "values">;
type Find = ReturnType<typeof finder>;

/**
 * Finds records for resources, and gives each to one. Its answer has the one record with exactly a resource's key that no
 * other resource has, all of those that are free, who has the others, and all that are similar, perhaps without `www.`.
 */
function finder(held: readonly HeldRecord[], serviceFor: ServiceFor) {
  const managed = managersOf(held);
  const given = new Set<string>();
  return async ({ resource, values }: Subject, provider: string) => {
    const { source, service } = serviceFor(provider);
    const key = values[resource.key];
    const similar = await readable(resource, () => service.find(resource, key));
    const placeOf = ({ id }: RemoteRecord) => scopedId(resource, baseUrlFor(resource, source), id);
    const equal = filterByKey(resource, key, similar);
    const free = equal.filter((each) => !given.has(placeOf(each)) && !managed.has(placeOf(each)));
    const holders = equal.flatMap((each) => managed.get(placeOf(each)) ?? []);
    const holder = holders.find(({ isLeaving }) => !isLeaving) ?? holders[0];
    const [only, second] = free;
    if (only?.id === undefined || second !== undefined) return { free, similar, holder };
    given.add(placeOf(only));
    return { record: { ...only, id: only.id }, free, similar };
  };
}

/**
 * Looks for the records of the stack: one may have another id now, and its id may be another record's. Throws if a service
 * may be that of another account: from an import of its records on, nothing would show that any more.
 */
export async function compareHeld(held: readonly HeldRecord[], serviceFor: ServiceFor): Promise<Note[]> {
  const notes: Note[] = [];
  for (const group of groupsBy(held, ({ resource, provider }) => JSON.stringify([resource.type, provider]))) {
    const { resource, provider = "" } = group[0];
    const { source, service } = serviceFor(provider);
    const { doubt, differing } = await readable(resource, () => service.compare(resource, group));
    const another = contradictionIn(group, differing);
    if (doubt !== undefined || another !== undefined) {
      const { key, baseUrl } = endpoint(resource.service, source).labels;
      const [fact, way] = another ? [describeStanding(another), adviceFor(another)] : [doubt, READOPT];
      const remedy = `Check ${key} and ${baseUrl}. If they are right, ${way}`;
      throw new CommandFailure(`Nothing is imported: ${fact}`, remedy);
    }
    notes.push(...differing.flatMap(differenceNote));
  }
  return notes;
}

/** What makes this probably another account: an id leads to another record, and none to what the stack has. */
function contradictionIn(group: readonly HeldRecord[], differing: readonly Differing[]) {
  const standings = differing.flatMap(({ standing }) => standing ?? []);
  const isRenamed = standings.some(({ status }) => status === "renamed");
  return standings.length < group.length || isRenamed ? undefined : standings.find(({ record }) => record);
}

/** What became of a record of the stack; nothing of one that is gone, which a refresh finds. */
function differenceNote({ standing }: Differing): Note[] {
  if (standing === undefined || standing.status === "missing") return [];
  const text = `${describeStanding(standing)}. If the base URL and the key are right, ${adviceFor(standing)}.`;
  return [note(standing.status, text)];
}

/** Why a resource's record can't be looked for, if so. */
function noteOnKey({ urn, inputs = {} }: StackResource, resource: Resource): Note | undefined {
  const { [resource.key]: key, adopt } = inputs;
  const what = `${noun(resource)} "${parseUrn(urn).name}": `;
  if (!isShown(key)) {
    const way = adopt === true ? "The" : "With adopt: true, the";
    const text = `${what}a preview does not show its ${resource.key}. ${way} next up adopts its record.`;
    return note("hidden", text, adopt !== true);
  }
  if (typeof key === "string") return undefined;
  return note("wrong", `${what}its ${resource.key} is missing, or is no text.`);
}

/** Why nothing is imported for a resource that the next `up` would create. */
function noteOn(declared: Subject, { record, free, similar, holder }: Awaited<ReturnType<Find>>): Note {
  const say = (code: string, why: string, isOpen = true) =>
    note(code, `${describeRecord(declared)}: ${why}`, isOpen);
  if (free.length > 1)
    return say("several", `${free.length} records match (${formatIds(free)}): delete all but one.`);
  if (record !== undefined)
    return say("unplaced", "Pulumi can't import it under its name. Give it adopt: true.");
  if (holder !== undefined) {
    const way = holder.isLeaving ? ", which leaves it. Give this one adopt: true." : ". Declare it once.";
    return say("held", `the stack has this record (id ${holder.id}) as "${holder.name}"${way}`);
  }
  const [other] = similar;
  if (other === undefined)
    return say("absent", "does not exist on the service; the next up creates it.", false);
  const spelling = `${format(undefined, other.values[declared.resource.key])} does (id ${other.id})`;
  const advice = "If they are the same, declare it once, in this spelling.";
  return say("similar", `does not exist on the service, but ${spelling}. ${advice}`, false);
}

/** Finds the name, parent and provider of a planned resource in the file that the engine wrote for `pulumi import`. */
function entriesOf({ nameTable = {}, resources }: ImportFile) {
  const types = new Map(resources.map(({ name, type }) => [name, type]));
  const nameIn = (...urn: (string | undefined)[]) => JSON.stringify(urn);
  const entries = new Map(
    resources.map((entry) => {
      const { type, name, logicalName = name, parent = "" } = entry;
      const held = nameTable[parent];
      return [nameIn(types.get(parent) ?? (held && parseUrn(held).type), type, logicalName), entry];
    }),
  );
  return ({ urn }: StackResource) => {
    const { parentType, type, name } = parseUrn(urn);
    return entries.get(nameIn(parentType, type, name));
  };
}

/** The file with only these entries, and their parents and providers. */
function withAncestors(file: ImportFile, entries: readonly ImportEntry[]): ImportFile {
  const needed = new Set(entries.flatMap(({ parent, provider }) => [parent, provider]));
  const above: ImportEntry[] = [];
  // The engine gives a placeholder to what would need an id.
  for (const entry of file.resources.toReversed())
    if (needed.has(entry.name) && entry.id === undefined) {
      above.push(entry);
      needed.add(entry.parent).add(entry.provider);
    }
  return { ...file, resources: [...above.reverse(), ...entries] };
}
