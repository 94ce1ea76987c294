import { inOneLine } from "../../provider/api/api";
import { PROTECTION } from "../../provider/hosts/native/tokens";
import { parseUrn } from "../../provider/hosts/urn";
import { describeSeveral } from "../../provider/lifecycle/adopt";
import { describeRecord, type Subject } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { pick } from "../../provider/schema/compare";
import { format } from "../../provider/schema/format";
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
import { isShown } from "../pulumi/hidden";
import type { ImportFile, StackResource } from "../pulumi/json-output";
import { type Account, type Accounts, identityOf } from "./accounts";
import { importedState, toImportEntry } from "./import-entry";
import { entriesOf } from "./import-file";
import { failedRow, readable } from "./read-account";
import type { PlanRow } from "./row";

/** What the service has for a declared resource. */
interface Found {
  /** The one record with exactly its key that no other resource has. */
  readonly record?: RemoteRecord & { readonly id: string };
  /** All of those, if they are several or none. */
  readonly free: readonly RemoteRecord[];
  /** All that are similar, perhaps without `www.`. */
  readonly similar: readonly RemoteRecord[];
  /** The resource of the stack that has a record with its key. */
  readonly holder?: HeldRecord | undefined;
}

/** Finds the records of declared resources. A record is given once: of two resources with one domain, the first gets it. */
function finder(held: readonly HeldRecord[]) {
  const managers = managersOf(held);
  const taken = new Set<string>();
  return async ({ resource, values }: Subject, account: Account): Promise<Found> => {
    const key = values[resource.key];
    const similar = await readable(resource, account, (records) => records.find(resource, key));
    const placeOf = ({ id }: RemoteRecord) => scopedId(resource, baseUrlFor(resource, account.source), id);
    const equal = filterByKey(resource, key, similar);
    const free = equal.filter((record) => !taken.has(placeOf(record)) && !managers.has(placeOf(record)));
    const [only, second] = free;
    if (only?.id !== undefined && second === undefined) {
      taken.add(placeOf(only));
      return { record: { ...only, id: only.id }, free, similar };
    }
    const holders = equal.flatMap((record) => managers.get(placeOf(record)) ?? []);
    return { free, similar, holder: holders.find(({ isPendingDelete }) => !isPendingDelete) ?? holders[0] };
  };
}

/** Returns the row of a resource whose key leads to no record, or undefined: only a text that the preview shows does. */
function unsearchableRow({ urn, inputs = {} }: StackResource, resource: Resource): PlanRow | undefined {
  const { [resource.key]: key, adopt } = inputs;
  const what = `${noun(resource)} "${parseUrn(urn).name}": `;
  if (!isShown(key)) {
    const advice = `${adopt === true ? "The" : "With adopt: true, the"} next up adopts its record.`;
    const text = `${what}a preview does not show its ${resource.key}. ${advice}`;
    return { kind: "hidden", text, isOpen: adopt !== true };
  }
  if (typeof key === "string") return undefined;
  return { kind: "wrong", text: `${what}its ${resource.key} is missing, or is no text.`, isOpen: true };
}

/** The row of a resource that gets no record, though the next `up` would create it. */
function skippedRow(declared: Subject, { record, free, similar, holder }: Found): PlanRow {
  const row = (kind: string, reason: string): PlanRow => {
    return { kind, text: `${describeRecord(declared)}: ${reason}` };
  };
  const openRow = (kind: string, reason: string): PlanRow => ({ ...row(kind, reason), isOpen: true });
  if (free.length > 1)
    return { kind: "several", text: `${inOneLine(describeSeveral(declared, free))}.`, isOpen: true };
  if (record !== undefined)
    return openRow("unplaced", "Pulumi can't import it under its name. Give it adopt: true.");
  if (holder !== undefined) {
    const advice = holder.isPendingDelete
      ? ", which leaves it. Give this one adopt: true."
      : ". If it was renamed or moved, give that name in aliases; else declare it once.";
    return openRow("held", `the stack has this record (id ${holder.id}) as "${holder.name}"${advice}`);
  }
  const [other] = similar;
  if (other === undefined) return row("absent", "does not exist on the service; the next up creates it.");
  const spelling = `${format(undefined, other.values[declared.resource.key])} does (id ${other.id})`;
  const advice = "If they are the same, declare it once, in this spelling.";
  return row("similar", `does not exist on the service, but ${spelling}. ${advice}`);
}

/** The row of a declared resource, with the entry that imports its record. */
function importRow(
  planned: StackResource,
  declared: Subject,
  found: Found,
  entryFor: ReturnType<typeof entriesOf> | undefined,
): PlanRow {
  const { record } = found;
  const entry = entryFor?.(planned);
  if (record === undefined || (entryFor !== undefined && entry === undefined))
    return skippedRow(declared, found);
  const what = describeRecord({ ...declared, id: record.id });
  const text = `${what}: import as "${parseUrn(planned.urn).name}", which the program declares.`;
  if (entry === undefined) return { kind: "declared", text };
  const { resource, values } = declared;
  // The service does not know this argument, so the state has it from the program.
  const { [PROTECTION]: protection } = planned.inputs ?? {};
  const ofProgram = typeof protection === "boolean" ? { [PROTECTION]: protection } : {};
  const state = { ...importedState(resource, record, values), ...ofProgram };
  const form = formOfType(planned.type);
  return { kind: "declared", text, entry: toImportEntry(resource, entry, record, state, form) };
}

/** What an import knows of the stack and of its accounts before it looks for the records of declared resources. */
interface StackAndAccounts {
  /** The declared resources as the engine places them; undefined if its preview ended before. */
  readonly importFile: ImportFile | undefined;
  readonly held: readonly HeldRecord[];
  readonly accounts: Accounts;
  /** The failures of explicit providers' accounts, by `identityOf`. */
  readonly unreadAccounts: ReadonlyMap<string, unknown>;
}

/** Rows for the resources that the program declares and the stack lacks: each takes the record that has its key. */
export async function declaredRows(
  creates: readonly StackResource[],
  { importFile, held, accounts, unreadAccounts }: StackAndAccounts,
): Promise<PlanRow[]> {
  const find = finder(held);
  const entryFor = importFile && entriesOf(importFile);
  const rowFor = async (planned: StackResource, resource: Resource): Promise<PlanRow> => {
    const declared = { resource, values: pick(resource, planned.inputs ?? {}) };
    const account = accounts.of(providerUrn(planned));
    const failure = unreadAccounts.get(identityOf(resource, account));
    try {
      if (failure !== undefined) throw failure;
      return importRow(planned, declared, await find(declared, account), entryFor);
    } catch (error) {
      return failedRow(error, { what: describeRecord(declared), isOwn: account === accounts.own });
    }
  };
  const rows: PlanRow[] = [];
  for (const planned of creates) {
    const resource = resourceOfType(planned.type);
    if (resource === undefined) continue;
    rows.push(unsearchableRow(planned, resource) ?? (await rowFor(planned, resource)));
  }
  return rows;
}
