import { EXPLICIT, type Source } from "../../provider/config/endpoint";
import type { PlannedResource } from "../pulumi/json-output";
import type { Preview } from "../pulumi/preview";
import { providerUrn } from "../pulumi/urn";
import { type ManagedRecords, settingsFromInputs } from "./managed-records";

/** The settings that a declared resource goes by: its explicit provider's, or the stack's own. */
export function settingsByProvider(
  { planned, settings: declaredSettings }: Pick<Preview, "planned" | "settings">,
  managed: ManagedRecords,
  settings: Source,
): (resource: Pick<PlannedResource, "provider">) => Source {
  const inputs = new Map(planned.map((each) => [each.urn, each.inputs ?? {}]));
  return (resource) => {
    const urn = providerUrn(resource);
    if (urn === undefined) return settings;
    // The engine hides a provider's secrets in its steps, and opens them in its plan; one that stays is in the stack.
    const declared = settingsFromInputs({ ...inputs.get(urn), ...declaredSettings[urn] });
    const source = declared.get(EXPLICIT) === undefined ? managed.explicitSettings(urn) : declared;
    return source ?? settings;
  };
}
