import type { Source } from "../../provider/config";
import type { PlannedResource } from "../pulumi/json-output";
import type { Preview } from "../pulumi/preview";
import { isExplicit, settingsOf } from "../pulumi/provider-inputs";
import { providerUrn } from "../pulumi/urn";
import type { ManagedRecords } from "./managed-records";

/** Finds the settings of a declared resource: its explicit provider's, or the stack's own. */
export function settingsByProvider(
  { planned, settings: declaredSettings }: Pick<Preview, "planned" | "settings">,
  managed: ManagedRecords,
  settings: Source,
): (resource: Pick<PlannedResource, "provider">) => Source {
  const inputs = new Map(planned.map((each) => [each.urn, each.inputs ?? {}]));
  return (resource) => {
    const urn = providerUrn(resource);
    if (urn === undefined) return settings;
    // A preview's steps hide a provider's secrets; its plan has them, and state has those of an unchanged provider.
    const declared = settingsOf({ urn, inputs: { ...inputs.get(urn), ...declaredSettings[urn] } });
    const source = isExplicit(declared) ? declared : managed.explicitSettings(urn);
    return source ?? settings;
  };
}
