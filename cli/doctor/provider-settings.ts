import {
  EXPLICIT,
  rawSetting,
  type SettingName,
  type Source,
  secretSettings,
  settingNames,
} from "../../provider/config/endpoint";
import type { Config } from "../pulumi/json-output";

/** One place that settings come from: a stack's config, an explicit provider in a stack's state, or the environment alone. */
export interface ProviderSettings {
  /** The stack; absent where the environment alone is read. */
  readonly stack?: string;
  /** The explicit provider's URN, and its name in the program. */
  readonly provider?: { readonly urn: string; readonly name: string };
  readonly source: Source;
  /** Settings that stand in config as plain text; all others there are secret. */
  readonly plaintext: readonly string[];
  /** Names under `tracking:` in config that are no setting. */
  readonly unknown: readonly string[];
  /** The environment; that of this process unless a test says otherwise. */
  readonly env: NodeJS.ProcessEnv | undefined;
}

/** One setting as it counts: its text, and which of the places it comes from. */
export interface EffectiveSetting {
  readonly text: string;
  readonly from: "config" | "environment";
  /** The environment has another text, which does not count. */
  readonly shadowed: boolean;
}

/** The set-up of a stack's own config. */
export function stackSettings(
  stack: string,
  config: Config,
  env: NodeJS.ProcessEnv | undefined,
): ProviderSettings {
  const ours = Object.entries(config).filter(([name]) => name.startsWith("tracking:"));
  const bare = (name: string) => name.slice("tracking:".length);
  const known: readonly string[] = settingNames;
  return {
    stack,
    // What marks an explicit provider is no setting of a stack.
    source: { get: (name) => (name === EXPLICIT ? undefined : config[`tracking:${name}`]?.value) },
    plaintext: ours.filter(([, { secret }]) => secret !== true).map(([name]) => bare(name)),
    unknown: ours.map(([name]) => bare(name)).filter((name) => !known.includes(name)),
    env,
  };
}

/** The environment alone. */
export function environmentSettings(env: NodeJS.ProcessEnv | undefined): ProviderSettings {
  return { source: { get: () => undefined }, plaintext: [], unknown: [], env };
}

/** Whether a set-up names any service. */
export function isUsedAnywhere(setup: ProviderSettings): boolean {
  return settingNames.some((name) => name.endsWith("BaseUrl") && effective(name, setup) !== undefined);
}

/** A setting as it counts, or nothing where it is not set. */
export function effective(
  name: SettingName,
  { source, env }: ProviderSettings,
): EffectiveSetting | undefined {
  const { config, environment } = rawSetting(name, source, env);
  if (config !== undefined)
    return {
      text: config,
      from: "config",
      shadowed: environment !== undefined && environment !== config,
    };
  return environment === undefined ? undefined : { text: environment, from: "environment", shadowed: false };
}

/** Every text that must never be shown: keys wherever they are, and an address that config holds as a secret. */
export function secretsOf({ source, plaintext, env }: ProviderSettings): string[] {
  return settingNames.flatMap((name) => {
    const { config, environment } = rawSetting(name, source, env);
    const isKey = secretSettings.includes(name);
    return [
      ...(config !== undefined && (isKey || (name.endsWith("BaseUrl") && !plaintext.includes(name)))
        ? [config]
        : []),
      ...(environment !== undefined && isKey ? [environment] : []),
    ];
  });
}

/** The stacks of a finding about this set-up. */
export function stacksOf({ stack }: ProviderSettings): string[] {
  return stack === undefined ? [] : [stack];
}
