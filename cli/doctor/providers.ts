import {
  EXPLICIT,
  endpoint,
  rawSetting,
  SettingError,
  type SettingName,
  type SettingProblem,
  type Source,
  secretSettings,
  settingNames,
} from "../../provider/config";
import type { Service } from "../../provider/schema/resource";
import { closest } from "../../provider/suggest";
import { isExplicit, settingsOf } from "../pulumi/provider-inputs";
import { isProviderType } from "../pulumi/resource-forms";
import { isSecret } from "../pulumi/secret";
import { nameOf } from "../pulumi/urn";
import { type Finding, finding } from "./report";
import type { ReadStack } from "./stacks";
import { type StackResource, stackResources } from "./state";

/** A provider's settings, and what it manages: a stack's own provider, an explicit one, or the environment alone. */
export interface Provider {
  /** The stack's name, or nothing if only the environment is read. */
  readonly stacks: readonly string[];
  readonly source: Source;
  readonly env: NodeJS.ProcessEnv | undefined;
  /** Keys that are stored as plain text, as messages name them. */
  readonly plaintextKeys: readonly string[];
  readonly resources: readonly StackResource[];
}

/** Every service. */
export const services: readonly Service[] = ["analytics", "data", "market"];

/** A stack's own provider, and each explicit one in its state. */
export function providersOf(stack: ReadStack, env: NodeJS.ProcessEnv | undefined): Provider[] {
  const { name, config, deployment } = stack;
  const held = stackResources(name, deployment);
  const explicit = (deployment.resources ?? []).filter(
    (state) => isProviderType(state.type) && isExplicit(settingsOf(state)),
  );
  const keys = secretSettings.map((key) => `tracking:${key}`);
  const own = {
    // The mark of an explicit provider is no setting of a stack.
    source: { get: (key: string) => (key === EXPLICIT ? undefined : config[`tracking:${key}`]?.value) },
    plaintextKeys: keys.filter((key) => config[key]?.value && config[key].secret !== true),
    resources: held.filter(({ provider }) => !explicit.some(({ urn }) => urn === provider)),
  };
  const others = explicit.map((state) => ({
    source: settingsOf(state),
    plaintextKeys: Object.entries(state.inputs ?? {})
      .filter(([key, value]) => /apiKey$/i.test(key) && !isSecret(value))
      .map(([key]) => `${key.replace("tracking:", "")} of the tracking.Provider "${nameOf(state.urn)}"`),
    resources: held.filter(({ provider }) => provider === state.urn),
  }));
  return [own, ...others].map((each) => ({ ...each, stacks: [name], env }));
}

/** The environment alone. */
export function environmentProvider(env: NodeJS.ProcessEnv | undefined): Provider {
  return { stacks: [], source: { get: () => undefined }, env, plaintextKeys: [], resources: [] };
}

/** The text of a setting as it takes effect; `undefined` if it is not set. */
export function textOf(name: SettingName, { source, env }: Provider): string | undefined {
  const { config, environment } = rawSetting(name, source, env);
  return config ?? environment;
}

/** What the service's settings lack, or have wrong; empty if it can be used. */
export function problemsOf(service: Service, { source, env }: Provider): readonly SettingProblem[] {
  try {
    endpoint(service, source, env);
    return [];
  } catch (error) {
    if (error instanceof SettingError) return error.problems;
    throw error;
  }
}

/** Checks the settings of one provider. A service without an address is not used, unless the stack has its records. */
export function settingFindings(provider: Provider): Finding[] {
  const { stacks, plaintextKeys, resources } = provider;
  const used = services.filter(
    (service) =>
      textOf(`${service}BaseUrl`, provider) !== undefined ||
      resources.some(({ resource }) => resource.service === service),
  );
  const problems = used.flatMap((service) =>
    problemsOf(service, provider).map(({ setting, label, text }) => {
      if (textOf(setting, provider) !== undefined)
        return finding("error", "setting-invalid", { stacks }, text, `Correct ${label}`);
      const [, message = text, remedy = ""] = /^(.*?): (.*)$/.exec(text) ?? [];
      return finding(
        "error",
        "setting-missing",
        { stacks, service },
        capitalized(message),
        capitalized(remedy),
      );
    }),
  );
  const clear = plaintextKeys.map((key) =>
    finding(
      "warning",
      "plaintext-key",
      { stacks },
      `${key} is stored in plain text, not as a secret`,
      `Generate a new key, because this one could be read, and ${key.startsWith("tracking:") ? `run "pulumi config set --secret ${key}"` : "give it to the provider as a secret"}`,
    ),
  );
  return [...problems, ...clear];
}

/** A clause as the beginning of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a stack's config has under `tracking:` that is no setting. */
export function unknownSettings({ name: stack, config }: ReadStack): Finding[] {
  const known = settingNames.map((name) => `tracking:${name}`);
  const unknown = Object.keys(config).filter((key) => key.startsWith("tracking:") && !known.includes(key));
  return unknown.map((key) => {
    const meant = closest(key, known);
    const remedy = `Run "pulumi config rm ${key}"${meant === undefined ? "" : `, and set ${meant}`}`;
    return finding(
      "warning",
      "setting-unknown",
      { stacks: [stack] },
      `${key} is not a setting, and is ignored`,
      remedy,
    );
  });
}
