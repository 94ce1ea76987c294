const PREFIX = "tracking:index:";

/** The token of a resource, a type or a function of the plugin, of this name; it can never change. */
export function pluginToken(name: string): string {
  return PREFIX + name;
}

/** The name that a token of the plugin is of. */
export function nameOfToken(token: string): string {
  return token.startsWith(PREFIX) ? token.slice(PREFIX.length) : token;
}
