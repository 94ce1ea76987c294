import {
  endpoint,
  environmentName,
  SettingError,
  type SettingName,
  secretSettings,
  settingNames,
} from "../../provider/config/endpoint";
import type { Service } from "../../provider/schema/resource";
import { placeOf, settingProblem } from "./fault";
import type { Code, Finding, Severity } from "./finding";
import { type EffectiveSetting, effective, type ProviderSettings, stacksOf } from "./provider-settings";

/** A service as people know it, such as `websites`, and whether the stack's state holds records of it. */
export interface KnownService {
  readonly service: Service;
  readonly title: string;
  readonly held: boolean;
}

/** What there is to say of one set-up's settings. `used` are the services there are. */
export function settingFindings(setup: ProviderSettings, used: readonly KnownService[]): Finding[] {
  return [
    ...settingNames.flatMap((name) => oneSetting(name, setup)),
    ...setup.unknown.map((name) => unknown(name, setup)),
    ...used.flatMap((each) => missing(each, setup)),
  ];
}

/** Whether the service has all that it needs, each of it valid. */
export function isUsable(service: Service, setup: ProviderSettings): boolean {
  try {
    endpoint(service, setup.source, setup.env);
    return true;
  } catch (error) {
    if (error instanceof SettingError) return false;
    throw error;
  }
}

function oneSetting(name: SettingName, setup: ProviderSettings): Finding[] {
  const set = effective(name, setup);
  if (set === undefined) return [];
  const wrong = settingProblem(name, set, setup);
  if (wrong !== undefined)
    return [told(setup, "error", "setting-invalid", wrong, setIt(name, setup, set.from))];
  const place = placeOf(name, setup, set.from);
  const found: Finding[] = [];
  const isKey = secretSettings.includes(name);
  if (set.from === "config" && isKey && setup.plaintext.includes(name))
    found.push(
      told(
        setup,
        "warning",
        "plaintext-key",
        `${place} is not a secret in the ${setup.provider ? "state" : "stack's config"}, and is stored in clear`,
        setup.provider
          ? "give it to the tracking.Provider as a secret, and generate a new key, since this one could be read"
          : `run "pulumi config set --secret tracking:${name}", and generate a new key, since this one could be read`,
      ),
    );
  else if (setup.provider === undefined)
    found.push(told(setup, "info", "setting", `${place} is set${where(set.from, isKey)}`));
  if (set.shadowed)
    found.push(
      told(
        setup,
        "info",
        "setting-shadowed",
        `${environmentName(name)} is set to another value, and does not count: the stack's config goes first`,
      ),
    );
  if (settingProblem(name, set, setup, false) !== undefined)
    found.push(
      told(
        setup,
        "warning",
        "insecure-http",
        `${place} is an http:// address, so that the key travels in clear`,
        "use an https:// address",
      ),
    );
  return found;
}

function where(from: EffectiveSetting["from"], isKey: boolean): string {
  if (from === "environment") return " in the environment";
  return isKey ? " in the stack's config, as a secret" : " in the stack's config";
}

function unknown(name: string, setup: ProviderSettings): Finding {
  const meant = settingNames.find((each) => each.toLowerCase() === name.toLowerCase().replace(/[-_]/g, ""));
  return told(
    setup,
    "warning",
    "setting-unknown",
    `tracking:${name} is no setting, and is not read`,
    meant === undefined
      ? `run "pulumi config rm tracking:${name}"; the settings are ${settingNames.join(", ")}`
      : `run "pulumi config rm tracking:${name}", and set tracking:${meant}`,
  );
}

function missing({ service, title, held }: KnownService, setup: ProviderSettings): Finding[] {
  const baseUrl = `${service}BaseUrl` as const;
  const isSet = (name: SettingName) => effective(name, setup) !== undefined;
  if (!isSet(baseUrl)) {
    if (held)
      return [
        told(
          setup,
          "error",
          "setting-missing",
          `${title}: the base URL is missing, and the stack has ${title}`,
          setIt(baseUrl, setup),
          service,
        ),
      ];
    return setup.provider
      ? []
      : [
          told(
            setup,
            "info",
            "service-unused",
            `${title}: not used, since no base URL is set (tracking:${baseUrl} or ${environmentName(baseUrl)})`,
            undefined,
            service,
          ),
        ];
  }
  if (isSet("apiKey") || isSet(`${service}ApiKey`)) return [];
  return [
    told(
      setup,
      "error",
      "setting-missing",
      `${title}: the API key is missing`,
      setIt("apiKey", setup),
      service,
    ),
  ];
}

/** How to set a setting, where it is set or, if it is not, in either place. */
function setIt(name: SettingName, { provider }: ProviderSettings, from?: EffectiveSetting["from"]): string {
  if (provider !== undefined)
    return `give ${name} to the tracking.Provider "${provider.name}" in the program, and run "pulumi up"`;
  const secret = secretSettings.includes(name) ? "--secret " : "";
  const config = `run "pulumi config set ${secret}tracking:${name}"`;
  if (from === "environment") return `set ${environmentName(name)} anew`;
  return from === "config" ? config : `${config}, or set ${environmentName(name)}`;
}

function told(
  setup: ProviderSettings,
  severity: Severity,
  code: Code,
  message: string,
  remedy?: string,
  service?: Service,
): Finding {
  return {
    topic: "settings",
    severity,
    code,
    stacks: stacksOf(setup),
    ...(service === undefined ? {} : { service }),
    message,
    ...(remedy === undefined ? {} : { remedy }),
  };
}
