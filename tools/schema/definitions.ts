/** What the schemas are made from. */
export { EXPLICIT, environmentName, secretSettings, settings } from "../../provider/config/settings";
export { tokenOf } from "../../provider/hosts/dynamic/code";
export { listName, lookups } from "../../provider/hosts/native/functions";
export { pluginToken } from "../../provider/hosts/native/tokens";
export { catalogue } from "../../provider/resources";
export { adoptField } from "../../provider/schema/validate";
export { zod } from "../../provider/schema/zod";
export { jsonSchema } from "./declarations";
