import * as pulumi from "@pulumi/pulumi";
import { settingNames } from "../provider/config";
import { PLUGIN_PACKAGE, pluginToken } from "../provider/hosts/native/tokens";
import { dynamicForm, type Form } from "./form";
import { typeOf } from "./internals";
import { type ProviderArgs, providerSettings } from "./provider-settings";

export type { ProviderArgs } from "./provider-settings";

/** The packages of a program's resources, in either form. */
const packageNames = [dynamicForm.packageName, PLUGIN_PACKAGE];

/**
 * An explicit provider, for several accounts or installations in one program. Give it to resources, components and
 * look-ups as `{ provider }`. It ignores the stack's config and the environment.
 * @example
 * // The key of another account, which `pulumi config set --secret agencyKey` has stored.
 * const apiKey = new pulumi.Config().requireSecret("agencyKey");
 * const provider = new tracking.Provider("agency", { apiKey, analyticsBaseUrl: "https://stats.example.com" });
 * new tracking.Website("customer", { domain: "customer.example.com" }, { provider });
 */
export class Provider extends pulumi.ProviderResource {
  /** @internal */
  static readonly form: Form = dynamicForm;
  /** @internal The `tracking:*` settings, for look-ups. */
  readonly trackingSettings: pulumi.Output<Record<string, string>>;

  /** @param args its settings; a missing one fails at the first use of the service that needs it */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const { form } = new.target;
    const settings = providerSettings(name, args);
    const properties = form.providerProperties(settings);
    super(form.packageName, name, properties, { ...opts, ...form.options(opts) });
    this.trackingSettings = pulumi.all(settings);
    // Not enumerable, or a program that exports the provider would store its settings in the stack's outputs.
    for (const name of [...Object.keys(properties), "trackingSettings"])
      Object.defineProperty(this, name, { enumerable: false });
  }

  /** Whether a value is such a provider, in either form, or the default one. Policies ask with nothing but a type. */
  static override isInstance(value: unknown): value is Provider {
    return packageNames.some((name) => typeOf(value) === `pulumi:providers:${name}`);
  }
}

/** A stack may refuse default providers, for these packages or all, so that nothing is done with its own settings. */
function requireDefaultProvider(): void {
  const key = "disable-default-providers";
  const disabled = new pulumi.Config("pulumi").get(key) ?? "";
  if (["*", ...packageNames].some((name) => disabled.includes(JSON.stringify(name))))
    throw new pulumi.RunError(
      `a look-up needs an explicit provider, since the stack's config disables default ones (pulumi:${key}); give it the option provider: a tracking.Provider`,
    );
}

/** The stack's own settings, by their full names. */
function stackSettings(): Record<string, string | undefined> {
  const config = new pulumi.Config("tracking");
  return Object.fromEntries(settingNames.map((name) => [`tracking:${name}`, config.get(name)]));
}

/** The `tracking:*` settings for a look-up with these options: an explicit provider's, or the stack's. */
export function settingsOf({
  provider,
  parent,
}: pulumi.InvokeOptions): pulumi.Output<Record<string, string | undefined>> {
  // A parent may have one of either form.
  const explicit =
    provider ??
    parent?.getProvider(`${dynamicForm.packageName}:index:Lookup`) ??
    parent?.getProvider(pluginToken("Lookup"));
  if (explicit === undefined) {
    requireDefaultProvider();
    return pulumi.output(stackSettings());
  }
  // Not by class, since the provider may come from another copy of this package.
  const settings: pulumi.Output<Record<string, string>> | undefined = Reflect.get(
    explicit,
    "trackingSettings",
  );
  if (settings === undefined)
    throw new pulumi.RunError("the provider given to a look-up must be a tracking.Provider");
  return settings;
}
