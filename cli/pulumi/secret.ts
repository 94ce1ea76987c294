/** How the engine marks a secret in an export; its plaintext is JSON, and only there with `--show-secrets`. */
const SIGNATURE = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"] as const;

/** Whether a value is stored as a secret. */
export function isSecret(value: unknown): value is { readonly plaintext?: string } {
  return typeof value === "object" && value !== null && Reflect.get(value, SIGNATURE[0]) === SIGNATURE[1];
}

/** A resource's properties with their secrets in plain text; one that is still encrypted is omitted. */
export function unwrapSecrets(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, unwrap(value)]));
}

function unwrap(value: unknown): unknown {
  if (!isSecret(value)) return value;
  return value.plaintext === undefined ? undefined : JSON.parse(value.plaintext);
}
