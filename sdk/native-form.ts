import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { findsPlugin } from "../provider/config/plugins";
import { PLUGIN_PACKAGE, pluginToken } from "../provider/hosts/native/tokens";
import { dynamicForm, type Form } from "./form";

/** Set by the build. */
declare const TRACKING_VERSION: string;
/** Where the engine can download the plugin; empty if nowhere. */
declare const TRACKING_DOWNLOAD_ADDRESS: string;

/** Over the plugin `pulumi-resource-tracking`. */
export const nativeForm: Form = {
  packageName: PLUGIN_PACKAGE,
  tokenOf: ({ type }) => pluginToken(type),
  otherTokenOf: dynamicForm.tokenOf,
  // The class protects by the engine's own option; the plugin's guard is for languages without our classes.
  properties: ({ deletesWith }): Record<string, unknown> =>
    deletesWith === undefined ? {} : { deletionProtection: false },
  options: (opts) => ({
    version: opts?.version ?? TRACKING_VERSION,
    ...(TRACKING_DOWNLOAD_ADDRESS !== "" && {
      pluginDownloadURL: opts?.pluginDownloadURL ?? TRACKING_DOWNLOAD_ADDRESS,
    }),
  }),
  checkOptions: (_resource, _name, { pluginDownloadURL = TRACKING_DOWNLOAD_ADDRESS, provider, parent }) => {
    const isEnginesChoice = pluginDownloadURL === "" && provider === undefined && parent === undefined;
    if (isEnginesChoice && pulumi.runtime.hasEngine()) requirePlugin();
  },
  providerProperties: (settings) =>
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [key.replace("tracking:", ""), value])),
};

let isPlaced = false;

/** The engine would try in vain to download a plugin that is nowhere. A program of an unknown project may have one. */
function requirePlugin(): void {
  isPlaced ||= mayBeNamed(process.cwd()) || findsPlugin();
  if (!isPlaced)
    throw new pulumi.RunError(
      'pulumi-tracking/native needs the provider plugin, and Pulumi does not find it: add "plugins: { providers: [{ name: tracking, path: node_modules/.bin }] }" to Pulumi.yaml',
    );
}

/** Whether the file of the project around a folder may name the plugin, in a list and not as its own name. */
function mayBeNamed(folder: string): boolean {
  const files = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(folder, name));
  const file = files.find((each) => existsSync(each));
  if (file !== undefined)
    return /^([ \t{-]|plugins:|packages:).*\btracking\b/m.test(readFileSync(file, "utf8"));
  return dirname(folder) === folder || mayBeNamed(dirname(folder));
}
