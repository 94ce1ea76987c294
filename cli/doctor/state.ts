import { describeRecord } from "../../provider/lifecycle/errors";
import type { Deployment } from "../pulumi/json-output";
import { shellQuote } from "../shell-quote";
import { dropCommand, type HeldRecord, nameOf, resourceOfType, unwrapSecrets } from "../stack-records";
import { type Finding, finding } from "./report";

/** A record that a stack manages. */
export interface StackRecord extends HeldRecord {
  /** The stack's name. */
  readonly stack: string;
}

/** What a finding on this record concerns. */
export function aboutRecord({ stack, resource: { type }, id }: StackRecord) {
  return { stacks: [stack], record: { type, id } };
}

/** The command that drops a resource from its stack's state. */
export function dropFromStack({ urn, stack }: StackRecord): string {
  return dropCommand(`--stack ${shellQuote(stack)} ${shellQuote(urn)}`);
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
  const andImport =
    ', and "npx pulumi-tracking import --declared --apply", which imports every record that was created';
  const remedy = `If no other run is in progress, run "pulumi cancel" and then "pulumi refresh", which clears it${hasCreate ? andImport : ""}`;
  const message = `An interrupted run was ${ours.join(", ")}; it may have succeeded or not`;
  const severity = hasCreate ? "error" : "warning";
  return [finding(severity, "pending-operation", { stacks: [stack] }, message, remedy)];
}

/** Resources, of one stack or several, that manage the same record. */
export function managedTwice(managed: readonly StackRecord[]): Finding[] {
  const place = ({ baseUrl, stack, provider }: StackRecord) => baseUrl ?? `${stack} ${provider}`;
  return groupsOf(managed, (each) => `${place(each)} ${each.resource.type} ${each.id}`).map((group) => {
    const [first] = group;
    const stacks = [...new Set(group.map(({ stack }) => stack))];
    const all = group.map(({ stack, name }) => `"${name}" of stack ${stack}`).join(" and ");
    const message = `${all} manage the same ${describeRecord(first)}: each undoes the other's changes`;
    const remedy = `Keep one of them; remove the other from its program, and from state, which does not touch the record: ${dropFromStack(group.at(-1) ?? first)}`;
    return finding("error", "managed-twice", { ...aboutRecord(first), stacks }, message, remedy);
  });
}

/** Groups of two or more that have the same key. */
export function groupsOf<T>(all: readonly T[], by: (each: T) => string | undefined): [T, ...T[]][] {
  const groups = new Map<string | undefined, T[]>();
  for (const each of all) groups.set(by(each), [...(groups.get(by(each)) ?? []), each]);
  groups.delete(undefined);
  return [...groups.values()].filter((group): group is [T, ...T[]] => group.length > 1);
}
