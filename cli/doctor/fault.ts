import {
  EXPLICIT,
  endpoint,
  environmentName,
  SettingError,
  type SettingName,
} from "../../provider/config/endpoint";
import { type EffectiveSetting, effective, type ProviderSettings } from "./provider-settings";

/**
 * What is wrong with a setting, told by the one who reads settings: each is tried among others that are right, so
 * that all faults are seen at once.
 *
 * @param permitted whether `allowInsecureHttp` counts as it is set
 */
export function settingProblem(
  name: SettingName,
  { text, from }: EffectiveSetting,
  setup: ProviderSettings,
  permitted = true,
): string | undefined {
  const service = (["analytics", "data", "market"] as const).find((each) => name.startsWith(each));
  const insecure = permitted ? effective("allowInsecureHttp", setup)?.text : undefined;
  const right: Record<string, string> = {
    apiKey: "k",
    [`${service ?? "analytics"}BaseUrl`]:
      name === "allowInsecureHttp" ? "http://host.example" : "https://host.example",
    ...(insecure === "true" && { allowInsecureHttp: insecure }),
    ...(setup.provider && { [EXPLICIT]: "true" }),
  };
  delete right[name];
  if (from === "config") right[name] = text;
  const env = from === "environment" ? { [environmentName(name)]: text } : {};
  try {
    endpoint(service ?? "analytics", { get: (key) => right[key] }, env);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    // Another's fault is told where that one is tried.
    return error.problems.find(({ setting }) => setting === name)?.text;
  }
  return undefined;
}

/** What a setting is called where it is set. */
export function placeOf(
  name: SettingName,
  { provider }: ProviderSettings,
  from: EffectiveSetting["from"],
): string {
  if (provider !== undefined) return `${name} of the tracking.Provider "${provider.name}"`;
  return from === "config" ? `tracking:${name}` : environmentName(name);
}
