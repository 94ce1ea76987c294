import {
  EXPLICIT,
  endpoint,
  rawSetting,
  SettingError,
  type SettingName,
  type SettingProblem,
  type SettingsSource,
  settingNames,
} from "../../provider/config";
import type { Service } from "../../provider/schema/resource";
import { closest } from "../../provider/suggest";
import { isExplicit, settingsOf } from "../pulumi/provider-inputs";
import { isProviderType } from "../pulumi/resource-forms";
import { type Finding, finding } from "./report";
import type { ReadStack } from "./stacks";
import { type StackResource, stackResources } from "./state";

/** A provider's settings, and what it manages: a stack's own provider, an explicit one, or the environment alone. */
export interface Provider {
  /** The stack's name, or nothing if only the environment is read. */
  readonly stacks: readonly string[];
  readonly source: SettingsSource;
  readonly env: NodeJS.ProcessEnv | undefined;
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
  const own = {
    // The mark of an explicit provider is no setting of a stack.
    source: { get: (key: string) => (key === EXPLICIT ? undefined : config[`tracking:${key}`]?.value) },
    resources: held.filter(({ provider }) => !explicit.some(({ urn }) => urn === provider)),
  };
  const others = explicit.map((state) => ({
    source: settingsOf(state),
    resources: held.filter(({ provider }) => provider === state.urn),
  }));
  return [own, ...others].map((each) => ({ ...each, stacks: [name], env }));
}

/** The environment alone. */
export function environmentProvider(env: NodeJS.ProcessEnv | undefined): Provider {
  return { stacks: [], source: { get: () => undefined }, env, resources: [] };
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
  const { stacks, resources } = provider;
  const used = services.filter(
    (service) =>
      textOf(`${service}BaseUrl`, provider) !== undefined ||
      resources.some(({ resource }) => resource.service === service),
  );
  return used.flatMap((service) =>
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
}

/** A clause as the beginning of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Checks what a stack's config has under `tracking:`: keys in plain text, and names that are no setting. */
export function configFindings({ name, config }: ReadStack): Finding[] {
  const known = settingNames.map((each) => `tracking:${each}`);
  const about = { stacks: [name] };
  return Object.entries(config).flatMap(([key, { secret, value }]) => {
    if (!key.startsWith("tracking:")) return [];
    if (!known.includes(key)) {
      const meant = closest(key, known);
      const remedy = `Run "pulumi config rm ${key}"${meant === undefined ? "" : `, and set ${meant}`}`;
      return finding("warning", "setting-unknown", about, `${key} is not a setting, and is ignored`, remedy);
    }
    if (secret || !value || !/apiKey$/i.test(key)) return [];
    const remedy = `Generate a new key, because this one could be read, and run "pulumi config set --secret ${key}"`;
    return finding(
      "warning",
      "plaintext-key",
      about,
      `${key} is stored in plain text, not as a secret`,
      remedy,
    );
  });
}
