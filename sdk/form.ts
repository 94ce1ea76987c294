import * as pulumi from "@pulumi/pulumi";
import { codeOf, PROVIDER, tokenOf } from "../provider/hosts/dynamic/identity";
import { PROVIDER_NAME } from "../provider/hosts/marshal";
import { pluginToken } from "../provider/hosts/native/identity";
import type { Resource } from "../provider/schema/resource";

/** How a program's resources reach the provider: as a dynamic provider of this package, or as a plugin. */
export interface Form {
  /** The package of explicit providers. */
  readonly packageName: string;
  tokenOf(resource: Resource): string;
  /** A resource's type in the other form, from which a stack may move without a change. */
  otherTokenOf(resource: Resource): string;
  /** What the provider gets in addition to the arguments. */
  properties(resource: Resource, opts: pulumi.CustomResourceOptions): Record<string, unknown>;
  /** Options that this form adds to those of every resource and provider. */
  options(opts?: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions;
  /** Refuses options that this form can't support, or warns. */
  checkOptions(resource: Resource, name: string, opts: pulumi.CustomResourceOptions): void;
  /** The properties of an explicit provider, made of its `tracking:*` settings. */
  providerProperties(settings: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** The form of this package's main entry. */
export const dynamicForm: Form = {
  packageName: "pulumi-nodejs",
  tokenOf,
  otherTokenOf: ({ type }) => pluginToken(type),
  properties: (resource, { provider, parent }) => {
    const explicit = provider ?? parent?.getProvider(tokenOf(resource));
    // Not by class, since the provider may come from another copy of this package.
    const name: unknown = explicit && Reflect.get(explicit, "trackingName");
    return { [PROVIDER]: codeOf(resource), ...(name !== undefined && { [PROVIDER_NAME]: name }) };
  },
  options: () => ({}),
  providerProperties: (settings) => ({ ...settings }),
  checkOptions: ({ type }, name, opts) => {
    if (opts.import !== undefined)
      throw new pulumi.RunError(
        `${type} "${name}": the resource option "import" is not supported by dynamic providers; remove it, and run "npx pulumi-tracking import --declared --apply" instead`,
      );
    for (const option of ["replaceOnChanges", "customTimeouts"] as const)
      if (opts[option] !== undefined)
        void pulumi.log.warn(
          `${type} "${name}": the resource option "${option}" has no effect: the engine does not pass it to dynamic providers`,
        );
  },
};
