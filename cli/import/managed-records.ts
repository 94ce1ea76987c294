import { EXPLICIT, rawSetting, type Source } from "../../provider/config/endpoint";
import { tokenOf } from "../../provider/hosts/dynamic/identity";
import type { RemoteRecord } from "../../provider/schema/codec";
import { format } from "../../provider/schema/format";
import { isSameRecord } from "../../provider/schema/identity";
import { noun, type Resource } from "../../provider/schema/resource";
import type { Deployment, ResourceState } from "../pulumi/json-output";
import { unwrapSecrets } from "../pulumi/secret";
import { nameOf, providerUrn } from "../pulumi/urn";

/** Which records a stack holds. A record is known by its service's address, its kind and its id. */
export class ManagedRecords {
  private readonly resources: readonly ResourceState[];
  private readonly providers: ReadonlyMap<string, ResourceState>;

  /** @param settings of the stack's own provider, which its next run goes by */
  constructor(
    private readonly deployment: Deployment,
    private readonly settings: Source,
  ) {
    this.resources = (deployment.resources ?? []).filter((each) => each.external !== true && each.id);
    this.providers = new Map(this.resources.map((each) => [each.urn, each]));
  }

  /** Resource names that are taken in the stack. */
  get names(): readonly string[] {
    return this.resources.map(({ urn }) => nameOf(urn));
  }

  /** Whether the stack holds a resource of this type and name. */
  hasName(type: string, name: string): boolean {
    return this.resources.some((each) => nameOf(each.urn) === name && each.type.endsWith(`:${type}`));
  }

  /** What holds a record of the service at this address, whichever provider it is under. */
  holderOf(resource: Resource, address: string | undefined, found: RemoteRecord): ResourceState | undefined {
    return this.byId(resource, found.id).find((held) => {
      const provider = this.providers.get(providerUrn(held) ?? "");
      const source = provider === undefined ? undefined : settingsFromInputs(provider.inputs ?? {});
      const known = source && baseUrlFor(resource, source);
      if (known === address) return true;
      // The stack's own provider may have been given another address since: then the record itself tells.
      const isOwn = source?.get(EXPLICIT) === undefined && baseUrlFor(resource, this.settings) === address;
      return (
        isOwn && (known === undefined || isSameRecord(resource, { ...held.inputs, ...held.outputs }, found))
      );
    });
  }

  /** What a run that has not ended is making: one clause, or nothing. */
  pendingCreate(resource: Resource, found: RemoteRecord): string | undefined {
    const field = resource.inputs[resource.key];
    const key = found.values[resource.key];
    const making = (this.deployment.pending_operations ?? []).some(({ type, resource: stored }) => {
      const wanted = stored.inputs?.[resource.key];
      if (type !== "creating" || stored.type !== tokenOf(resource) || wanted === undefined) return false;
      return field?.canonical(wanted) === field?.canonical(key);
    });
    return making
      ? `${noun(resource)} ${format(undefined, key)} is passed over: a run that has not ended is creating it`
      : undefined;
  }

  private byId(resource: Resource, id: string | undefined): readonly ResourceState[] {
    return this.resources.filter((each) => each.type === tokenOf(resource) && each.id === id);
  }

  /** The settings of a provider in the stack, secrets opened; nothing where it is the stack's own, or not there. */
  explicitSettings(urn: string): Source | undefined {
    const inputs = this.providers.get(urn)?.inputs;
    const source = inputs && settingsFromInputs(inputs);
    return source?.get(EXPLICIT) === undefined ? undefined : source;
  }
}

/** Where a resource's service is, by these settings; an explicit provider never asks the environment. */
export function baseUrlFor(resource: Resource, source: Source): string | undefined {
  const { config, environment } = rawSetting(`${resource.service}BaseUrl`, source);
  const text = config ?? (source.get(EXPLICIT) === undefined ? environment : undefined);
  return text?.replace(/\/+$/, "");
}

/** A provider's settings out of its inputs, secrets opened. */
export function settingsFromInputs(inputs: Readonly<Record<string, unknown>>): Source {
  const settings = unwrapSecrets(inputs);
  return {
    get: (key) => {
      const value = settings[`tracking:${key}`];
      return typeof value === "string" ? value : undefined;
    },
  };
}
