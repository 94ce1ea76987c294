import { EXPLICIT, SettingsReader, type SettingsSource } from "../../provider/config";
import { tokenOf } from "../../provider/hosts/dynamic/code";
import { isDefaultProvider, PROTECTION, pluginToken } from "../../provider/hosts/native/tokens";
import { parseUrn } from "../../provider/hosts/urn";
import { catalogue } from "../../provider/resources";
import { fieldOf, type Resource, type Values } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import type { Deployment, StackResource } from "../pulumi/json-output";

/** How a stack's resources reach the provider: through the program's own package, or through the plugin. */
export type ResourceForm = "dynamic" | "native";

/** Our resource of this type in state or in a preview, if it is one. */
export function resourceOfType(type: string): Resource | undefined {
  return catalogue.find((resource) => type === tokenOf(resource) || type === pluginToken(resource.type));
}

/** The argument that is shown beside the key: the first that is one of a few words, such as `privacy`. */
export function varietyName({ inputs }: Resource): string | undefined {
  return Object.keys(inputs).find((name) => fieldOf({ inputs }, name).words);
}

/** The form of a type of ours. */
export function formOfType(type: string): ResourceForm {
  return type.startsWith("pulumi-nodejs:") ? "dynamic" : "native";
}

/** The form of our resources in a stack; `undefined` if it has none. */
export function formOfStack({ resources = [] }: Deployment): ResourceForm | undefined {
  const forms = resources.filter(({ type }) => resourceOfType(type)).map(({ type }) => formOfType(type));
  // A stack that moves to the plugin holds both for a while. What is imported then gets the new form.
  return forms.includes("native") ? "native" : forms[0];
}

/** The URN of a resource's provider; in state, the provider's id follows it. */
export function providerUrn({ provider = "" }: Pick<StackResource, "provider">): string {
  return provider.slice(0, provider.lastIndexOf("::"));
}

/**
 * The settings of a stack's explicit providers, by URN, and of its own provider, as the last `up` used them. With the planned
 * resources of a preview, those of the providers that the program declares.
 */
export function providersIn({ resources = [] }: Pick<Deployment, "resources">) {
  const explicit = new Map<string, SettingsSource>();
  const defaults: SettingsSource[] = [];
  for (const { urn, type, inputs = {} } of resources) {
    if (!/^pulumi:providers:(pulumi-nodejs|tracking)$/.test(type)) continue;
    const isNative = type === "pulumi:providers:tracking";
    const { name } = parseUrn(urn);
    const isExplicit = isNative
      ? !isDefaultProvider(name, inputs)
      : inputs[`tracking:${EXPLICIT}`] !== undefined;
    const text = (key: string) => {
      const value = inputs[isNative ? key : `tracking:${key}`];
      // The SDKs of other languages send a plugin numbers and flags as such; the Node.js SDK sends text.
      if (["string", "number", "boolean"].includes(typeof value)) return String(value);
      return typeof value === "object" && value !== null ? JSON.stringify(value) : undefined;
    };
    if (!isExplicit) defaults.push({ get: (key) => (key === EXPLICIT ? undefined : text(key)) });
    else explicit.set(urn, { get: (key) => (key === EXPLICIT ? name : text(key)) });
  }
  const get = (key: string) => defaults.map((source) => source.get(key)).find((value) => value !== undefined);
  return { explicit, own: { get } };
}

/** Returns the URN of a resource's provider if it is an explicit one, or undefined. */
export function explicitProvider(state: StackResource, explicit: ReadonlyMap<string, unknown>) {
  const urn = providerUrn(state);
  return explicit.has(urn) ? urn : undefined;
}

/** The base URL of a resource's service by these settings. */
export function baseUrlFor(
  { service }: Pick<Resource, "service">,
  source: SettingsSource,
): string | undefined {
  return new SettingsReader(source).text(`${service}BaseUrl`);
}

/** Whether the plugin refuses to delete a resource: it does so unless the arguments say false. */
export function hasProtection({ type, inputs }: StackResource): boolean {
  const supportsProtection = formOfType(type) === "native" && resourceOfType(type)?.deletesWith !== undefined;
  return supportsProtection && inputs?.[PROTECTION] !== false;
}

/** Returns the option or argument that makes the engine or the plugin refuse to delete a resource, or undefined. */
export function protectionOf(state: StackResource): string | undefined {
  if (state.protect === true) return "protect";
  return hasProtection(state) ? PROTECTION : undefined;
}

/** A record that a stack manages. */
export interface HeldRecord {
  readonly resource: Resource;
  /** The resource's name in the program. */
  readonly name: string;
  readonly urn: string;
  readonly id: string;
  /** The record's values in state. */
  readonly values: Values;
  /** The URN of its explicit provider; undefined if it uses the stack's own. */
  readonly provider: string | undefined;
  /** Its service's address, as the next run uses it. */
  readonly baseUrl: string | undefined;
  /** An `up` replaced it, and has not deleted it yet. */
  readonly isPendingDelete: boolean;
  /** The engine or the plugin refuses to delete it. */
  readonly isProtected: boolean;
  /** The names of its secret values. */
  readonly secrets: readonly string[];
  /** The stack's name, if several are read. */
  readonly stack: string;
}

/**
 * The records that a stack manages; without those that the program only reads by `get`.
 *
 * @param own the settings of the stack's own provider
 */
export function heldRecords(deployment: Deployment, own: SettingsSource, stack = ""): HeldRecord[] {
  const { explicit } = providersIn(deployment);
  return (deployment.resources ?? []).flatMap((state) => {
    const { urn, id, inputs, outputs, external, secrets = [], delete: isPendingDelete = false } = state;
    const resource = resourceOfType(state.type);
    if (resource === undefined || external || !id) return [];
    const provider = explicitProvider(state, explicit);
    return {
      resource,
      name: parseUrn(urn).name,
      urn,
      id,
      values: { ...inputs, ...outputs },
      provider,
      baseUrl: baseUrlFor(resource, explicit.get(provider ?? "") ?? own),
      isPendingDelete,
      isProtected: protectionOf(state) !== undefined,
      secrets,
      stack,
    };
  });
}

/** An id or a key with the scope in which it is unique: a service's address, or a provider. Two services may both have id 5. */
export function scopedId(resource: Resource, scope: string | undefined, id: string | undefined): string {
  return JSON.stringify([resource.type, scope, id]);
}

type Place = Pick<HeldRecord, "resource" | "baseUrl"> & { readonly id?: string | undefined };

/** A record's id with its service's address. */
export function placeOf({ resource, baseUrl, id }: Place): string {
  return scopedId(resource, baseUrl, id);
}

/** The resources that manage each record of a service, by its place, whichever providers they use. */
export function managersOf(held: readonly HeldRecord[]) {
  return new Map(groupsBy(held, placeOf).map((group) => [placeOf(group[0]), group]));
}
