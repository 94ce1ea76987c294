import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord, LET_GO } from "../../provider/lifecycle/errors";
import type { Deployment } from "../pulumi/json-output";
import { AFTER_KILL, type HeldRecord, managersOf } from "../stack-records";
import type { Finding } from "./report";

/** What a finding on this record concerns. */
export function aboutRecord({ stack, resource: { type }, id }: HeldRecord) {
  return { stacks: [stack], record: { type, id } };
}

/** Reports an interrupted run: the result of its last operations is unknown. */
export function pendingOperations(stack: string, { pending_operations = [] }: Deployment): Finding[] {
  if (pending_operations.length === 0) return [];
  const each = pending_operations.map(({ type, resource }) => `${type} "${parseUrn(resource.urn).name}"`);
  const message = `An interrupted run was ${each.join(", ")}, which may have succeeded or not`;
  const creates = pending_operations.some(({ type }) => type === "creating");
  const remedy = creates
    ? AFTER_KILL
    : 'If no other run is in progress, run "pulumi cancel", and then the same command again';
  return [{ severity: "error", code: "pending-operation", stacks: [stack], message, remedy }];
}

/** Reports records that a run replaced and did not delete, and that nobody else has. */
export function pendingDeletes(held: readonly HeldRecord[]): Finding[] {
  return [...managersOf(held).values()]
    .filter((group) => group.every(({ isLeaving }) => isLeaving))
    .map(([each]) => ({
      ...aboutRecord(each),
      severity: "warning",
      code: "pending-delete",
      message: `The ${describeRecord(each)} was replaced by "${each.name}", and the next "pulumi up" deletes it`,
      remedy: 'Run "pulumi up"; to keep the record, first declare a second resource for it, with adopt: true',
    }));
}

/** Resources, of one stack or several, that manage the same record. */
export function managedTwice(managed: readonly HeldRecord[]): Finding[] {
  // Without an address, the same id may be that of another service's record.
  const groups = managersOf(managed.filter(({ baseUrl }) => baseUrl)).values();
  return [...groups].flatMap(([first, ...others]) => {
    const last = others.at(-1);
    if (last === undefined) return [];
    const all = [first, ...others].map(({ name, stack }) => `"${name}" of stack ${stack}`).join(" and ");
    const remedy =
      first.stack === last.stack
        ? `Remove one of them from the program. If it is protected, run "pulumi state unprotect URN". The next "pulumi up" drops it and keeps the record`
        : `Keep one of them. For the other, ${LET_GO}: that keeps the record`;
    return {
      ...aboutRecord(first),
      stacks: [...new Set([first, ...others].map(({ stack }) => stack))],
      severity: "error",
      code: "managed-twice",
      message: `${all} manage the same ${describeRecord(first)}: each undoes the other's changes`,
      remedy,
    };
  });
}
