import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { endpoint } from "../provider/config";
import { parseUrn } from "../provider/hosts/urn";
import { describeTwice, type Ledger } from "../provider/lifecycle/ledger";
import { acrossAccounts, keyFingerprint } from "../provider/schema/fingerprint";
import type { Resource } from "../provider/schema/resource";
import { urnOf } from "./form";
import { settingsOf } from "./provider";
import { runLedger } from "./run";

type Options = pulumi.CustomResourceOptions;
/** A resource that declares a key. */
interface Claim {
  readonly owner: string;
  readonly provider: pulumi.ProviderResource | undefined;
}

/** What a program declares in one run of the engine, by key, in any account. */
type Claims = Map<string, Claim[]>;
const claimsOf = new WeakMap<Ledger, Claims>();

/** A resource's key for its registration, and what to do with its id then. */
export interface Declared {
  readonly key: unknown;
  follow(id: pulumi.Output<pulumi.ID>): void;
}

/**
 * Declares a resource in the program's own process, where all of them stand, and so before the engine brings it to its
 * provider, which may do all that is wanted of it before it hears of the next. Throws, or rejects the key, if another one has
 * the same key.
 */
export function declare(
  resource: Resource,
  type: string,
  name: string,
  props: Readonly<Record<string, unknown>>,
  opts: Options,
): Declared {
  const { [resource.key]: key, adopt = opts.import !== undefined } = props;
  const run = runLedger();
  if (run === undefined || opts.id !== undefined || opts.urn !== undefined) return { key, follow: () => {} };
  const claims: Claims = claimsOf.get(run) ?? new Map();
  claimsOf.set(run, claims);
  const { provider = opts.parent?.getProvider(type) } = opts;
  const claim = { owner: urnOf(type, name, opts.parent), provider };
  const adopts = adopt !== false;
  let known: unknown;
  const tell = (has: "no" | "not yet" | "yes") => {
    // A preview deletes nothing.
    if (pulumi.runtime.isDryRun() || known === undefined) return;
    run.tell({ event: "plans", owner: claim.owner, anyAccount: acrossAccounts(resource, known), has });
  };
  const learn = (value: unknown) => {
    known = value;
    if (adopts) tell("not yet");
    return typeof value === "string" && isFinal(resource, opts)
      ? enter(resource, claims, value, claim, adopts)
      : value;
  };
  const follow = (id: pulumi.Output<pulumi.ID>) => {
    // Not known, if the resource was refused, or not even tried.
    const { isKnown } = id as object as { isKnown: Promise<boolean> };
    const end = (has: boolean) => (!has || adopts) && tell(has ? "yes" : "no");
    isKnown.then(end, () => {});
  };
  if (typeof key === "string") return { key: learn(key), follow };
  return { key: key && (pulumi.output(key) as pulumi.Output<unknown>).apply(learn), follow };
}

/** Whether a key cannot change any more before its provider gets it, as far as this process can tell. */
function isFinal({ key }: Resource, { parent, ...opts }: Options): boolean {
  const inherited: readonly unknown[] = (parent && Reflect.get(parent, "__transformations")) ?? [];
  const { ignoreChanges = [], transforms = [], transformations = [] } = opts;
  const changes = [...transforms, ...transformations, ...inherited];
  return changes.length === 0 && !ignoreChanges.some((each) => each === key || each === "*");
}

/** Throws if another resource has the same key. One that adopts waits until the program has declared what else it can. */
function enter(
  resource: Resource,
  claims: Claims,
  key: string,
  own: Claim,
  adopts: boolean,
): string | Promise<string> {
  const print = acrossAccounts(resource, key);
  const all = claims.get(print) ?? [];
  claims.set(print, all);
  const refuse = ({ owner }: Claim) => {
    const owners = [owner, own.owner];
    throw sentence(describeTwice(resource, { [resource.key]: key }, owners, (each) => parseUrn(each).name));
  };
  const others = () => all.filter(({ owner }) => owner !== own.owner);
  all.push(own);
  const first = others().find(({ provider }) => provider === own.provider);
  if (first !== undefined) refuse(first);
  if (!adopts) return key;
  return setImmediate().then(async () => {
    for (const each of others())
      if (each.provider === own.provider || (await areSame(resource, key, [each, own]))) refuse(each);
    return key;
  });
}

/** Whether the settings of several providers lead to one account, or where a key is global, one installation. */
async function areSame(resource: Resource, key: string, claims: readonly Claim[]): Promise<boolean> {
  const prints = claims.map(async ({ provider }) => {
    const settings = settingsOf(provider === undefined ? {} : { provider });
    const values = await new Promise<Record<string, string | undefined>>((resolve) =>
      settings.apply(resolve),
    );
    return keyFingerprint(
      endpoint(resource.service, { get: (each) => values[`tracking:${each}`] }),
      resource,
      key,
    );
  });
  // What is missing or wrong in them, the provider reports.
  const known = await Promise.all(prints).catch(() => []);
  return new Set(known).size === 1;
}

/** The engine hides the stack of such an error, except if nobody waits for the promise. */
export function sentence(text: string): Error {
  const error = new pulumi.RunError(text);
  error.stack = text;
  return error;
}
