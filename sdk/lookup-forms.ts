import * as pulumi from "@pulumi/pulumi";
import type { Lookup } from "../provider/lookups/lookup";
import { whenResolved } from "./dependencies";
import { settingsOf } from "./provider";

/** Arguments as Inputs. */
export type Inputs<A> = { [K in keyof A]: pulumi.Input<Exclude<A[K], undefined>> };

/** Which records to list, and in which order. */
export interface ListArgs<K extends string> {
  /** Text that is part of the searched field, in any case. */
  search?: string;
  /** Which field is searched. */
  searchBy?: K;
  /** In the order of creation (`id`, the default), or by this field. */
  sortBy?: "id" | K;
  /** Last ones first (`desc`, the default), or last. */
  sort?: "desc" | "asc";
  /** Records per request: 10, 25, 50 or 100. All pages are read in any case. Default 100. */
  perPage?: 10 | 25 | 50 | 100;
}
/** The same as Inputs. */
export type ListOutputArgs<K extends string> = Inputs<ListArgs<K>>;

/** Chooses a look-up among all. They are loaded by its first call: a program without look-ups loads nothing. */
type Choose<R> = (lookups: typeof import("../provider/lookups/index.js")) => Lookup<R>;

async function load<R>(choose: Choose<R>) {
  const modules = [import("./answers.js"), import("../provider/lookups/index.js")] as const;
  const [answers, lookups] = await Promise.all(modules);
  return [answers, choose(lookups)] as const;
}

/**
 * A look-up with the parameters `A`, whose names an editor shows. It rejects with a message for people, which the engine
 * shows without a stack.
 */
export function asPromise<A extends [args?: object], R>(
  choose: Choose<R>,
): (...args: [...A, opts?: pulumi.InvokeOptions]) => Promise<R> {
  return async (args: object = {}, opts: pulumi.InvokeOptions = {}) => {
    const [answers, definition] = await load(choose);
    return answers.invoke(definition, args, await answers.resolveKnown(settingsOf(opts), definition.name));
  };
}

/**
 * The same for values of other resources. Unknown values of a preview stay unknown, secrets stay secret, and the call waits
 * for the resources behind the arguments and in `dependsOn`.
 */
export function asOutput<A extends [args?: object], R>(
  choose: Choose<R>,
): (...args: [...A, opts?: pulumi.InvokeOutputOptions]) => pulumi.Output<R> {
  return (args: object = {}, opts: pulumi.InvokeOutputOptions = {}) => {
    const { dependsOn = [], ...options } = opts;
    // The answer does not become a secret because the API key is one.
    const question = pulumi.all([args, pulumi.unsecret(settingsOf(options))]);
    return whenResolved(question, dependsOn, async ([values, settings]) => {
      const [answers, definition] = await load(choose);
      return answers.invoke(definition, values, settings);
    });
  };
}
