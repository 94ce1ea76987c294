import { describeRecord } from "../../provider/lifecycle/errors";
import type { RemoteRecord } from "../../provider/schema/codec";
import { format, formatIds } from "../../provider/schema/format";
import { noun, type Resource } from "../../provider/schema/resource";
import { type Finding, finding } from "./finding";
import { credentialOf, type ProviderSettings, serviceAddress } from "./provider-settings";
import type { ResourceData } from "./services";
import { type StackResource, stateDeleteCommand } from "./state";

/** Records of one service that have the same domain or name. */
export function duplicateRecords({
  resource,
  records,
  stacks,
}: ResourceData & Pick<Finding, "stacks">): Finding[] {
  return groupsOf(records, ({ values }) => canonicalKey(resource, values)).map((group) => {
    const key = format(resource.inputs[resource.key], group[0].values[resource.key]);
    return finding(
      "warning",
      "duplicate-record",
      { stacks, service: resource.service },
      `The service has ${group.length} ${noun(resource)}s with the ${resource.key} ${key} (${formatIds(group)})`,
      "Find out which one has the data, let a stack manage that one, and delete the others in the service's web page",
    );
  });
}

/** Resources of stacks that manage the same record, or different records of one domain or name. */
export function duplicatesInState(
  managed: readonly StackResource[],
  settings: readonly ProviderSettings[],
): Finding[] {
  const current = managed.filter(({ replaced }) => !replaced);
  const oneRecord = groupsOf(
    current,
    (each) => `${serviceAddress(each, settings)} ${each.resource.type} ${each.id}`,
  );
  const oneKey = groupsOf(current, (each) => {
    const key = canonicalKey(each.resource, each.values);
    const account = `${serviceAddress(each, settings)} ${credentialOf(each, settings)}`;
    return key === undefined ? undefined : `${account} ${each.resource.type} ${key}`;
  }).filter((group) => new Set(group.map(({ id }) => id)).size === group.length);
  return [...oneRecord.map(managedTwice), ...oneKey.map(duplicateInState)];
}

type Group<T> = readonly [T, ...T[]];

function managedTwice(group: Group<StackResource>): Finding {
  const [{ resource, values, id }] = group;
  return finding(
    "error",
    "managed-twice",
    { stacks: stacksOf(group), record: { type: resource.type, id } },
    `${describeAll(group)} manage the same ${describeRecord({ resource, values, id })}: each undoes the other's changes`,
    keepOne(group),
  );
}

function duplicateInState(group: Group<StackResource>): Finding {
  const [{ resource, values }] = group;
  return finding(
    "warning",
    "duplicate-in-state",
    { stacks: stacksOf(group) },
    `${describeAll(group)} have the same ${resource.key} (${describeRecord({ resource, values })}) but different ids (${group.map(({ id }) => id).join(", ")})`,
    keepOne(group),
  );
}

function keepOne(group: Group<StackResource>): string {
  return `Keep one of them; remove the other from its program, and from state, which does not touch the record: "${stateDeleteCommand(group.at(-1) ?? group[0])}"`;
}

function describeAll(group: Group<StackResource>): string {
  return group.map(({ stack, name }) => `"${name}" of stack ${stack}`).join(" and ");
}

function stacksOf(group: Group<StackResource>): string[] {
  return [...new Set(group.map(({ stack }) => stack))];
}

function canonicalKey(resource: Resource, values: RemoteRecord["values"]): string | undefined {
  const value = values[resource.key];
  return value === undefined || value === null ? undefined : resource.inputs[resource.key]?.canonical(value);
}

/** Groups of two and more that agree in something. */
function groupsOf<T>(all: readonly T[], by: (each: T) => string | undefined): Group<T>[] {
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
