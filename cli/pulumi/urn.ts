import type { ResourceState } from "./json-output";

/** A resource's name in the program. */
export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** The type of a resource, without those of its parents. */
export function typeIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The URN of a resource's provider; in state, the provider's id follows it. */
export function providerUrn({ provider }: Pick<ResourceState, "provider">): string | undefined {
  return provider?.slice(0, provider.lastIndexOf("::"));
}
