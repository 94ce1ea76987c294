import { describeConfigChange, secretSettings, settingNames } from "../../provider/config";
import { suggest } from "../../provider/schema/suggest";
import type { ReadStack } from "../look/stacks";
import type { Finding } from "./report";

/** Reports names under `tracking:` in a stack's config that are no setting (`api-key`), and API keys as plain text there. */
export function configFindings({ name, config, settings: { stack } }: ReadStack): Finding[] {
  const names = settingNames.map((name) => `tracking:${name}`);
  const about = { severity: "warning", stacks: [name] } as const;
  const unknown = Object.keys(config).filter((key) => key.startsWith("tracking:") && !names.includes(key));
  const keys = secretSettings.map((secret) => `tracking:${secret}`);
  // Under a misspelt name, such as `apikey`, a key has no effect, but git has it.
  const misspelt = unknown.filter((key) => /(key|headers?)$/i.test(key));
  const unencrypted = [...keys, ...misspelt].filter((key) => config[key]?.secret === false);
  return [
    ...unknown.map((key) => ({
      ...about,
      code: "setting-unknown",
      message: `${key} is not a setting, and is ignored${suggest(key, names)}`,
      remedy: describeConfigChange("rm", key, stack),
    })),
    ...unencrypted.map((key) => ({
      ...about,
      code: "setting-unencrypted",
      message: `${key} is stored in plain text in the stack's config`,
      remedy: keys.includes(key)
        ? `${describeConfigChange("set", `--secret ${key}`, stack)} with a new key, and revoke this one if it is in git`
        : "Set it under its right name with --secret and a new key, and revoke this one if it is in git",
    })),
  ];
}
