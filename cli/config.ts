/** The environment of a child process: this process's own, and what is given besides. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}
