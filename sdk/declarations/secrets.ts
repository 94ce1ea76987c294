import * as pulumi from "@pulumi/pulumi";

/** Whether the stack's config has a key: of the project's own namespace, or written with another one. */
export function isConfigured(key: string): boolean {
  const [config, name] = configAndName(key);
  return config.getSecret(name) !== undefined;
}

/** The value of such a key, as a secret however it was set. */
export function secretOf(key: string): pulumi.Output<string> {
  const [config, name] = configAndName(key);
  return config.requireSecret(name);
}

function configAndName(key: string): [pulumi.Config, string] {
  const at = key.indexOf(":");
  return at < 0 ? [new pulumi.Config(), key] : [new pulumi.Config(key.slice(0, at)), key.slice(at + 1)];
}
