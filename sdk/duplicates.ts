import * as pulumi from "@pulumi/pulumi";
import { parseUrn } from "../provider/hosts/urn";
import { describeTwice } from "../provider/lifecycle/errors";
import { canonicalKey } from "../provider/schema/identity";
import type { Resource } from "../provider/schema/resource";
import { urnOf } from "./form";

/** The URN of the resource that declares a key, by provider: two accounts may each have a record with it. */
type Declarations = Map<pulumi.ProviderResource | undefined, string>;

/**
 * What a program declares, by run of the engine, and then by kind and key. A program that runs Pulumi itself may have several
 * runs.
 */
const runs = new WeakMap<object, Map<string, Declarations>>();

/** An error whose stack the engine hides, except if nobody waits for the promise. */
export function errorWithoutStack(text: string): Error {
  const error = new pulumi.RunError(text);
  error.stack = text;
  return error;
}

/**
 * Throws if the program has declared the same key under the same provider before: the second `shop.example.com` does not even
 * reach its provider. The provider's check refuses the other cases, a key that is an output and two providers of one account.
 */
export function refuseDuplicate(
  resource: Resource,
  type: string,
  name: string,
  props: Readonly<Record<string, unknown>>,
  { id, urn, provider, parent }: pulumi.CustomResourceOptions,
): void {
  const engine: object | undefined = pulumi.runtime.getEngine();
  const key = canonicalKey(resource, props);
  if (engine === undefined || key === undefined || id !== undefined || urn !== undefined) return;
  const run = runs.get(engine) ?? new Map<string, Declarations>();
  const kindAndKey = `${resource.path} ${key}`;
  const declarations: Declarations = run.get(kindAndKey) ?? new Map();
  runs.set(engine, run.set(kindAndKey, declarations));
  const explicitProvider = provider ?? parent?.getProvider(type);
  const ownUrn = urnOf(type, name, parent);
  const first = declarations.get(explicitProvider) ?? ownUrn;
  declarations.set(explicitProvider, first);
  // The engine refuses two resources with one URN.
  if (first !== ownUrn)
    throw errorWithoutStack(describeTwice(resource, props, parseUrn(first).name, name).join("\n"));
}
