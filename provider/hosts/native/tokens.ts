/** The token of a resource, type or function of the plugin; it can never change. */
export function pluginToken(name: string): string {
  return `tracking:index:${name}`;
}

/** Whether this is the name of a default provider, which the engine creates from stack config: `default_0_1_0`. */
export function isDefaultProvider(name: string): boolean {
  return /^default(_\d+_\d+_\d+.*)?$/.test(name);
}
