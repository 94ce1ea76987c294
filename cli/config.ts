/** The environment of a child process: this process's, with additional variables. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** Whether `pulumi plugin run` started this process: it gives its plugin an address of its own. */
export function isStartedByPulumi(): boolean {
  return process.env.PULUMI_RPC_TARGET !== undefined;
}
