export { type Endpoint, endpoint } from "./endpoint";
export {
  type Command,
  EXPLICIT,
  environmentName,
  IMPORTING,
  isImporting,
  SettingError,
  type SettingName,
  type SettingProblem,
  type SettingsSource,
  secretSettings,
  settingNames,
} from "./settings";
export { SettingsReader } from "./settings-reader";
