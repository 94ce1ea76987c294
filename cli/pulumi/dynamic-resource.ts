import { codeOf, PROVIDER, tokenOf } from "../../provider/hosts/dynamic/identity";
import { catalogue } from "../../provider/resources";
import type { Resource, Values } from "../../provider/schema/resource";

export { tokenOf as typeOf } from "../../provider/hosts/dynamic/identity";

/** The type of a program's provider, default or explicit. */
export const PROVIDER_TYPE = "pulumi:providers:pulumi-nodejs";

/** Our resource of this type in state or in a preview, or nothing. */
export function resourceOfType(type: string): Resource | undefined {
  return catalogue.find((each) => tokenOf(each) === type);
}

/** Whether this is the type of any dynamic resource, ours or not. */
export function isDynamicType(type: string): boolean {
  return type.startsWith("pulumi-nodejs:dynamic/");
}

/** Properties as state has them, with the code that the engine runs for this resource. */
export function withProviderCode(resource: Resource, properties: Values): Values {
  return { ...properties, [PROVIDER]: codeOf(resource) };
}

/** Whether properties in state have other code than this package's. */
export function hasForeignCode(resource: Resource, { [PROVIDER]: code }: Values): boolean {
  return code !== undefined && code !== codeOf(resource);
}
