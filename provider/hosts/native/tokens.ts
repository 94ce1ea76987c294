import { EXPLICIT } from "../../config";
import type { Values } from "../../schema/resource";

/** The plugin's package; it can never change. */
export const PLUGIN_PACKAGE = "tracking";

/** The argument that protects a record with everything that is deleted with it. The service does not know it. */
export const PROTECTION = "deletionProtection";

/** The token of a resource, type or function of the plugin. */
export function pluginToken(name: string): string {
  return `${PLUGIN_PACKAGE}:index:${name}`;
}

/**
 * Whether the engine creates this provider from stack config, such as `default_0_1_0`. Only its name says so, and a program may
 * give its own provider such a name (pulumi/pulumi#11849): our classes and the SDKs of other languages mark that by a setting.
 * Without the mark, it would take the settings that it lacks from the environment, such as another account's key.
 */
export function isDefaultProvider(name: string, settings: Values): boolean {
  return settings[EXPLICIT] === undefined && /^(default(_\d+_\d+_\d+.*)?)?$/.test(name);
}

/**
 * Returns the version for which the engine made this provider, which the program's package gives, or undefined. A folder of
 * `Pulumi.yaml` may have another: the engine starts the plugin there, whatever its version.
 */
export function versionIn(name: string): string | undefined {
  return /^default_(\d+_\d+_\d+)/.exec(name)?.[1]?.replaceAll("_", ".");
}
