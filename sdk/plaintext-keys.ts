import * as pulumi from "@pulumi/pulumi";
import { secretSettings } from "../provider/config";

let warned = false;

/** Warns, once, of API keys that stand in the stack's config in clear: the engine would store them so. */
export function warnAboutPlaintextKeys(): void {
  if (warned) return;
  warned = true;
  // Not declared, but there since secret config exists; without it there is no telling, and no warning.
  const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
  const config = new pulumi.Config("tracking");
  for (const name of secretSettings)
    if (config.get(name) !== undefined && isConfigSecret?.(`tracking:${name}`) === false)
      void pulumi.log.warn(
        `tracking:${name} is not a secret in the stack's config, and is stored in clear; run "pulumi config set --secret tracking:${name}"`,
      );
}
