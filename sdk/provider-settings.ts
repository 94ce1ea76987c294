import * as pulumi from "@pulumi/pulumi";
import { EXPLICIT, secretSettings, settingNames, type settings } from "../provider/config";

/** Settings of an explicit provider, each like the `tracking:*` setting of its name. */
export interface ProviderArgs extends InputsOf<typeof settings> {}
type InputsOf<S> = { [K in keyof S]?: InputOf<ValueOf<S[K]>> };
/** An output may be in an object, such as a secret among headers. */
type InputOf<V> = pulumi.Input<[V] extends [object] ? { [N in keyof V]: pulumi.Input<V[N]> } : V>;
type ValueOf<S> = S extends readonly (infer W)[] ? W : S extends () => infer V ? V : never;

/** A setting as stack config has it: an object as JSON. */
const textOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

/** The settings of an explicit provider by their full names, such as `tracking:apiKey`. Leaves out what is no setting. */
export function providerSettings(name: string, args: ProviderArgs) {
  const entries = settingNames
    .filter((key) => args[key] !== undefined)
    .map((key) => {
      const text = pulumi.output(args[key]).apply(textOf);
      return [`tracking:${key}`, secretSettings.includes(key) ? pulumi.secret(text) : text] as const;
    });
  const mark = [`tracking:${EXPLICIT}`, pulumi.output(name)] as const;
  return Object.fromEntries<pulumi.Output<string>>([...entries, mark]);
}
