import type { SettingsSource } from "../../provider/config";
import type { RemoteRecord } from "../../provider/schema/codec";
import { fieldOf, type Resource } from "../../provider/schema/resource";
import type { Deployment } from "../pulumi/json-output";
import { type HeldRecord, heldRecords, nameOf, resourceOfType } from "../pulumi/state";

/** Which records a stack manages. A record is identified by its service's base URL, its kind and its id. */
export class ManagedRecords {
  private readonly held: readonly HeldRecord[];

  /** @param settings of the stack's own provider, as its next run uses them */
  constructor(
    private readonly deployment: Deployment,
    settings: SettingsSource,
  ) {
    this.held = heldRecords(deployment, settings);
  }

  /** Resource names that the stack uses. */
  get names(): readonly string[] {
    return (this.deployment.resources ?? []).map(({ urn }) => nameOf(urn));
  }

  /** The resource that manages a record of the service at this base URL, whichever provider it uses. */
  holderOf(resource: Resource, baseUrl: string | undefined, found: RemoteRecord): HeldRecord | undefined {
    return this.held.find(
      (each) => each.resource === resource && each.id === found.id && each.baseUrl === baseUrl,
    );
  }

  /** Whether a run that has not ended is creating this record. */
  isPending(resource: Resource, found: RemoteRecord): boolean {
    const { canonical } = fieldOf(resource, resource.key);
    return (this.deployment.pending_operations ?? []).some(({ type, resource: state }) => {
      const wanted = state.inputs?.[resource.key];
      if (type !== "creating" || resourceOfType(state.type) !== resource || wanted === undefined)
        return false;
      return canonical(wanted) === canonical(found.values[resource.key]);
    });
  }
}
