import { describeRecord } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { mismatches } from "../../provider/schema/compare";
import { format } from "../../provider/schema/format";
import { isSameRecord } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import { describeIncomplete } from "../service-records";
import { duplicateRecords } from "./duplicates";
import { type Finding, finding } from "./finding";
import type { ResourceData } from "./services";
import type { StacksRead } from "./stacks";
import { type StackResource, stateDeleteCommand } from "./state";

/** All records of one resource that one key shows, and what stacks manage of them. */
export interface RecordComparison extends ResourceData {
  /** Names of the stacks that use this key. */
  readonly stacks: readonly string[];
  /** What stacks manage under this key. */
  readonly managed: readonly StackResource[];
  /** Ids that any stack manages at this service, under whichever key. */
  readonly managedIds: ReadonlySet<string>;
}

/** Compares a service's records with what stacks manage. */
export function recordFindings(comparison: RecordComparison, read: StacksRead): Finding[] {
  return [
    ...incompleteList(comparison),
    ...missingRecords(comparison),
    ...drift(comparison),
    ...duplicateRecords(comparison),
    ...(read === "none" ? [] : unmanagedRecords(comparison, read)),
  ];
}

function incompleteList({ resource, stacks, records, complete }: RecordComparison): Finding[] {
  if (complete) return [];
  const about = { stacks, service: resource.service };
  const remedy = `Ask the service's operators for a list that can be read page by page; until then the doctor does not see ${noun(resource)}s that the list lacks, and "npx pulumi-tracking import --declared" has to search for them`;
  return [finding("warning", "list-incomplete", about, describeIncomplete(resource, records), remedy)];
}

function missingRecords(comparison: RecordComparison): Finding[] {
  const { resource, managed } = comparison;
  const current = currentRecords(comparison);
  return managed
    .filter(({ replaced }) => !replaced)
    .flatMap((each) => {
      const { stack, name, id, values } = each;
      const about = { stacks: [stack], record: recordOf(resource, id) };
      const found = current(id);
      if (found === undefined)
        return finding(
          "error",
          "record-missing",
          about,
          `The ${describeRecord({ resource, values, id })} of "${name}" does not exist on the service`,
          'Run "pulumi refresh" to remove it from state, then "pulumi up" to recreate it; if the base URL or the key belongs to another account, correct it first',
        );
      if (isSameRecord(resource, values, found)) return [];
      const other = format(resource.inputs[resource.key], found.values[resource.key] ?? "nothing");
      return finding(
        "error",
        "record-mismatch",
        about,
        `The ${noun(resource)} with id ${id} of "${name}" is ${other} on the service, but ${format(undefined, values[resource.key])} in state`,
        `Check whether the base URL and the key belong to another account; if the record was really replaced, run "${stateDeleteCommand(each)}" and then "npx pulumi-tracking import --declared --apply"`,
      );
    });
}

/** Records that somebody changed on the service: one finding each, with every field that differs from state. */
function drift(comparison: RecordComparison): Finding[] {
  const { resource, managed } = comparison;
  const current = currentRecords(comparison);
  return managed.flatMap(({ stack, name, id, values, replaced }) => {
    const found = current(id);
    if (replaced || found === undefined || !isSameRecord(resource, values, found)) return [];
    const names = mismatches(resource, values, Object.keys(resource.inputs), found);
    if (names.length === 0) return [];
    const fields = names.map((each) => difference(resource, each, values[each], found.values[each]));
    return finding(
      "warning",
      "drift",
      { stacks: [stack], service: resource.service, record: recordOf(resource, id) },
      `The ${describeRecord({ resource, values, id })} of "${name}" was changed on the service: ${fields.join("; ")}`,
      'To undo the change, run "pulumi up --refresh"; to keep it, run "pulumi refresh" and make the same change in the program',
    );
  });
}

function difference(resource: Resource, name: string, before: unknown, now: unknown): string {
  const field = resource.inputs[name];
  const current = now === null || now === undefined ? "nothing" : format(field, now);
  return `${name} is ${current} there, but ${format(field, before)} in state`;
}

function unmanagedRecords(
  { resource, records, stacks, managedIds }: RecordComparison,
  read: StacksRead,
): Finding[] {
  const stacksMeant = read === "all" ? "of this project" : "that was read";
  return records
    .filter(({ id }) => id === undefined || !managedIds.has(id))
    .map(({ id, values }) =>
      finding(
        read === "all" ? "warning" : "info",
        "unmanaged",
        { stacks, service: resource.service, ...(id !== undefined && { record: recordOf(resource, id) }) },
        `The ${describeRecord({ resource, values, id })} is in no stack ${stacksMeant}`,
        'Import it with "npx pulumi-tracking import"',
      ),
    );
}

/** Records as they are now, by id: one that was fetched by itself counts before what a list says. */
function currentRecords({ records, fetched }: RecordComparison): (id: string) => RemoteRecord | undefined {
  const listed = new Map(records.map((each) => [each.id, each]));
  return (id) => fetched.get(id) ?? listed.get(id);
}

function recordOf(resource: Resource, id: string): { type: string; id: string } {
  return { type: resource.type, id };
}
