import * as pulumi from "@pulumi/pulumi";
import { codeOf, PROVIDER, tokenOf } from "../provider/hosts/dynamic/code";
import { RESOURCE_HINTS } from "../provider/hosts/marshal";
import { pluginToken } from "../provider/hosts/native/tokens";
import type { Resource } from "../provider/schema/resource";
import { parentOf, typeOf } from "./internals";

/** How a program's resources reach the provider: as a dynamic provider of this package, or as a plugin. */
export interface Form {
  /** The package of explicit providers. */
  readonly packageName: string;
  tokenOf(resource: Resource): string;
  /** A resource's type in the other form, from which a stack may move without a change. */
  otherTokenOf(resource: Resource): string;
  /** What the provider gets in addition to the arguments. Refuses options that this form can't support, or warns. */
  properties(
    resource: Resource,
    name: string,
    opts: pulumi.CustomResourceOptions,
    args?: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** Options that this form adds to those of every resource and provider. */
  options(opts?: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions;
  /** The properties of an explicit provider, made of its `tracking:*` settings. */
  providerProperties(settings: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** A resource's URN, as the engine forms it of its name and the types of its parents. */
export function urnOf(type: string, name: string, parent: pulumi.Resource | undefined): string {
  const types = [type];
  for (let above = parent; above !== undefined; above = parentOf(above))
    if (typeOf(above) !== pulumi.runtime.rootPulumiStackTypeName) types.unshift(String(typeOf(above)));
  return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${types.join("$")}::${name}`;
}

/** Refuses or warns of what the engine keeps from dynamic providers: `import` ends their process (pulumi/pulumi#16175). */
function checkOptions({ type }: Resource, name: string, opts: pulumi.CustomResourceOptions): void {
  if (opts.import !== undefined)
    throw new pulumi.RunError(
      `${type} "${name}": the resource option "import" is not supported by dynamic providers; remove it, and run "npx pulumi-tracking import --declared --apply" instead`,
    );
  for (const option of ["replaceOnChanges", "customTimeouts"] as const)
    if (opts[option] !== undefined)
      void pulumi.log.warn(
        `${type} "${name}": the resource option "${option}" has no effect: the engine does not pass it to dynamic providers`,
      );
}

/**
 * Returns the names of the arguments that the program marks as secret, of which the engine tells no dynamic provider, or
 * `undefined` if none can be one: only an output can, and a promise here would cost each resource some.
 */
function secretsAmong({ inputs }: Resource, args: Readonly<Record<string, unknown>>) {
  const isOutput = (name: string) => [args[name]].flat().some(pulumi.Output.isInstance);
  const outputs = Object.keys(inputs).filter((name) => !inputs[name]?.secret && isOutput(name));
  if (outputs.length === 0) return undefined;
  const secrets = outputs.map(async (name) =>
    (await pulumi.isSecret(pulumi.output(args[name]))) ? [name] : [],
  );
  return Promise.all(secrets).then((names) => names.flat());
}

/** The form of this package's main entry. */
export const dynamicForm: Form = {
  packageName: "pulumi-nodejs",
  tokenOf,
  otherTokenOf: ({ type }) => pluginToken(type),
  properties: (resource, name, opts, args = {}) => {
    checkOptions(resource, name, opts);
    const urn = urnOf(tokenOf(resource), name, opts.parent);
    const secrets = secretsAmong(resource, args);
    return {
      [PROVIDER]: codeOf(resource),
      [RESOURCE_HINTS]:
        secrets?.then((names) => JSON.stringify({ urn, secrets: names })) ?? JSON.stringify({ urn }),
    };
  },
  options: () => ({}),
  providerProperties: (settings) => ({ ...settings }),
};
