import { EXPLICIT, type Source } from "../../provider/config";
import { unwrapSecrets } from "./secret";

/** A provider resource's inputs as settings, secrets opened. */
export function settingsFromInputs(inputs: Readonly<Record<string, unknown>>): Source {
  const values = unwrapSecrets(inputs);
  return {
    get: (key) => {
      const value = values[`tracking:${key}`];
      return typeof value === "string" ? value : undefined;
    },
  };
}

/** Whether settings are those of an explicit `tracking.Provider`, which never asks the environment. */
export function isExplicit(settings: Source): boolean {
  return settings.get(EXPLICIT) !== undefined;
}
