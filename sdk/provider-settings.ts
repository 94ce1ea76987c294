import * as pulumi from "@pulumi/pulumi";
import { EXPLICIT, type SettingName, secretSettings, settingNames } from "../provider/config";
import { suggest } from "../provider/schema/suggest";

/** Settings of an explicit provider, each like the `tracking:*` setting of its name. */
export interface ProviderArgs {
  /** The API key for every service that has no key of its own. */
  apiKey?: pulumi.Input<string>;
  /** The key for websites. */
  analyticsApiKey?: pulumi.Input<string>;
  /** The key for pixels. */
  dataApiKey?: pulumi.Input<string>;
  /** The key for the marketplace. */
  marketApiKey?: pulumi.Input<string>;
  /** Base URL for websites: the part before `/api/v1/websites`. */
  analyticsBaseUrl?: pulumi.Input<string>;
  /** Base URL for pixels: the part before `/api/v1/pixels`. */
  dataBaseUrl?: pulumi.Input<string>;
  /** Base URL for the marketplace: the part before `/api/account`. */
  marketBaseUrl?: pulumi.Input<string>;
  /** Where the parameters of the marketplace's POST go. Default `form`. */
  marketPostParameters?: pulumi.Input<"form" | "query" | "json">;
  /** Seconds for one attempt. Default 10. */
  requestTimeout?: pulumi.Input<number>;
  /** The longest wait, in seconds, that a `Retry-After` may ask for. Default 120. */
  maxRetryWait?: pulumi.Input<number>;
  /** Your own limit. If omitted, the service's answers set the pace. */
  requestsPerMinute?: pulumi.Input<number>;
  /** Allows `http://` to other machines. Default `false`. */
  allowInsecureHttp?: pulumi.Input<boolean>;
}

/**
 * The settings of an explicit provider by their full names.
 *
 * @throws {pulumi.RunError} that names an argument which does not exist
 */
export function providerSettings(name: string, args: ProviderArgs) {
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
  return { ...properties(args), [`tracking:${EXPLICIT}`]: pulumi.output("true") };
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
