import { describeRecord } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { format, formatIds } from "../../provider/schema/format";
import { isSameRecord } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import { describeIncomplete } from "../service-records";
import { drifted, lookUp } from "./drift";
import type { Finding, Severity } from "./finding";
import { type StackResource, stateDeleteCommand } from "./state";

/** All records of one resource that one key shows. */
export interface RecordComparison {
  readonly resource: Resource;
  /** Names of the stacks that use this key. */
  readonly stacks: readonly string[];
  /** Every record, by the service's list. */
  readonly records: readonly RemoteRecord[];
  /** The list has them all, on proof. */
  readonly complete: boolean;
  /** What stacks hold of it under this key. */
  readonly held: readonly StackResource[];
  /** Ids that any stack holds of this service, under whichever key. */
  readonly known: ReadonlySet<string>;
  /** Ids that are held, are not in the list, and were found by asking for them. */
  readonly fetched: ReadonlyMap<string, RemoteRecord>;
}

/** How many stacks were read: none, where nothing is said of records in no stack; some; or all of the project. */
export type Extent = "none" | "some" | "all";

/** What there is to say of a service's records, beside what stacks hold of them. */
export function recordFindings(listing: RecordComparison, extent: Extent): Finding[] {
  return [
    ...incompleteList(listing),
    ...missingRecords(listing),
    ...drifted(listing),
    ...duplicates(listing),
    ...(extent === "none" ? [] : unmanagedRecords(listing, extent)),
  ];
}

/** Resources of stacks that hold one record, among those of one installation of a service. */
export function managedTwice(held: readonly StackResource[]): Finding[] {
  const current = held.filter(({ replaced }) => !replaced);
  return groups(current, ({ resource, id }) => `${resource.type} ${id}`).map((group) =>
    twice(group, "error", "managed-twice"),
  );
}

/** Resources of stacks that hold different records of one domain or name, among those of one account. */
export function sameKeyTwice(held: readonly StackResource[]): Finding[] {
  const current = held.filter(({ replaced }) => !replaced);
  const key = ({ resource, values }: StackResource) => {
    const canonical = canonicalKey(resource, values);
    return canonical === undefined ? undefined : `${resource.type} ${canonical}`;
  };
  return groups(current, key)
    .filter((group) => new Set(group.map(({ id }) => id)).size === group.length)
    .map((group) => twice(group, "warning", "duplicate-in-state"));
}

function twice(
  group: readonly [StackResource, ...StackResource[]],
  severity: Severity,
  code: "managed-twice" | "duplicate-in-state",
): Finding {
  const [{ resource, values, id }] = group;
  const stacks = [...new Set(group.map(({ stack }) => stack))];
  const holders = group.map(({ stack, name }) => `"${name}" of stack ${stack}`).join(" and ");
  const one = code === "managed-twice";
  return {
    topic: "state",
    severity,
    code,
    stacks,
    ...(one ? { record: { type: resource.type, id } } : {}),
    message: one
      ? `the ${describeRecord({ resource, values, id })} is held by ${holders}: each undoes what the other does`
      : `${holders} have one ${resource.key} (${describeRecord({ resource, values })}) and different ids (${group.map((each) => each.id).join(", ")})`,
    remedy: `keep one of them; take the other out of its program, and out of state, which leaves the record alone: "${stateDeleteCommand(group.at(-1) ?? group[0])}"`,
  };
}

function incompleteList({ resource, stacks, records, complete }: RecordComparison): Finding[] {
  if (complete) return [];
  return [
    {
      topic: "records",
      severity: "warning",
      code: "list-incomplete",
      stacks,
      service: resource.service,
      message: describeIncomplete(resource, records),
      remedy: `ask those who run the service for a list that can be read page by page; until then, ${noun(resource)}s beyond it are not looked at here, and come into a stack with "npx pulumi-tracking import --declared" only if they are listed`,
    },
  ];
}

function missingRecords({ resource, records, held, fetched }: RecordComparison): Finding[] {
  const current = lookUp(records, fetched);
  return held
    .filter(({ replaced }) => !replaced)
    .flatMap((each) => {
      const { stack, name, id, values } = each;
      const found = current(id);
      if (found !== undefined && isSameRecord(resource, values, found)) return [];
      const about = {
        topic: "records",
        severity: "error",
        stacks: [stack],
        record: record(resource, id),
      } as const;
      if (found === undefined)
        return {
          ...about,
          code: "record-missing" as const,
          message: `the ${describeRecord({ resource, values, id })} of "${name}" is gone from the service`,
          remedy: `run "pulumi refresh" to take it out of state, then "pulumi up" to recreate it; if the base URL or the key is that of another account, correct it first`,
        };
      const other = format(resource.inputs[resource.key], found.values[resource.key] ?? "nothing");
      return {
        ...about,
        code: "record-mismatch" as const,
        message: `the ${noun(resource)} with id ${id} of "${name}" is ${other} on the service, and ${format(undefined, values[resource.key])} in state`,
        remedy: `check the base URL and the key: they may be those of another account; if the record was really replaced, run "${stateDeleteCommand(each)}" and then "npx pulumi-tracking import --declared --apply"`,
      };
    });
}

function duplicates({ resource, records, stacks }: RecordComparison): Finding[] {
  return groups(records, ({ values }) => canonicalKey(resource, values)).map((group) => ({
    topic: "records",
    severity: "warning",
    code: "duplicate-record",
    stacks,
    service: resource.service,
    message: `the service has ${group.length} ${noun(resource)}s with the ${resource.key} ${format(resource.inputs[resource.key], group[0].values[resource.key])} (${formatIds(group)})`,
    remedy: `look which one has the data, let a stack hold that one, and delete the others in the service's web page`,
  }));
}

function unmanagedRecords({ resource, records, stacks, known }: RecordComparison, extent: Extent): Finding[] {
  return records
    .filter(({ id }) => id === undefined || !known.has(id))
    .map(({ id, values }) => ({
      topic: "records",
      severity: extent === "all" ? "warning" : "info",
      code: "unmanaged" as const,
      stacks,
      service: resource.service,
      ...(id === undefined ? {} : { record: record(resource, id) }),
      message: `the ${describeRecord({ resource, values, id })} is in ${extent === "all" ? "no stack of this project" : "none of the stacks that were read"}`,
      remedy: `"npx pulumi-tracking import" brings it under management`,
    }));
}

function record(resource: Resource, id: string): { type: string; id: string } {
  return { type: resource.type, id };
}

function canonicalKey(resource: Resource, values: RemoteRecord["values"]): string | undefined {
  const value = values[resource.key];
  return value === undefined || value === null ? undefined : resource.inputs[resource.key]?.canonical(value);
}

/** Those that agree in something, two and more at a time. */
function groups<T>(all: readonly T[], by: (each: T) => string | undefined): (readonly [T, ...T[]])[] {
  const found = new Map<string, [T, ...T[]]>();
  for (const each of all) {
    const name = by(each);
    if (name === undefined) continue;
    const group = found.get(name);
    if (group === undefined) found.set(name, [each]);
    else group.push(each);
  }
  return [...found.values()].filter(({ length }) => length > 1);
}
