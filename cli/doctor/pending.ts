import { parseUrn } from "../../provider/hosts/urn";
import { AFTER_KILL } from "../pulumi/explain-failure";
import type { Deployment } from "../pulumi/json-output";
import type { Finding } from "./report";

/** Reports an interrupted run: whether its last operations succeeded is unknown. */
export function pendingFindings(stack: string, { pending_operations = [] }: Deployment): Finding[] {
  if (pending_operations.length === 0) return [];
  const operations = pending_operations.map(
    ({ type, resource }) => `${type} "${parseUrn(resource.urn).name}"`,
  );
  const message = `An interrupted run was ${operations.join(", ")}, which may have succeeded or not`;
  const creates = pending_operations.some(({ type }) => type === "creating");
  const remedy = creates ? AFTER_KILL.creating : AFTER_KILL.otherwise;
  return [{ severity: "error", code: "pending-operation", stacks: [stack], message, remedy }];
}
