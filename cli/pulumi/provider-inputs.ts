import { EXPLICIT, type SettingsSource } from "../../provider/config";
import { isDefaultProvider } from "../../provider/hosts/native/identity";
import type { ResourceState } from "./json-output";
import { formOfType } from "./resource-forms";
import { unwrapSecrets } from "./secret";
import { nameOf, typeIn } from "./urn";

/** A provider's settings, secrets opened. */
export function settingsOf({ urn, inputs = {} }: Pick<ResourceState, "urn" | "inputs">): SettingsSource {
  const isNative = formOfType(typeIn(urn)) === "native";
  const values = unwrapSecrets(inputs);
  return {
    get: (key) => {
      if (isNative && key === EXPLICIT) return isDefaultProvider(nameOf(urn)) ? undefined : "true";
      const value = values[isNative ? key : `tracking:${key}`];
      // Other languages give a plugin numbers and flags as such.
      return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? String(value)
        : undefined;
    },
  };
}

/** Whether settings are those of an explicit provider, which never asks the environment. */
export function isExplicit(settings: SettingsSource): boolean {
  return settings.get(EXPLICIT) !== undefined;
}
