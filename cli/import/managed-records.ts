import { rawSetting, type SettingsSource } from "../../provider/config";
import type { RemoteRecord } from "../../provider/schema/codec";
import { isSameRecord } from "../../provider/schema/identity";
import { fieldOf, type Resource } from "../../provider/schema/resource";
import type { Deployment, ResourceState } from "../pulumi/json-output";
import { isExplicit, settingsOf } from "../pulumi/provider-inputs";
import { resourceOfType } from "../pulumi/resource-forms";
import { nameOf, providerUrn } from "../pulumi/urn";

/** Which records a stack manages. A record is identified by its service's base URL, its kind and its id. */
export class ManagedRecords {
  private readonly resources: readonly ResourceState[];
  private readonly providers: ReadonlyMap<string, ResourceState>;

  /** @param settings of the stack's own provider, as its next run uses them */
  constructor(
    private readonly deployment: Deployment,
    private readonly settings: SettingsSource,
  ) {
    this.resources = (deployment.resources ?? []).filter((each) => each.external !== true && each.id);
    this.providers = new Map(this.resources.map((each) => [each.urn, each]));
  }

  /** Resource names that the stack uses. */
  get names(): readonly string[] {
    return this.resources.map(({ urn }) => nameOf(urn));
  }

  /** The resource that manages a record of the service at this base URL, whichever provider it uses. */
  holderOf(resource: Resource, baseUrl: string | undefined, found: RemoteRecord): ResourceState | undefined {
    const alike = this.resources.filter(
      ({ id, type }) => id === found.id && resourceOfType(type) === resource,
    );
    return alike.find((held) => {
      const provider = this.providers.get(providerUrn(held) ?? "");
      const source = provider === undefined ? undefined : settingsOf(provider);
      const known = source && baseUrlFor(resource, source);
      if (known === baseUrl) return true;
      // The stack's own provider may have another base URL by now: then the record itself decides.
      const isOwn = !(source && isExplicit(source)) && baseUrlFor(resource, this.settings) === baseUrl;
      return (
        isOwn && (known === undefined || isSameRecord(resource, { ...held.inputs, ...held.outputs }, found))
      );
    });
  }

  /** Whether a run that has not ended is creating this record. */
  isPending(resource: Resource, found: RemoteRecord): boolean {
    const field = fieldOf(resource, resource.key);
    const key = field.canonical(found.values[resource.key]);
    return (this.deployment.pending_operations ?? []).some(
      ({ type, resource: { type: of, inputs = {} } }) => {
        const wanted = inputs[resource.key];
        if (type !== "creating" || resourceOfType(of) !== resource || wanted === undefined) return false;
        return field.canonical(wanted) === key;
      },
    );
  }

  /** The provider with this URN in the stack, secrets opened. */
  provider(urn: string): ResourceState | undefined {
    return this.providers.get(urn);
  }
}

/** The base URL of a resource's service by these settings; an explicit provider never asks the environment. */
export function baseUrlFor(resource: Resource, source: SettingsSource): string | undefined {
  const { config, environment } = rawSetting(`${resource.service}BaseUrl`, source);
  const text = config ?? (isExplicit(source) ? undefined : environment);
  return text?.replace(/\/+$/, "");
}
