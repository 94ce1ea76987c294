import { format } from "../../provider/schema/format";
import { noun, type Resource, type Values } from "../../provider/schema/resource";
import type { Deployment } from "../pulumi/json-output";
import { hasForeignCode, resourceOfType } from "../pulumi/resource-forms";
import { unwrapSecrets } from "../pulumi/secret";
import { nameOf, providerUrn } from "../pulumi/urn";
import { shellQuote } from "../shell-quote";
import { type Finding, finding } from "./finding";

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
  readonly replaced: boolean;
}

/** The records that a stack manages; those it only reads are not included. */
export function stackResources(stack: string, { resources = [] }: Deployment): StackResource[] {
  return resources.flatMap((state) => {
    const resource = resourceOfType(state.type);
    if (resource === undefined || state.external || !state.id) return [];
    return {
      stack,
      resource,
      name: nameOf(state.urn),
      urn: state.urn,
      id: state.id,
      values: unwrapSecrets({ ...state.inputs, ...state.outputs }),
      provider: providerUrn(state) ?? "",
      replaced: state.delete === true,
    };
  });
}

/** The command that removes a resource from state, and does not touch the record. */
export function stateDeleteCommand({ urn, stack }: StackResource): string {
  return `pulumi state delete --force --stack ${shellQuote(stack)} ${shellQuote(urn)}`;
}

/** Checks a stack's state by itself. */
export function stateFindings(stack: string, deployment: Deployment): Finding[] {
  return [...pendingOperations(stack, deployment), ...foreignProviders(stack, deployment)];
}

/** A run was killed: nobody knows whether its last operations happened. */
function pendingOperations(stack: string, { pending_operations = [] }: Deployment): Finding[] {
  return pending_operations.flatMap(({ resource: state, type }) => {
    const resource = resourceOfType(state.type);
    if (resource === undefined) return [];
    const key = unwrapSecrets({ ...state.inputs, ...state.outputs })[resource.key];
    const record = `${noun(resource)} ${format(resource.inputs[resource.key], key ?? nameOf(state.urn))}`;
    const isCreate = type === "creating" || type === "importing";
    return finding(
      isCreate ? "error" : "warning",
      "pending-operation",
      { stacks: [stack] },
      `An interrupted run was ${type} the ${record} ("${nameOf(state.urn)}"); it may have succeeded or not`,
      isCreate
        ? 'If no other run is in progress, run "pulumi cancel", then "pulumi refresh", which clears it, and "npx pulumi-tracking import --declared --apply", which imports the record if it was created'
        : 'If no other run is in progress, run "pulumi cancel" and then "pulumi refresh"',
    );
  });
}

/** Refresh and destroy would run other code than this package's. */
function foreignProviders(stack: string, { resources = [] }: Deployment): Finding[] {
  return resources.flatMap((state) => {
    const resource = resourceOfType(state.type);
    if (resource === undefined) return [];
    const bags = [state.inputs, state.outputs].map((each = {}) => unwrapSecrets(each));
    if (!bags.some((each) => hasForeignCode(resource, each))) return [];
    return finding(
      "error",
      "foreign-provider",
      { stacks: [stack], ...(state.id && { record: { type: resource.type, id: state.id } }) },
      `"${nameOf(state.urn)}" has another provider's code in state, which refresh and destroy would run instead of this package`,
      'Run "pulumi up" with a program that takes its classes from pulumi-tracking, before any refresh or destroy',
    );
  });
}
