import { describeRecord } from "../../provider/lifecycle/errors";
import type { Resource, Values } from "../../provider/schema/resource";
import type { Deployment } from "../pulumi/json-output";
import { resourceOfType } from "../pulumi/resource-forms";
import { unwrapSecrets } from "../pulumi/secret";
import { nameOf, providerUrn } from "../pulumi/urn";
import { shellQuote } from "../shell-quote";
import { type Finding, finding } from "./report";

/** A resource of ours in a stack's state, with its record. */
export interface StackResource {
  readonly stack: string;
  readonly resource: Resource;
  /** The resource's name in the program. */
  readonly name: string;
  readonly urn: string;
  readonly id: string;
  /** The record's values in state, secrets opened. */
  readonly values: Values;
  /** URN of its provider, explicit or not. */
  readonly provider: string;
  /** It was replaced, and waits for its delete. */
  readonly isLeaving: boolean;
}

/** The records that a stack manages; those that it only reads are not included. */
export function stackResources(stack: string, { resources = [] }: Deployment): StackResource[] {
  return resources.flatMap((state) => {
    const resource = resourceOfType(state.type);
    if (resource === undefined || state.external || !state.id) return [];
    const { urn, id, delete: isLeaving = false } = state;
    const values = unwrapSecrets({ ...state.inputs, ...state.outputs });
    return {
      stack,
      resource,
      name: nameOf(urn),
      urn,
      id,
      values,
      provider: providerUrn(state) ?? "",
      isLeaving,
    };
  });
}

/** The command that removes a resource from state, and does not touch the record. */
export function stateDeleteCommand({ urn, stack }: StackResource): string {
  return `pulumi state delete --force --stack ${shellQuote(stack)} ${shellQuote(urn)}`;
}

/** The key of a record, such as its domain, in canonical form. */
export function canonicalKey(resource: Resource, values: Values): string | undefined {
  const value = values[resource.key];
  return value === undefined || value === null ? undefined : resource.inputs[resource.key]?.canonical(value);
}

/** Reports interrupted runs, whose last operations have an unknown result. The same commands repair all of them. */
export function pendingOperations(stack: string, { pending_operations = [] }: Deployment): Finding[] {
  const ours = pending_operations.flatMap(({ resource: state, type }) => {
    const resource = resourceOfType(state.type);
    if (resource === undefined) return [];
    const values = unwrapSecrets({ ...state.inputs, ...state.outputs });
    return `${type} the ${describeRecord({ resource, values })} ("${nameOf(state.urn)}")`;
  });
  if (ours.length === 0) return [];
  const hasCreate = ours.some((each) => /^(creating|importing) /.test(each));
  const remedy =
    'If no other run is in progress, run "pulumi cancel" and then "pulumi refresh", which clears it' +
    (hasCreate
      ? ', and "npx pulumi-tracking import --declared --apply", which imports every record that was created'
      : "");
  const message = `An interrupted run was ${ours.join(", ")}; it may have succeeded or not`;
  return [
    finding(hasCreate ? "error" : "warning", "pending-operation", { stacks: [stack] }, message, remedy),
  ];
}

/** Resources, of one stack or several, that manage the same record. `addressOf` is where a resource's record is. */
export function managedTwice(
  managed: readonly StackResource[],
  addressOf: (each: StackResource) => string | undefined,
): Finding[] {
  return groupsOf(managed, (each) => `${addressOf(each)} ${each.resource.type} ${each.id}`).map((group) => {
    const [{ resource, values, id }] = group;
    const about = {
      stacks: [...new Set(group.map(({ stack }) => stack))],
      record: { type: resource.type, id },
    };
    const all = group.map(({ stack, name }) => `"${name}" of stack ${stack}`).join(" and ");
    const message = `${all} manage the same ${describeRecord({ resource, values, id })}: each undoes the other's changes`;
    const remedy = `Keep one of them; remove the other from its program, and from state, which does not touch the record: "${stateDeleteCommand(group.at(-1) ?? group[0])}"`;
    return finding("error", "managed-twice", about, message, remedy);
  });
}

/** Groups of two or more that have the same key. */
export function groupsOf<T>(all: readonly T[], by: (each: T) => string | undefined): [T, ...T[]][] {
  const groups = new Map<string | undefined, T[]>();
  for (const each of all) groups.set(by(each), [...(groups.get(by(each)) ?? []), each]);
  groups.delete(undefined);
  return [...groups.values()].filter((group): group is [T, ...T[]] => group.length > 1);
}
