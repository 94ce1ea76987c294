import { hash } from "node:crypto";
import type { Service } from "../schema/resource";
import { isLoopback, parseBaseUrl, parseChoice, parseHeaders, parseNumber } from "./parse";
import { accountSettings, type Command, EXPLICIT, postParameters, type SettingsSource } from "./settings";
import { SettingsReader } from "./settings-reader";

/** All settings for one service. */
export interface Endpoint {
  readonly service: Service;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** Whether the key is this service's own, and not the one for all services. */
  readonly hasOwnKey: boolean;
  /** Identifies the account that the key opens there, without revealing the key. Two keys count as two accounts. */
  readonly account: string;
  /** Sent with every request, beside the key: what a front server demands. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the settings of the base URL and the key, for messages. */
  readonly labels: { readonly baseUrl: string; readonly key: string };
  /**
   * Returns fingerprints of the stack's settings that lead to accounts, by name, or `undefined` for an explicit provider, whose
   * settings come from one place.
   */
  shared(): Readonly<Record<string, string>> | undefined;
  /** What to do if the service rejects the key. */
  keyAdvice(): string;
  /** What to do if the service refuses requests that come too fast. */
  paceAdvice(): string;
  /** What to do if the key opens another account. */
  accountAdvice(): string;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  /** The longest wait until the service accepts requests again, in milliseconds. */
  readonly maxWait: number;
  readonly requestsPerMinute: number | undefined;
  /** Where the marketplace takes the parameters of a POST. */
  readonly postParameters: (typeof postParameters)[number];
  /** The environment variable that names a proxy for this address; `NO_PROXY` may still except it. */
  readonly proxy: string | undefined;
  /** Whether to print one line per request. */
  readonly debug: boolean;
}

const fingerprint = (text: string) => hash("sha256", text);

/**
 * Reads the settings of one service. Throws a `SettingError` that names all mistakes.
 *
 * @param command which command reads them; by default, one that gets today's settings
 */
export function endpoint(
  service: Service,
  source: SettingsSource,
  env: NodeJS.ProcessEnv = process.env,
  command: () => Command | undefined = () => undefined,
): Endpoint {
  const settings = new SettingsReader(source, env, command);
  const keyName = settings.text(`${service}ApiKey`) === undefined ? "apiKey" : (`${service}ApiKey` as const);
  const allowsHttp = () => settings.value("allowInsecureHttp", parseChoice(["false", "true"])) === "true";
  const read = settings.collect({
    key: () => settings.require(keyName, service, (text) => ({ value: text })),
    baseUrl: () => settings.require(`${service}BaseUrl`, service, parseBaseUrl(allowsHttp)),
    headers: () => settings.value("headers", parseHeaders) ?? {},
    timeout: () => (settings.value("requestTimeout", parseNumber) ?? 10) * 1000,
    maxWait: () => (settings.value("maxRetryWait", parseNumber) ?? 120) * 1000,
    requestsPerMinute: () => settings.value("requestsPerMinute", parseNumber),
    postParameters: () =>
      settings.value("marketPostParameters", parseChoice(postParameters)) ?? postParameters[0],
  });
  const { hostname, protocol } = new URL(read.baseUrl);
  return {
    ...read,
    service,
    hasOwnKey: keyName !== "apiKey",
    account: fingerprint(JSON.stringify([read.baseUrl, read.key])),
    labels: { baseUrl: settings.labelOf(`${service}BaseUrl`), key: settings.labelOf(keyName) },
    shared: () =>
      source.get(EXPLICIT) === undefined
        ? Object.fromEntries(accountSettings.map((name) => [name, fingerprint(settings.text(name) ?? "")]))
        : undefined,
    keyAdvice: () => settings.keyAdvice(keyName),
    paceAdvice: () => settings.paceAdvice(),
    accountAdvice: () => settings.accountAdvice(keyName, `${service}BaseUrl`),
    proxy: isLoopback(hostname)
      ? undefined
      : [`${protocol.slice(0, -1).toUpperCase()}_PROXY`, "ALL_PROXY"].find(
          (name) => env[name] || env[name.toLowerCase()],
        ),
    debug: env.TRACKING_LOG === "debug",
  };
}
