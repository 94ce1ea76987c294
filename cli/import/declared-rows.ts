import { PROTECTION } from "../../provider/hosts/native/tokens";
import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { pick } from "../../provider/schema/compare";
import { format, formatIds } from "../../provider/schema/format";
import { filterByKey } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import {
  baseUrlFor,
  formOfType,
  type HeldRecord,
  managersOf,
  providerUrn,
  resourceOfType,
  scopedId,
} from "../look/held";
import type { ImportFile, StackResource } from "../pulumi/json-output";
import { isShown } from "../pulumi/program";
import { type Account, type Accounts, identityOf } from "./accounts";
import { importedState, toImportEntry } from "./import-entry";
import { entriesOf } from "./import-file";
import { failedRow, readable } from "./read-account";
import type { Row } from "./row";

type Subject = Pick<HeldRecord, "resource" | "values">;

/**
 * Finds records for resources, and gives each to one. Its answer has the one record with exactly a resource's key that no
 * other resource has, all of those that are free, who has the others, and all that are similar, perhaps without `www.`.
 */
function finder(held: readonly HeldRecord[]) {
  const managed = managersOf(held);
  const given = new Set<string>();
  return async ({ resource, values }: Subject, account: Account) => {
    const key = values[resource.key];
    const similar = await readable(resource, account, (records) => records.find(resource, key));
    const placeOf = ({ id }: RemoteRecord) => scopedId(resource, baseUrlFor(resource, account.source), id);
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

type Find = ReturnType<typeof finder>;

/** Why nothing is imported for a resource that the next `up` would create. */
function whyNotImported(
  declared: Subject,
  { record, free, similar, holder }: Awaited<ReturnType<Find>>,
): Row {
  const say = (kind: string, why: string, isOpen = true): Row => {
    return { kind, text: `${describeRecord(declared)}: ${why}`, isOpen };
  };
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

/** What becomes of a declared resource, and of the record that it gets. */
function importRow(
  planned: StackResource,
  declared: Subject,
  found: Awaited<ReturnType<Find>>,
  entryFor: ReturnType<typeof entriesOf> | undefined,
): Row {
  const { record } = found;
  const entry = entryFor?.(planned);
  if (record === undefined || (entryFor !== undefined && entry === undefined))
    return whyNotImported(declared, found);
  const what = describeRecord({ ...declared, id: record.id });
  const text = `${what}: import as "${parseUrn(planned.urn).name}", which the program declares.`;
  if (entry === undefined) return { kind: "declared", text };
  const { resource, values } = declared;
  const { [PROTECTION]: protection } = planned.inputs ?? {};
  const isSaid = typeof protection === "boolean";
  const state = { ...importedState(resource, record, values), ...(isSaid && { [PROTECTION]: protection }) };
  return {
    kind: "declared",
    text,
    entry: toImportEntry(resource, entry, record, state, formOfType(planned.type)),
  };
}

/** Why a resource's record can't be looked for, if so. */
function rowOnKey({ urn, inputs = {} }: StackResource, resource: Resource): Row | undefined {
  const { [resource.key]: key, adopt } = inputs;
  const what = `${noun(resource)} "${parseUrn(urn).name}": `;
  if (!isShown(key)) {
    const way = adopt === true ? "The" : "With adopt: true, the";
    const text = `${what}a preview does not show its ${resource.key}. ${way} next up adopts its record.`;
    return { kind: "hidden", text, isOpen: adopt !== true };
  }
  if (typeof key === "string") return undefined;
  return { kind: "wrong", text: `${what}its ${resource.key} is missing, or is no text.`, isOpen: true };
}

/**
 * What becomes of the resources that the program declares and the stack lacks: each takes the record that has its key.
 *
 * @param file the same resources as the engine places them; nothing if its preview ended before
 * @param unread why accounts of explicit providers can't be read, by `identityOf`
 */
export async function declaredRows(
  creates: readonly StackResource[],
  file: ImportFile | undefined,
  held: readonly HeldRecord[],
  accounts: Accounts,
  unread: ReadonlyMap<string, unknown> = new Map(),
): Promise<Row[]> {
  const find = finder(held);
  const entryFor = file && entriesOf(file);
  const rowFor = async (planned: StackResource, resource: Resource): Promise<Row> => {
    const declared = { resource, values: pick(resource, planned.inputs ?? {}) };
    const account = accounts.of(providerUrn(planned));
    const failure = unread.get(identityOf(resource, account));
    try {
      if (failure !== undefined) throw failure;
      return importRow(planned, declared, await find(declared, account), entryFor);
    } catch (error) {
      return failedRow(error, account === accounts.own, describeRecord(declared));
    }
  };
  const rows: Row[] = [];
  for (const planned of creates) {
    const resource = resourceOfType(planned.type);
    if (resource !== undefined) rows.push(rowOnKey(planned, resource) ?? (await rowFor(planned, resource)));
  }
  return rows;
}
