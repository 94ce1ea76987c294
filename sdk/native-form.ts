import { pluginToken } from "../provider/hosts/native/identity";
import { alsoKnownAs, dynamicForm, type Form } from "./form";

/** Set by the build. */
declare const TRACKING_VERSION: string;
/** Where the engine can download the plugin; empty if nowhere. */
declare const TRACKING_DOWNLOAD_ADDRESS: string;

/** Over the plugin `pulumi-resource-tracking`. */
export const nativeForm: Form = {
  packageName: "tracking",
  tokenOf: ({ type }) => pluginToken(type),
  // The class protects by the engine's own option; the plugin's guard is for languages without our classes.
  properties: ({ deletesWith }): Record<string, unknown> =>
    deletesWith === undefined ? {} : { deletionProtection: false },
  options: (resource, opts) => ({
    version: opts?.version ?? TRACKING_VERSION,
    ...(TRACKING_DOWNLOAD_ADDRESS !== "" && {
      pluginDownloadURL: opts?.pluginDownloadURL ?? TRACKING_DOWNLOAD_ADDRESS,
    }),
    ...(resource !== undefined && alsoKnownAs(dynamicForm.tokenOf(resource), opts)),
  }),
  checkOptions: () => {},
  providerProperties: (settings) =>
    Object.fromEntries(Object.entries(settings).map(([key, value]) => [key.replace("tracking:", ""), value])),
};
