import type { Endpoint } from "./endpoint";
import { environmentName, SettingError } from "./settings";

/**
 * Throws a `SettingError` if another process of the run has other settings for this service: in an inline program of the
 * Automation API, `envVars` reach Pulumi and its providers, but not the program's own process, which answers look-ups.
 *
 * @param sharedSettings shares what this process has with the others, and returns the names of which two have different values
 */
export function assertAgreed(
  { service, shared }: Endpoint,
  sharedSettings: { share(settings: Readonly<Record<string, string>>): ReadonlySet<string> },
): void {
  const settings = shared();
  if (settings === undefined) return;
  const differing = sharedSettings.share(settings);
  const needed = ["apiKey", `${service}ApiKey`, `${service}BaseUrl`] as const;
  const names = needed.filter((name) => differing.has(name));
  if (names.length === 0) return;
  const label = names.map(environmentName).join(" and ");
  const title = `the program's own process and Pulumi's have different values of ${label}, so look-ups and resources would use two settings`;
  const config = names.map((name) => `tracking:${name}`).join(" and ");
  const advice = `Set ${config} by stack.setConfig, or give both an explicit tracking.Provider`;
  throw new SettingError([{ label, title, advice: [advice] }]);
}
