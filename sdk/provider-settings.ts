import * as pulumi from "@pulumi/pulumi";
import { EXPLICIT, secretSettings, settingNames, type settings } from "../provider/config";

/** Settings of an explicit provider, each like the `tracking:*` setting of its name. */
export interface ProviderArgs extends InputsOf<typeof settings> {}
type InputsOf<S> = { [K in keyof S]?: pulumi.Input<ValueOf<S[K]>> };
type ValueOf<S> = S extends readonly (infer W)[] ? W : S extends () => infer V ? V : never;

/** The settings of an explicit provider by their full names, such as `tracking:apiKey`. Leaves out what is no setting. */
export function providerSettings(name: string, args: ProviderArgs) {
  const entries = settingNames
    .filter((key) => args[key] !== undefined)
    .map((key) => {
      const text = pulumi.interpolate`${args[key]}`;
      return [`tracking:${key}`, secretSettings.includes(key) ? pulumi.secret(text) : text] as const;
    });
  const mark = [`tracking:${EXPLICIT}`, pulumi.output(name)] as const;
  return Object.fromEntries<pulumi.Output<string>>([...entries, mark]);
}
