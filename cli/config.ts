/** The environment of a child process: this process's own, and additional variables. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}
