import {
  describeInvalid,
  endpoint,
  environmentName,
  parseSetting,
  SettingError,
  type SettingName,
  secretSettings,
  settingNames,
} from "../../provider/config";
import type { Service } from "../../provider/schema/resource";
import { type Code, type Finding, finding, type Severity } from "./finding";
import {
  type EffectiveSetting,
  effective,
  labelOf,
  type ProviderSettings,
  stacksOf,
} from "./provider-settings";

/** A service as people know it, such as `websites`, and whether the stack manages records of it. */
export interface KnownService {
  readonly service: Service;
  readonly title: string;
  readonly managed: boolean;
}

/** Checks one provider's settings for these services. */
export function settingFindings(settings: ProviderSettings, services: readonly KnownService[]): Finding[] {
  return [
    ...settingNames.flatMap((name) => oneSetting(name, settings)),
    ...settings.unknown.map((name) => unknownSetting(name, settings)),
    ...services.flatMap((each) => missingSetting(each, settings)),
  ];
}

/** Whether the service has all that it needs, each of it valid. */
export function isUsable(service: Service, { source, env }: ProviderSettings): boolean {
  try {
    endpoint(service, source, env);
    return true;
  } catch (error) {
    if (error instanceof SettingError) return false;
    throw error;
  }
}

function oneSetting(name: SettingName, settings: ProviderSettings): Finding[] {
  const set = effective(name, settings);
  if (set === undefined) return [];
  const label = labelOf(name, settings, set.from);
  const allowsHttp = () => effective("allowInsecureHttp", settings)?.text === "true";
  const parsed = parseSetting(name, set.text, allowsHttp);
  if ("expected" in parsed) {
    const message = describeInvalid(label, set.text, parsed.expected);
    return [about(settings, "error", "setting-invalid", message, howToSet(name, settings, set.from))];
  }
  const found: Finding[] = [];
  const isKey = secretSettings.includes(name);
  if (set.from === "config" && isKey && settings.plaintext.includes(name))
    found.push(plaintextKey(name, label, settings));
  else if (settings.provider === undefined)
    found.push(about(settings, "info", "setting", `${label} is set ${whereSet(set.from, isKey)}`));
  if (set.shadowed) {
    const message = `${environmentName(name)} has another value, which has no effect: stack config takes precedence`;
    found.push(about(settings, "info", "setting-shadowed", message));
  }
  if ("expected" in parseSetting(name, set.text, () => false)) {
    const message = `${label} is an http:// address: plain HTTP sends the key unencrypted`;
    found.push(about(settings, "warning", "insecure-http", message, "Use an https:// address"));
  }
  return found;
}

function plaintextKey(name: SettingName, label: string, settings: ProviderSettings): Finding {
  const [place, fix] = settings.provider
    ? ["state", "Give it to the tracking.Provider as a secret"]
    : ["stack's config", `Run "pulumi config set --secret tracking:${name}"`];
  return about(
    settings,
    "warning",
    "plaintext-key",
    `${label} is stored in plain text: it is not a secret in the ${place}`,
    `${fix}, and generate a new key, because this one could be read`,
  );
}

function whereSet(from: EffectiveSetting["from"], isKey: boolean): string {
  if (from === "environment") return "in the environment";
  return isKey ? "in the stack's config, as a secret" : "in the stack's config";
}

function unknownSetting(name: string, settings: ProviderSettings): Finding {
  const meant = settingNames.find((each) => each.toLowerCase() === name.toLowerCase().replace(/[-_]/g, ""));
  const remove = `Run "pulumi config rm tracking:${name}"`;
  return about(
    settings,
    "warning",
    "setting-unknown",
    `tracking:${name} is not a setting, and is ignored`,
    meant === undefined
      ? `${remove}; the settings are ${settingNames.join(", ")}`
      : `${remove}, and set tracking:${meant}`,
  );
}

function missingSetting({ service, title, managed }: KnownService, settings: ProviderSettings): Finding[] {
  const baseUrl = `${service}BaseUrl` as const;
  const isSet = (name: SettingName) => effective(name, settings) !== undefined;
  const missing = (name: SettingName, message: string) => [
    about(settings, "error", "setting-missing", message, howToSet(name, settings), service),
  ];
  if (isSet(baseUrl))
    return isSet("apiKey") || isSet(`${service}ApiKey`)
      ? []
      : missing("apiKey", `${title}: the API key is missing`);
  if (managed) return missing(baseUrl, `${title}: the base URL is missing, but the stack has ${title}`);
  if (settings.provider !== undefined) return [];
  const message = `${title}: not used, because no base URL is set (tracking:${baseUrl} or ${environmentName(baseUrl)})`;
  return [about(settings, "info", "service-unused", message, undefined, service)];
}

/** How to set a setting, where it is set or, if it is not, in either place. */
function howToSet(
  name: SettingName,
  { provider }: ProviderSettings,
  from?: EffectiveSetting["from"],
): string {
  if (provider !== undefined)
    return `Give ${name} to the tracking.Provider "${provider.name}" in the program, and run "pulumi up"`;
  const secret = secretSettings.includes(name) ? "--secret " : "";
  const config = `Run "pulumi config set ${secret}tracking:${name}"`;
  if (from === "environment") return `Correct ${environmentName(name)}`;
  return from === "config" ? config : `${config}, or set ${environmentName(name)}`;
}

function about(
  settings: ProviderSettings,
  severity: Severity,
  code: Code,
  message: string,
  remedy?: string,
  service?: Service,
): Finding {
  const stacks = stacksOf(settings);
  return finding(severity, code, { stacks, ...(service && { service }) }, message, remedy);
}
