import * as pulumi from "@pulumi/pulumi";
import { parseUrn } from "../provider/hosts/urn";
import { describeTwice } from "../provider/lifecycle/errors";
import { canonicalKey } from "../provider/schema/identity";
import type { Resource } from "../provider/schema/resource";
import { urnOf } from "./form";

/** The URN of the resource that declares a key, by provider: two accounts may each have a record with it. */
type Declarations = Map<pulumi.ProviderResource | undefined, string>;

/** What a program declares in a run of the engine, by kind and key. A program that runs Pulumi itself may have several runs. */
const declarationsOf = new WeakMap<object, Map<string, Declarations>>();

/** An error whose stack the engine hides, except if nobody waits for the promise. */
export function sentence(text: string): Error {
  const error = new pulumi.RunError(text);
  error.stack = text;
  return error;
}

/**
 * Throws if the program has declared the same key under the same provider before: the second `shop.example.com` does not even
 * reach its provider. The provider's check refuses the other cases, a key that is an output and two providers of one account.
 */
export function refuseSecond(
  resource: Resource,
  type: string,
  name: string,
  props: Readonly<Record<string, unknown>>,
  { id, urn, provider, parent }: pulumi.CustomResourceOptions,
): void {
  const engine: object | undefined = pulumi.runtime.getEngine();
  const key = canonicalKey(resource, props);
  if (engine === undefined || key === undefined || id !== undefined || urn !== undefined) return;
  const run = declarationsOf.get(engine) ?? new Map<string, Declarations>();
  declarationsOf.set(engine, run);
  const declarations: Declarations = run.get(`${resource.path} ${key}`) ?? new Map();
  run.set(`${resource.path} ${key}`, declarations);
  const itsProvider = provider ?? parent?.getProvider(type);
  const itsUrn = urnOf(type, name, parent);
  const first = declarations.get(itsProvider) ?? itsUrn;
  declarations.set(itsProvider, first);
  // The engine refuses two resources with one URN.
  if (first !== itsUrn) throw sentence(describeTwice(resource, props, parseUrn(first).name, name).join("\n"));
}
