import { codeOf, tokenOf } from "../../provider/hosts/dynamic/identity";
import { catalogue } from "../../provider/resources";
import { format } from "../../provider/schema/format";
import { noun, type Resource, type Values } from "../../provider/schema/resource";
import type { Deployment, ResourceState } from "../pulumi/json-output";
import { unwrapSecrets } from "../pulumi/secret";
import { nameOf, providerUrn } from "../pulumi/urn";
import { shellQuote } from "../shell-quote";
import type { Finding } from "./finding";

/** A record that a stack holds. */
export interface StackResource {
  readonly stack: string;
  readonly resource: Resource;
  /** The resource's name in the program. */
  readonly name: string;
  readonly urn: string;
  readonly id: string;
  /** What state says of it, secrets opened. */
  readonly values: Values;
  /** URN of its provider, explicit or not. */
  readonly provider: string;
  /** It was replaced, and waits for its delete. */
  readonly replaced: boolean;
}

/** The records that a stack manages. What it only reads is another's. */
export function stackResources(stack: string, { resources = [] }: Deployment): StackResource[] {
  return resources.flatMap((stored) => {
    const resource = resourceOf(stored);
    if (resource === undefined || stored.external || !stored.id) return [];
    return {
      stack,
      resource,
      name: nameOf(stored.urn),
      urn: stored.urn,
      id: stored.id,
      values: unwrapSecrets({ ...stored.inputs, ...stored.outputs }),
      provider: providerUrn(stored) ?? "",
      replaced: stored.delete === true,
    };
  });
}

/** The command that takes a resource out of state, and leaves the record alone. */
export function stateDeleteCommand({ urn, stack }: StackResource): string {
  return `pulumi state delete --force --stack ${shellQuote(stack)} ${shellQuote(urn)}`;
}

/** What there is to say of a stack's state by itself. */
export function stateFindings(stack: string, deployment: Deployment): Finding[] {
  return [...pendingOperations(stack, deployment), ...foreignProviders(stack, deployment)];
}

/** A run was killed in the middle: what it was doing may be done, or not. */
function pendingOperations(stack: string, { pending_operations = [] }: Deployment): Finding[] {
  return pending_operations.flatMap(({ resource: stored, type }) => {
    const resource = resourceOf(stored);
    if (resource === undefined) return [];
    const key = unwrapSecrets({ ...stored.inputs, ...stored.outputs })[resource.key];
    const record = `${noun(resource)} ${format(resource.inputs[resource.key], key ?? nameOf(stored.urn))}`;
    const making = type === "creating" || type === "importing";
    return {
      topic: "state",
      severity: making ? "error" : "warning",
      code: "pending-operation",
      stacks: [stack],
      message: `an interrupted run was ${type} the ${record} ("${nameOf(stored.urn)}"); it may be done, or not`,
      remedy: making
        ? 'if no other run is at work, run "pulumi cancel", then "pulumi refresh", which clears it, and "npx pulumi-tracking import --declared --apply", which takes over the record if it was made'
        : 'if no other run is at work, run "pulumi cancel" and then "pulumi refresh"',
    };
  });
}

/** Other code than this package's would be run at refresh and destroy. */
function foreignProviders(stack: string, { resources = [] }: Deployment): Finding[] {
  return resources.flatMap((stored) => {
    const resource = resourceOf(stored);
    if (resource === undefined) return [];
    const due = codeOf(resource);
    const { inputs, outputs } = {
      inputs: unwrapSecrets(stored.inputs ?? {}),
      outputs: unwrapSecrets(stored.outputs ?? {}),
    };
    if ([inputs, outputs].every(({ __provider }) => __provider === undefined || __provider === due))
      return [];
    return {
      topic: "state",
      severity: "error",
      code: "foreign-provider",
      stacks: [stack],
      ...(stored.id ? { record: { type: resource.type, id: stored.id } } : {}),
      message: `"${nameOf(stored.urn)}" holds the code of another provider, which refresh and destroy would run instead of this package`,
      remedy:
        'run "pulumi up" with a program that takes its classes from pulumi-tracking, before any refresh or destroy',
    };
  });
}

function resourceOf({ type }: ResourceState): Resource | undefined {
  return catalogue.find((each) => type === tokenOf(each));
}
