import { PLUGIN_PACKAGE, pluginToken } from "../provider/hosts/native/tokens";
import { dynamicForm, type Form } from "./form";

/** Set by the build. */
declare const TRACKING_VERSION: string;
/** Where the engine can download the plugin; empty if nowhere. */
declare const TRACKING_DOWNLOAD_ADDRESS: string;

/** The form of the entry `pulumi-tracking/native`: over the plugin `pulumi-resource-tracking`. */
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
  providerProperties: (settings) =>
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [key.replace("tracking:", ""), value])),
};
