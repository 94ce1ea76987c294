/**
 * Settings: what each is, where it comes from, and what to do if it is missing or wrong. Only this folder reads the environment;
 * it never sends a request.
 */
export { assertAgreed } from "./agreement";
export { type Endpoint, endpoint } from "./endpoint";
export { secretsIn } from "./parse";
export {
  type Command,
  DECLARATIONS,
  declarationsFile,
  describeConfigChange,
  describeSetting,
  EXPLICIT,
  environmentName,
  IGNORE_PROTECTION,
  IMPORTING,
  ignoresProtection,
  isImporting,
  type NamedStack,
  SettingError,
  type SettingMistake,
  type SettingName,
  type SettingsSource,
  secretSettings,
  settingNames,
  type settings,
} from "./settings";
export { SettingsReader } from "./settings-reader";
