import type { Service } from "../schema/resource";
import { hasProxy, isLoopback } from "./addresses";
import { type PostParameters, postParameters } from "./parse";
import type { SettingsSource } from "./settings";
import { SettingsReader } from "./settings-reader";

/** All settings for one service. */
export interface Endpoint {
  readonly service: Service;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** The names of the settings of the base URL and the key, for messages. */
  readonly labels: { readonly baseUrl: string; readonly key: string };
  /** What to do if the service rejects the key. */
  keyRemedy(): string;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  /** The longest wait that a `Retry-After` may ask for, in milliseconds. */
  readonly maxWait: number;
  readonly requestsPerMinute: number | undefined;
  /** Where the marketplace takes the parameters of a POST. */
  readonly postParameters: PostParameters;
  readonly proxied: boolean;
  /** Whether to print one line per request. */
  readonly debug: boolean;
}

/** Reads the settings of one service. Throws a `SettingError` that names all mistakes. */
export function endpoint(
  service: Service,
  source: SettingsSource,
  env: NodeJS.ProcessEnv = process.env,
): Endpoint {
  const settings = new SettingsReader(source, env);
  const keyName = settings.text(`${service}ApiKey`) === undefined ? "apiKey" : (`${service}ApiKey` as const);
  const read = settings.collect({
    key: () => settings.require(keyName, service),
    baseUrl: () => settings.require(`${service}BaseUrl` as const, service),
    timeout: () => (settings.value("requestTimeout") ?? 10) * 1000,
    maxWait: () => (settings.value("maxRetryWait") ?? 120) * 1000,
    requestsPerMinute: () => settings.value("requestsPerMinute"),
    postParameters: () => settings.value("marketPostParameters") ?? postParameters[0],
  });
  return {
    ...read,
    service,
    labels: { baseUrl: settings.labelOf(`${service}BaseUrl`), key: settings.labelOf(keyName) },
    keyRemedy: () => settings.keyRemedy(keyName),
    proxied: !isLoopback(new URL(read.baseUrl).hostname) && hasProxy(env),
    debug: env.TRACKING_LOG === "debug",
  };
}
