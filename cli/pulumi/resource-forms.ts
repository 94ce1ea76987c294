import { codeOf, PROVIDER, tokenOf } from "../../provider/hosts/dynamic/identity";
import { pluginToken } from "../../provider/hosts/native/identity";
import { catalogue } from "../../provider/resources";
import type { Resource, Values } from "../../provider/schema/resource";
import { manifest } from "../manifest";
import type { Deployment, ImportEntry } from "./json-output";

/** How a stack's resources reach the provider: through the program's own package, or through the plugin. */
export type ResourceForm = "dynamic" | "native";

/** The type of a program's provider, default or explicit. */
const PROVIDER_TYPES: Readonly<Record<ResourceForm, string>> = {
  dynamic: "pulumi:providers:pulumi-nodejs",
  native: "pulumi:providers:tracking",
};

const tokens: Readonly<Record<ResourceForm, (resource: Resource) => string>> = {
  dynamic: tokenOf,
  native: ({ type }) => pluginToken(type),
};
const forms = ["dynamic", "native"] as const;

/** The type of a resource in state. */
export function typeOf(resource: Resource, form: ResourceForm): string {
  return tokens[form](resource);
}

/** Our resource of this type in state or in a preview, or nothing. */
export function resourceOfType(type: string): Resource | undefined {
  return catalogue.find((each) => forms.some((form) => typeOf(each, form) === type));
}

/** The form of a resource or provider of this type, or nothing if it is not ours. */
export function formOfType(type: string): ResourceForm | undefined {
  return forms.find(
    (form) => PROVIDER_TYPES[form] === type || catalogue.some((each) => typeOf(each, form) === type),
  );
}

/** Whether a provider of this type may have our settings. */
export function isProviderType(type: string): boolean {
  return Object.values(PROVIDER_TYPES).includes(type);
}

/** Whether this is the type of any dynamic resource, ours or not, or of ours in the other form. */
export function isLeaf(type: string): boolean {
  return type.startsWith("pulumi-nodejs:dynamic/") || resourceOfType(type) !== undefined;
}

/** The form of the resources in a stack, or nothing if none of them is ours. */
export function formOfStack({ resources = [] }: Deployment): ResourceForm | undefined {
  const held = resources.map(({ type }) => (resourceOfType(type) ? formOfType(type) : undefined));
  // While a stack moves to the plugin it holds both.
  return held.includes("native") ? "native" : held.find((form) => form !== undefined);
}

/** Properties as state has them, with the code that the engine runs for a dynamic resource. */
export function stateProperties(resource: Resource, properties: Values, form: ResourceForm): Values {
  return form === "native" ? properties : { ...properties, [PROVIDER]: codeOf(resource) };
}

/** Additional properties of an import entry: the plugin's version, as our classes set it. */
export function providerOptions(form: ResourceForm): Pick<ImportEntry, "version"> {
  return form === "native" ? { version: manifest().version } : {};
}
