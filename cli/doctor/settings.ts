import { describeConfigChange, secretSettings, settingNames } from "../../provider/config";
import { suggest } from "../../provider/schema/suggest";
import type { ReadStack } from "../look/stacks";
import type { Finding } from "./report";

/** Reports names under `tracking:` in a stack's config that are no setting, and keys that are no secret there. */
export function configFindings({ name, config, settings: { stack } }: ReadStack): Finding[] {
  const known = settingNames.map((each) => `tracking:${each}`);
  const about = { severity: "warning", stacks: [name] } as const;
  const unknown = Object.keys(config).filter((key) => key.startsWith("tracking:") && !known.includes(key));
  const open = secretSettings.filter((each) => config[`tracking:${each}`]?.secret === false);
  return [
    ...unknown.map((key) => ({
      ...about,
      code: "setting-unknown",
      message: `${key} is not a setting, and is ignored${suggest(key, known)}`,
      remedy: describeConfigChange("rm", key, stack),
    })),
    ...open.map((each) => ({
      ...about,
      code: "setting-unencrypted",
      message: `tracking:${each} stands in the stack's config as plain text`,
      remedy: `${describeConfigChange("set", `--secret tracking:${each}`, stack)} with a new key, and revoke this one if it is in git`,
    })),
  ];
}
