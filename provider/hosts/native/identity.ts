const PREFIX = "tracking:index:";

/** The token of a resource, a type or a function of the plugin, of this name; it can never change. */
export function pluginToken(name: string): string {
  return PREFIX + name;
}

/** Whether a provider of this name is the engine's own, which it makes from stack config: `default_0_1_0`. */
export function isDefaultProvider(name: string): boolean {
  return /^default(_\d+_\d+_\d+.*)?$/.test(name);
}

/** The name that a token of the plugin is of. */
export function nameOfToken(token: string): string {
  return token.startsWith(PREFIX) ? token.slice(PREFIX.length) : token;
}
