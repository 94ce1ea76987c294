import {
  EXPLICIT,
  environmentName,
  rawSetting,
  type SettingName,
  type Source,
  secretSettings,
  settingNames,
} from "../../provider/config";
import type { Config } from "../pulumi/json-output";
import { isExplicit, settingsOf } from "../pulumi/provider-inputs";
import { isProviderType } from "../pulumi/resource-forms";
import { isSecret } from "../pulumi/secret";
import { nameOf } from "../pulumi/urn";
import type { ReadStack } from "./stacks";
import type { StackResource } from "./state";

/** The settings of one provider: a stack's own, an explicit one in a stack's state, or the environment's alone. */
export interface ProviderSettings {
  /** The stack; absent where only the environment is read. */
  readonly stack?: string;
  /** The explicit provider's URN, and its name in the program. */
  readonly provider?: { readonly urn: string; readonly name: string };
  readonly source: Source;
  /** Settings that are stored as plain text; all others are secrets. */
  readonly plaintext: readonly string[];
  /** Names under `tracking:` in config that are no setting. */
  readonly unknown: readonly string[];
  /** The environment; that of this process unless a test says otherwise. */
  readonly env: NodeJS.ProcessEnv | undefined;
}

/** A setting that takes effect: its text, and where it comes from. */
export interface EffectiveSetting {
  readonly text: string;
  readonly from: "config" | "environment";
  /** The environment has another text, which has no effect. */
  readonly shadowed: boolean;
}

/** A stack's own settings, and those of each explicit provider in its state. */
export function stackSettings(
  { name, config, deployment }: ReadStack,
  env: NodeJS.ProcessEnv | undefined,
): ProviderSettings[] {
  const explicit = (deployment.resources ?? []).flatMap((state): ProviderSettings[] => {
    const { urn, type, inputs = {} } = state;
    const source = settingsOf(state);
    if (!isProviderType(type) || !isExplicit(source)) return [];
    const plaintext = Object.keys(inputs)
      .filter((key) => !isSecret(inputs[key]))
      .map((key) => key.replace(/^tracking:/, ""));
    return [{ stack: name, provider: { urn, name: nameOf(urn) }, source, plaintext, unknown: [], env }];
  });
  return [configSettings(name, config, env), ...explicit];
}

function configSettings(stack: string, config: Config, env: NodeJS.ProcessEnv | undefined): ProviderSettings {
  const known: readonly string[] = settingNames;
  const ours = Object.entries(config)
    .filter(([key]) => key.startsWith("tracking:"))
    .map(([key, { secret }]) => ({ name: key.slice("tracking:".length), isSecret: secret === true }));
  return {
    stack,
    // The mark of an explicit provider is no setting of a stack.
    source: { get: (name) => (name === EXPLICIT ? undefined : config[`tracking:${name}`]?.value) },
    plaintext: ours.filter((each) => !each.isSecret).map(({ name }) => name),
    unknown: ours.map(({ name }) => name).filter((name) => !known.includes(name)),
    env,
  };
}

/** The environment alone. */
export function environmentSettings(env: NodeJS.ProcessEnv | undefined): ProviderSettings {
  return { source: { get: () => undefined }, plaintext: [], unknown: [], env };
}

/** The settings that a resource goes by: its explicit provider's, or its stack's own. */
export function settingsFor(
  { stack, provider }: StackResource,
  all: readonly ProviderSettings[],
): ProviderSettings | undefined {
  const ofStack = all.filter((each) => each.stack === stack);
  return (
    ofStack.find((each) => each.provider?.urn === provider) ??
    ofStack.find((each) => each.provider === undefined)
  );
}

/** Where a resource's record is: its service's base URL, or, where that is not known, the stack itself. */
export function serviceAddress(each: StackResource, all: readonly ProviderSettings[]): string {
  const { service } = each.resource;
  const settings = settingsFor(each, all);
  const url = settings && effective(`${service}BaseUrl`, settings)?.text;
  return `${service} ${url?.replace(/\/+$/, "") ?? `of stack ${each.stack} ${each.provider}`}`;
}

/** The API key that a resource's provider uses, or nothing. */
export function credentialOf(each: StackResource, all: readonly ProviderSettings[]): string | undefined {
  const settings = settingsFor(each, all);
  if (settings === undefined) return undefined;
  return (effective(`${each.resource.service}ApiKey`, settings) ?? effective("apiKey", settings))?.text;
}

/** Whether a base URL of any service is set. */
export function usesAnyService(settings: ProviderSettings): boolean {
  return settingNames.some((name) => name.endsWith("BaseUrl") && effective(name, settings) !== undefined);
}

/** A setting as it takes effect, or nothing where it is not set. */
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

/** Every text that must never be shown: keys wherever they are set, and an address that config has as a secret. */
export function secretsOf({ source, plaintext, env }: ProviderSettings): string[] {
  return settingNames.flatMap((name) => {
    const { config, environment } = rawSetting(name, source, env);
    const isKey = secretSettings.includes(name);
    const hidesConfig = isKey || (name.endsWith("BaseUrl") && !plaintext.includes(name));
    return [hidesConfig ? config : undefined, isKey ? environment : undefined].filter(
      (text) => text !== undefined,
    );
  });
}

/** What a setting is called where it is set. */
export function labelOf(
  name: SettingName,
  { provider }: ProviderSettings,
  from: EffectiveSetting["from"],
): string {
  if (provider !== undefined) return `${name} of the tracking.Provider "${provider.name}"`;
  return from === "config" ? `tracking:${name}` : environmentName(name);
}

/** The stacks of a finding about these settings. */
export function stacksOf({ stack }: ProviderSettings): string[] {
  return stack === undefined ? [] : [stack];
}
