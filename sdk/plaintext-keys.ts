import * as pulumi from "@pulumi/pulumi";
import { secretSettings } from "../provider/config";
import { isConfigSecret } from "./internals";

let warned = false;

/** Warns once about API keys in plain text in the stack's config, since the engine stores them so. */
export function warnAboutPlaintextKeys(): void {
  if (warned) return;
  warned = true;
  const config = new pulumi.Config("tracking");
  for (const name of secretSettings)
    if (config.get(name) !== undefined && isConfigSecret(`tracking:${name}`) === false)
      void pulumi.log.warn(
        `tracking:${name} is stored in plain text in the stack's config; run "pulumi config set --secret tracking:${name}"`,
      );
}
