import { EXPLICIT, type Source } from "../../provider/config/endpoint";
import type { Planned } from "../pulumi/answers";
import { providerUrn } from "../pulumi/urn";
import { type Holdings, sourceOf } from "./holdings";
import type { Preview } from "./preview";

/** The settings that a declared resource goes by: its explicit provider's, or the stack's own. */
export function providersOf(
  { wanted, opened }: Pick<Preview, "wanted" | "opened">,
  holdings: Holdings,
  settings: Source,
): (planned: Pick<Planned, "provider">) => Source {
  const inputs = new Map(wanted.map((each) => [each.urn, each.inputs ?? {}]));
  return (planned) => {
    const urn = providerUrn(planned);
    if (urn === undefined) return settings;
    // The engine hides a provider's secrets in its steps, and opens them in its plan; one that stays is in the stack.
    const declared = sourceOf({ ...inputs.get(urn), ...opened[urn] });
    const source = declared.get(EXPLICIT) === undefined ? holdings.explicitSettings(urn) : declared;
    return source ?? settings;
  };
}
