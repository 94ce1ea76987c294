export { type Endpoint, endpoint } from "./endpoint";
export {
  type Command,
  EXPLICIT,
  environmentName,
  IMPORTING,
  isImporting,
  SettingError,
  type SettingMistake,
  type SettingName,
  type SettingsSource,
  secretSettings,
  settingNames,
} from "./settings";
export { SettingsReader } from "./settings-reader";
