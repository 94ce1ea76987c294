import { rawSetting, type Source } from "../../provider/config";
import type { RemoteRecord } from "../../provider/schema/codec";
import { format } from "../../provider/schema/format";
import { isSameRecord } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import type { Deployment, ResourceState } from "../pulumi/json-output";
import { isExplicit, settingsOf } from "../pulumi/provider-inputs";
import { formOfStack, type ResourceForm, resourceOfType } from "../pulumi/resource-forms";
import { nameOf, providerUrn } from "../pulumi/urn";

/** Which records a stack manages. A record is identified by its service's base URL, its kind and its id. */
export class ManagedRecords {
  private readonly resources: readonly ResourceState[];
  private readonly providers: ReadonlyMap<string, ResourceState>;

  /** @param settings of the stack's own provider, as its next run uses them */
  constructor(
    private readonly deployment: Deployment,
    private readonly settings: Source,
  ) {
    this.resources = (deployment.resources ?? []).filter((each) => each.external !== true && each.id);
    this.providers = new Map(this.resources.map((each) => [each.urn, each]));
  }

  /** The form of the stack's resources, or nothing where it holds none. */
  get form(): ResourceForm | undefined {
    return formOfStack(this.deployment);
  }

  /** Resource names that the stack uses. */
  get names(): readonly string[] {
    return this.resources.map(({ urn }) => nameOf(urn));
  }

  /** Whether the stack holds a resource of this type and name. */
  hasName(type: string, name: string): boolean {
    return this.resources.some((each) => nameOf(each.urn) === name && each.type.endsWith(`:${type}`));
  }

  /** The resource that manages a record of the service at this base URL, whichever provider it uses. */
  holderOf(resource: Resource, baseUrl: string | undefined, found: RemoteRecord): ResourceState | undefined {
    return this.byId(resource, found.id).find((held) => {
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

  /** A note if a run that has not ended is creating this record, or nothing. */
  pendingCreate(resource: Resource, found: RemoteRecord): string | undefined {
    const field = resource.inputs[resource.key];
    const key = found.values[resource.key];
    const making = (this.deployment.pending_operations ?? []).some(({ type, resource: stored }) => {
      const wanted = stored.inputs?.[resource.key];
      if (type !== "creating" || resourceOfType(stored.type) !== resource || wanted === undefined)
        return false;
      return field?.canonical(wanted) === field?.canonical(key);
    });
    return making
      ? `${noun(resource)} ${format(undefined, key)} is skipped: a run that has not ended is creating it.`
      : undefined;
  }

  private byId(resource: Resource, id: string | undefined): readonly ResourceState[] {
    return this.resources.filter((each) => resourceOfType(each.type) === resource && each.id === id);
  }

  /** The settings of an explicit provider in the stack, secrets opened, or nothing if there is none with this URN. */
  explicitSettings(urn: string): Source | undefined {
    const provider = this.providers.get(urn);
    const source = provider?.inputs && settingsOf(provider);
    return source && isExplicit(source) ? source : undefined;
  }
}

/** The base URL of a resource's service by these settings; an explicit provider never asks the environment. */
export function baseUrlFor(resource: Resource, source: Source): string | undefined {
  const { config, environment } = rawSetting(`${resource.service}BaseUrl`, source);
  const text = config ?? (isExplicit(source) ? undefined : environment);
  return text?.replace(/\/+$/, "");
}
