import * as pulumi from "@pulumi/pulumi";
import { EXPLICIT, type SettingName, secretSettings, settingNames } from "../provider/config";
import { suggest } from "../provider/suggest";

/** Settings of an explicit provider; each stands for the `tracking:*` setting of its name. */
export interface ProviderArgs {
  /** The API key for all three services, unless one of the next three is given. */
  apiKey?: pulumi.Input<string>;
  /** The key for websites. */
  analyticsApiKey?: pulumi.Input<string>;
  /** The key for pixels. */
  dataApiKey?: pulumi.Input<string>;
  /** The key for the marketplace. */
  marketApiKey?: pulumi.Input<string>;
  /** Base URL for websites: what stands before `/api/v1/websites`. */
  analyticsBaseUrl?: pulumi.Input<string>;
  /** Base URL for pixels: what stands before `/api/v1/pixels`. */
  dataBaseUrl?: pulumi.Input<string>;
  /** Base URL for the marketplace: what stands before `/api/account`. */
  marketBaseUrl?: pulumi.Input<string>;
  /** Where the parameters of the marketplace's POST go. Default `form`. */
  marketPostParameters?: pulumi.Input<"form" | "query" | "json">;
  /** Seconds for one attempt. Default 10. */
  requestTimeout?: pulumi.Input<number>;
  /** The longest wait, in seconds, that a `Retry-After` may ask for. Default 120. */
  maxRetryWait?: pulumi.Input<number>;
  /** A ceiling of one's own; without it the service's answers set the pace. */
  requestsPerMinute?: pulumi.Input<number>;
  /** Allows `http://` beyond this machine. Default `false`. */
  allowInsecureHttp?: pulumi.Input<boolean>;
}

/**
 * An explicit provider, for several accounts or installations in one program. It is given to resources,
 * components and look-ups as `{ provider }`, and asks neither the stack's config nor the environment.
 */
export class Provider extends pulumi.ProviderResource {
  /** @internal The `tracking:*` settings, for look-ups. */
  readonly trackingSettings: pulumi.Output<Record<string, string>>;
  /** @internal The same, where all of them are known at once. */
  readonly plainTrackingSettings: Readonly<Record<string, string>> | undefined;

  /**
   * Declares a provider.
   *
   * @param name the provider's name in the program
   * @param args its settings; one that a service needs and that is not there fails with that service's first use
   * @param opts ordinary resource options
   * @throws {pulumi.RunError} that names an argument which does not exist
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const strangers = Object.keys(args).filter((key) => !(settingNames as readonly string[]).includes(key));
    if (strangers.length > 0)
      throw new pulumi.RunError(
        strangers
          .map((each) => {
            const hint = suggest(each, settingNames) || `; it takes ${settingNames.join(", ")}`;
            return `Provider "${name}": unknown argument ${JSON.stringify(each)}${hint}`;
          })
          .join("\n"),
      );
    const settings = { ...properties(args), [`tracking:${EXPLICIT}`]: pulumi.output("true") };
    super("pulumi-nodejs", name, settings, opts);
    this.trackingSettings = pulumi.all(settings);
    this.plainTrackingSettings = opts?.dependsOn === undefined ? plainProperties(args) : undefined;
  }
}

/** The `tracking:*` settings that a look-up with these options goes by: an explicit provider's, or the stack's. */
export function settingsOf({
  provider,
  parent,
}: pulumi.InvokeOptions): pulumi.Output<Record<string, string>> {
  const explicit = provider ?? parent?.getProvider("pulumi-nodejs:dynamic/tracking:Lookup");
  if (explicit === undefined) return pulumi.output(stackSettings());
  // Not by class: the provider may be of another copy of this package.
  const settings: pulumi.Output<Record<string, string>> | undefined = Reflect.get(
    explicit,
    "trackingSettings",
  );
  if (settings === undefined)
    throw new pulumi.RunError("the provider given to a look-up must be a tracking.Provider");
  return settings;
}

/** The settings that are known at once: the stack's, or those of an explicit provider that waits for nothing. */
export function plainSettings(
  explicit: pulumi.ProviderResource | undefined,
): Readonly<Record<string, string>> | undefined {
  return explicit === undefined ? stackSettings() : Reflect.get(explicit, "plainTrackingSettings");
}

function stackSettings(): Record<string, string> {
  const config = new pulumi.Config("tracking");
  const set = settingNames.map((name) => [`tracking:${name}`, config.get(name)] as const);
  return Object.fromEntries(
    set.filter((entry): entry is [`tracking:${SettingName}`, string] => entry[1] !== undefined),
  );
}

function plainProperties(args: ProviderArgs): Readonly<Record<string, string>> | undefined {
  const given = settingNames.filter((key) => args[key] !== undefined);
  if (given.some((key) => typeof args[key] === "object")) return undefined;
  const plain = given.map((key) => [`tracking:${key}`, String(args[key])]);
  return { ...Object.fromEntries(plain), [`tracking:${EXPLICIT}`]: "true" };
}

function properties(args: ProviderArgs): Record<string, pulumi.Output<string>> {
  const given = settingNames.filter((key) => args[key] !== undefined);
  return Object.fromEntries(given.map((key) => [`tracking:${key}`, property(key, args[key])]));
}

function property(
  key: SettingName,
  value: pulumi.Input<string | number | boolean> | undefined,
): pulumi.Output<string> {
  const text = pulumi.output(value).apply((known) => String(known));
  return secretSettings.includes(key) ? pulumi.secret(text) : text;
}
