import { z } from "zod";
import { parseUrn } from "../../provider/hosts/urn";
import { enumerate } from "../alike";
import { CommandFailure } from "../failure";

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

/**
 * Such as: policy "no-public" of "company" on shop, blog: The page is public
 *
 * @param names of all resources of which it says that, by default its own
 */
export function describeViolation(
  { policyName, policyPackName, resourceUrn, message }: PolicyViolation,
  names: readonly string[] = [parseUrn(resourceUrn).name],
): string {
  const on = enumerate(names.filter(Boolean));
  const policy = `policy "${policyName}" of "${policyPackName}"${on === "" ? "" : ` on ${on}`}`;
  return `${policy}: ${message.trim().replace(/\.$/, "")}`;
}

/** The failure of a program that policies refuse. @param said what they say, unless it is printed elsewhere */
export function refusedByPolicy(said: readonly string[] = []): CommandFailure {
  return new CommandFailure(
    'A policy refuses the program, so "pulumi up" would fail',
    "Change what it refuses, or ask whoever is responsible for the policy, and run this again",
    said,
  );
}
