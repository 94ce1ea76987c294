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
/** A resource of the program that has a key. */
interface Declaration {
  readonly urn: string;
  readonly provider: pulumi.ProviderResource | undefined;
}

/** What a program declares in one run of the engine, by key, in any account. */
const declarationsOf = new WeakMap<Ledger, Map<string, Declaration[]>>();

/** Those with a key, to add another one. */
function allOf(run: Ledger, anyAccount: string): Declaration[] {
  const byKey = declarationsOf.get(run) ?? new Map<string, Declaration[]>();
  declarationsOf.set(run, byKey);
  const all = byKey.get(anyAccount) ?? [];
  byKey.set(anyAccount, all);
  return all;
}

/** What a resource's registration waits for. */
interface Declared {
  readonly key: unknown;
  readonly options: Pick<Options, "dependsOn">;
}

/**
 * Declares a resource in the program's own process, where all of them stand, and so before the engine brings it to its
 * provider, which may do all that is wanted of it before it hears of the next. Throws, or rejects what the registration waits
 * for, if another one has the same key. A key counts as the arguments have it, whatever a transformation makes of it.
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
  if (run === undefined || opts.id !== undefined || opts.urn !== undefined) return { key, options: {} };
  const { provider = opts.parent?.getProvider(type) } = opts;
  const own = { urn: urnOf(type, name, opts.parent), provider };
  const adopts = adopt !== false;
  const learn = (value: unknown): Promise<void> | undefined => {
    if (typeof value !== "string") return undefined;
    const anyAccount = acrossAccounts(resource, value);
    // A preview deletes nothing.
    if (adopts && !pulumi.runtime.isDryRun())
      run.tell({ event: "declares", urn: own.urn, key: anyAccount, isNew: true, adopts });
    const all = allOf(run, anyAccount);
    all.push(own);
    return refuseSecond(resource, value, own, all, adopts);
  };
  if (typeof key !== "string") {
    const learned = async (value: unknown) => {
      await learn(value);
      return value;
    };
    return { key: key && (pulumi.output(key) as pulumi.Output<unknown>).apply(learned), options: {} };
  }
  // Transformations read the key, so it is the registration that waits. What the promise holds may again be any input.
  const dependsOn = learn(key)?.then(() => (opts.dependsOn ?? []) as pulumi.Resource[]);
  return { key, options: dependsOn === undefined ? {} : { dependsOn } };
}

/** Throws if another resource has the same key. One that adopts waits until the program has declared what else it can. */
function refuseSecond(
  resource: Resource,
  key: string,
  own: Declaration,
  all: readonly Declaration[],
  adopts: boolean,
): Promise<void> | undefined {
  const others = () => all.filter(({ urn }) => urn !== own.urn);
  const refuse = (other: Declaration | undefined) => {
    if (other === undefined) return;
    const nameOf = ({ urn }: Declaration) => parseUrn(urn).name;
    throw sentence(describeTwice(resource, { [resource.key]: key }, nameOf(other), nameOf(own)));
  };
  const isOfSame = ({ provider }: Declaration) => provider === own.provider;
  refuse(others().find(isOfSame));
  if (!adopts) return undefined;
  return setImmediate().then(async () => {
    for (const each of others())
      if (isOfSame(each) || (await areSame(resource, key, [each, own]))) refuse(each);
  });
}

/** Whether the settings of several providers lead to one account, or where a key is global, one installation. */
async function areSame(resource: Resource, key: string, all: readonly Declaration[]): Promise<boolean> {
  const prints = all.map(async ({ provider }) => {
    const settings = settingsOf(provider === undefined ? {} : { provider });
    if (!(await isKnown(settings))) return provider;
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

/** A function of an output that is not known, in a preview or after a failure, is never called. */
function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return (output as object as { isKnown: Promise<boolean> }).isKnown;
}

/** The engine hides the stack of such an error, except if nobody waits for the promise. */
export function sentence(text: string): Error {
  const error = new pulumi.RunError(text);
  error.stack = text;
  return error;
}
