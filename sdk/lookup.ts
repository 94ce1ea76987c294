import * as pulumi from "@pulumi/pulumi";
import type { Lookup } from "../provider/lookups/lookup";
import { whenKnown } from "./dependencies";
import type { Inputs } from "./lookup-arguments";
import { settingsOf } from "./provider";

/** Both forms of a look-up. */
export interface LookupForms<A, R> {
  /**
   * A promise of the answer. It rejects with one sentence, which the engine shows without a stack. The same
   * question asked again in one program is one request.
   */
  ask(args?: A, opts?: pulumi.InvokeOptions): Promise<R>;
  /**
   * Takes values of other resources and gives an Output. What is unknown in a preview stays unknown, what is
   * secret stays secret, and the resources behind the arguments and in `dependsOn` are waited for.
   */
  askOutput(args?: Inputs<A>, opts?: pulumi.InvokeOutputOptions): pulumi.Output<R>;
}

/** A look-up. `load` is called when it is first asked: a program without look-ups loads nothing. */
export function lookup<A extends object, R>(load: () => Promise<Lookup<R>>): LookupForms<A, R> {
  const ask = async (args: object = {}, opts: pulumi.InvokeOptions = {}): Promise<R> => {
    const [{ answer, known }, definition] = await Promise.all([import("./answer.js"), load()]);
    return answer(definition, args, await known(settingsOf(opts), definition.name));
  };
  const askOutput = (args: object = {}, opts: pulumi.InvokeOutputOptions = {}): pulumi.Output<R> => {
    const { dependsOn = [], ...invoke } = opts;
    // An answer is not secret because the key is that opens the service.
    const asked = pulumi.all([args, pulumi.unsecret(settingsOf(invoke))]);
    return whenKnown(asked, dependsOn, async ([values, settings], there) => {
      const [{ answer }, definition] = await Promise.all([import("./answer.js"), load()]);
      return answer(definition, values, settings, there);
    });
  };
  return { ask, askOutput };
}
