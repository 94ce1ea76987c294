import { z } from "zod";
import { parseUrn } from "../../provider/hosts/urn";

/** A policy's words on a resource, as the engine's event has them. */
export const violation = z.object({
  resourceUrn: z.string().default(""),
  message: z.string().default(""),
  policyName: z.string(),
  policyPackName: z.string(),
  enforcementLevel: z.string(),
});

/** What a policy of the stack says of a resource. */
export type PolicyViolation = Readonly<z.infer<typeof violation>>;

/** Whether a policy refuses: every preview and `up` fails until the resource is as it wants. */
export function isMandatory({ enforcementLevel }: PolicyViolation): boolean {
  return enforcementLevel === "mandatory";
}

/** Such as: policy "no-public-statistics" of "company" on "shop": Its statistics page must not be public */
export function describeViolation({
  policyName,
  policyPackName,
  resourceUrn,
  message,
}: PolicyViolation): string {
  const on = resourceUrn === "" ? "" : ` on "${parseUrn(resourceUrn).name}"`;
  return `policy "${policyName}" of "${policyPackName}"${on}: ${message.trim().replace(/\.$/, "")}`;
}
