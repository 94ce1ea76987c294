import * as pulumi from "@pulumi/pulumi";
import { parseUrn } from "../provider/hosts/urn";
import { describeTwice } from "../provider/lifecycle/ledger";
import { canonicalKey } from "../provider/schema/identity";
import type { Resource } from "../provider/schema/resource";
import { urnOf } from "./form";

/** Who declares a key, by provider. */
type Declarations = Map<pulumi.ProviderResource | undefined, string>;

/** What a program declares in a run of the engine, by kind and key. A program that runs Pulumi itself may have several runs. */
const declarationsOf = new WeakMap<object, Map<string, Declarations>>();

/**
 * Throws if the program has declared the same key under the same provider before, so that one of two resources does not even
 * reach its provider. That refuses all others when it checks them: those under another provider of the same account, and keys
 * that are outputs.
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
  const under = provider ?? parent?.getProvider(type);
  const own = urnOf(type, name, parent);
  const first = declarations.get(under) ?? own;
  declarations.set(under, first);
  // The engine refuses two resources with one URN.
  if (first !== own) throw sentence(describeTwice(resource, props, parseUrn(first).name, name));
}

/** The engine hides the stack of such an error, except if nobody waits for the promise. */
export function sentence(text: string): Error {
  const error = new pulumi.RunError(text);
  error.stack = text;
  return error;
}
