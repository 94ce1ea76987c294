export { type Endpoint, endpoint } from "./endpoint";
export { describeInvalid, parseSetting } from "./parse";
export {
  type Command,
  EXPLICIT,
  environmentName,
  SettingError,
  type SettingName,
  type SettingProblem,
  type SettingsSource,
  secretSettings,
  settingNames,
} from "./settings";
export { rawSetting } from "./settings-reader";
