import * as pulumi from "@pulumi/pulumi";
import { secretSettings } from "../provider/config";

let warned = false;

/** Warns once about API keys in plain text in the stack's config, since the engine stores them so. */
export function warnAboutPlaintextKeys(): void {
  if (warned) return;
  warned = true;
  // Not declared, but present since secret config exists. Without it, secrets are unknown, so nothing is warned about.
  const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
  const config = new pulumi.Config("tracking");
  for (const name of secretSettings)
    if (config.get(name) !== undefined && isConfigSecret?.(`tracking:${name}`) === false)
      void pulumi.log.warn(
        `tracking:${name} is stored in plain text in the stack's config; run "pulumi config set --secret tracking:${name}"`,
      );
}
