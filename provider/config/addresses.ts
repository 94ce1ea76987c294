/** An address for a message, without a user and password. */
export function withoutUserInfo(address: string): string {
  return address.replace(/\/\/.*@/, "//(secret)@");
}

/** Whether a host is this machine: a key may go there unencrypted, and no proxy is used. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/** Whether the environment names a proxy. */
export function hasProxy(env: NodeJS.ProcessEnv): boolean {
  return ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].some((name) => env[name] || env[name.toLowerCase()]);
}
