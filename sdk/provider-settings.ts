import * as pulumi from "@pulumi/pulumi";
import { EXPLICIT, secretSettings, settingNames } from "../provider/config";
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
  const given = settingNames
    .filter((key) => args[key] !== undefined)
    .map((key) => {
      const text = pulumi.interpolate`${args[key]}`;
      return [`tracking:${key}`, secretSettings.includes(key) ? pulumi.secret(text) : text] as const;
    });
  const explicit = [`tracking:${EXPLICIT}`, pulumi.output("true")] as const;
  return Object.fromEntries<pulumi.Output<string>>([...given, explicit]);
}
