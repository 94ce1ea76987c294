import type { SettingsSource } from "../../provider/config";
import type { ResourceState } from "../pulumi/json-output";
import { isExplicit, settingsOf } from "../pulumi/provider-inputs";
import { unwrapSecrets } from "../pulumi/secret";
import { nameOf, providerUrn } from "../pulumi/urn";
import { Unknowable } from "../service-records";
import { shellQuote } from "../shell-quote";
import type { ManagedRecords } from "./managed-records";

/** What a preview prints instead of a secret. */
export const HIDDEN = "[secret]";

/**
 * Finds the settings of a declared resource: its explicit provider's, or the stack's own. Only state has a provider's
 * secrets; throws an `Unknowable` if it does not have them yet.
 */
export function settingsByProvider(
  planned: readonly ResourceState[],
  managed: ManagedRecords,
  settings: SettingsSource,
): (resource: Pick<ResourceState, "provider">) => SettingsSource {
  const declared = new Map(planned.map((each) => [each.urn, each.inputs ?? {}]));
  return (resource) => {
    const urn = providerUrn(resource) ?? "";
    const stored = unwrapSecrets(managed.provider(urn)?.inputs ?? {});
    const inputs = Object.entries(declared.get(urn) ?? stored).map(([name, value]) => [
      name,
      value === HIDDEN ? stored[name] : value,
    ]);
    const source = settingsOf({ urn, inputs: Object.fromEntries(inputs) });
    if (!isExplicit(source)) return settings;
    if (inputs.every(([, value]) => value !== undefined)) return source;
    throw new Unknowable(
      `the secrets of its provider "${nameOf(urn)}" are not in the stack yet`,
      `Run "pulumi up --target ${shellQuote(urn)}", which creates that provider alone, then run this again`,
    );
  };
}
