import type { Service } from "../schema/resource";

/** Where settings come from: the stack's config, or an explicit provider's arguments. */
export interface Source {
  /** The text of a `tracking:*` setting, secrets opened. */
  get(key: string): string | undefined;
  /** Which command reads them; by default one that is given the settings of today. */
  readonly command?: Command | undefined;
  /** The explicit provider's name in the program, if it is known. */
  readonly provider?: string | undefined;
}

/**
 * The engine's command, as far as its calls show it. `refresh` and `destroy` are given the settings that the last `up`
 * stored; only the environment is always of today.
 */
export type Command = "up" | "refresh" | "destroy";

/** What an explicit provider says of itself among its settings, so that it never asks the environment. */
export const EXPLICIT = "explicit";

/** Every setting, by its name in config; the environment's name follows from it. */
export const settingNames = [
  "apiKey",
  "analyticsApiKey",
  "dataApiKey",
  "marketApiKey",
  "analyticsBaseUrl",
  "dataBaseUrl",
  "marketBaseUrl",
  "marketPostParameters",
  "requestTimeout",
  "maxRetryWait",
  "requestsPerMinute",
  "allowInsecureHttp",
] as const;
export type SettingName = (typeof settingNames)[number];

/** The settings that are secret. */
export const secretSettings: readonly SettingName[] = [
  "apiKey",
  "analyticsApiKey",
  "dataApiKey",
  "marketApiKey",
];

/** The environment's name of a setting: `TRACKING_` and its words. */
export function environmentName(name: string): string {
  return `TRACKING_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Where a setting is set: the stack's config, the environment, or an explicit provider's arguments. */
export type Origin = "config" | "environment" | "provider";

/** What a setting is called where it is set. */
export function labelOf(name: SettingName, origin: Origin, provider?: string): string {
  if (origin === "provider") return `${name} of ${describeProvider(provider)}`;
  return origin === "config" ? `tracking:${name}` : environmentName(name);
}

/** An explicit provider for a message. */
export function describeProvider(name: string | undefined): string {
  return name === undefined ? "the explicit tracking.Provider" : `the tracking.Provider "${name}"`;
}

/** What is wrong with one setting. */
export interface SettingProblem {
  readonly setting: SettingName;
  /** What the setting is called where it is set, or where it is to be set. */
  readonly label: string;
  /** What is wrong, how to set it, and where it was looked for. */
  readonly text: string;
}

/** Settings are missing or wrong; the message says all of it. */
export class SettingError extends Error {
  override readonly name = "SettingError";

  constructor(readonly problems: readonly SettingProblem[]) {
    super(problems.map(({ text }) => text).join("; and "));
  }
}

/** What a service is for, as people know it. */
const PURPOSES: Readonly<Record<Service, string>> = {
  analytics: "websites",
  data: "pixels",
  market: "the marketplace",
};

/** What a setting of a service is, for the message that it is missing. */
export function describeSetting(name: SettingName, service: Service): string {
  return `${name.endsWith("BaseUrl") ? "the base URL" : "the API key"} for ${PURPOSES[service]}`;
}
