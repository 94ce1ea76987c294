import * as pulumi from "@pulumi/pulumi";
import type { Lookup } from "../provider/lookups/lookup";
import type { Resource } from "../provider/schema/resource";
import { whenResolved } from "./dependencies";
import type { Inputs } from "./lookup-arguments";
import { settingsOf } from "./provider";

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

/** A look-up. The first call calls `load`: a program without look-ups loads nothing. */
export function lookup<A extends [args?: object], O extends [args?: object], R>(
  load: () => Promise<Lookup<R>>,
): LookupForms<A, O, R> {
  const invoke = async (args: object = {}, opts: pulumi.InvokeOptions = {}): Promise<R> => {
    const [answers, definition] = await Promise.all([import("./answers.js"), load()]);
    return answers.invoke(definition, args, await answers.resolveKnown(settingsOf(opts), definition.name));
  };
  const invokeOutput = (args: object = {}, opts: pulumi.InvokeOutputOptions = {}): pulumi.Output<R> => {
    const { dependsOn = [], ...options } = opts;
    // The answer does not become a secret because the API key is one.
    const question = pulumi.all([args, pulumi.unsecret(settingsOf(options))]);
    return whenResolved(question, dependsOn, async ([values, settings], resourceIds) => {
      const [answers, definition] = await Promise.all([import("./answers.js"), load()]);
      return answers.invoke(definition, values, settings, resourceIds);
    });
  };
  return { invoke, invokeOutput };
}

/** The look-ups of a resource: one record, and all that match. */
export function recordLookups<One extends object, Many extends object, R>(resource: Resource) {
  const definitions = () => import("../provider/lookups/index.js");
  return {
    one: lookup<[args: One], [args: Inputs<One>], R>(async () => (await definitions()).getOne(resource)),
    many: lookup<[args?: Many], [args?: Inputs<Many>], R[]>(async () =>
      (await definitions()).getMany(resource),
    ),
  };
}
