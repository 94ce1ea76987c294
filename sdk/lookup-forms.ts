import * as pulumi from "@pulumi/pulumi";
import type { Lookup } from "../provider/lookups/lookup";
import type { Resource } from "../provider/schema/resource";
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

/** Both forms of a look-up; `A` and `O` are their parameters, whose names an editor shows. */
export interface LookupForms<A extends [args?: object], O extends [args?: object], R> {
  /**
   * A promise of the answer. It rejects with one sentence, which the engine shows without a stack. A program that asks
   * the same question twice sends one request.
   */
  readonly invoke: (...args: [...A, opts?: pulumi.InvokeOptions]) => Promise<R>;
  /**
   * Takes values of other resources and returns an Output. Unknown values of a preview stay unknown, secrets stay
   * secret, and the call waits for the resources behind the arguments and in `dependsOn`.
   */
  readonly invokeOutput: (...args: [...O, opts?: pulumi.InvokeOutputOptions]) => pulumi.Output<R>;
}

/** A look-up, chosen among all. Its first call loads them: a program without look-ups loads nothing. */
export function lookup<A extends [args?: object], O extends [args?: object], R>(
  choose: (all: typeof import("../provider/lookups/index.js")) => Lookup<R>,
): LookupForms<A, O, R> {
  const load = async () => {
    const [answers, all] = await Promise.all([
      import("./answers.js"),
      import("../provider/lookups/index.js"),
    ]);
    return [answers, choose(all)] as const;
  };
  const invoke = async (args: object = {}, opts: pulumi.InvokeOptions = {}): Promise<R> => {
    const [answers, definition] = await load();
    return answers.invoke(definition, args, await answers.resolveKnown(settingsOf(opts), definition.name));
  };
  const invokeOutput = (args: object = {}, opts: pulumi.InvokeOutputOptions = {}): pulumi.Output<R> => {
    const { dependsOn = [], ...options } = opts;
    // The answer does not become a secret because the API key is one.
    const question = pulumi.all([args, pulumi.unsecret(settingsOf(options))]);
    return whenResolved(question, dependsOn, async ([values, settings], resourceIds) => {
      const [answers, definition] = await load();
      return answers.invoke(definition, values, settings, resourceIds);
    });
  };
  return { invoke, invokeOutput };
}

/** The look-ups of a resource: one record, and all that match. */
export function recordLookups<One extends object, Many extends object, R>(resource: Resource) {
  return {
    one: lookup<[args: One], [args: Inputs<One>], R>(({ getOne }) => getOne(resource)),
    many: lookup<[args?: Many], [args?: Inputs<Many>], R[]>(({ getMany }) => getMany(resource)),
  };
}
