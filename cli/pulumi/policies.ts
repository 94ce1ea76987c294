import { z } from "zod";
import { parseUrn } from "../../provider/hosts/urn";
import { groupsBy } from "../alike";

const violation = z.object({
  resourceUrn: z.string().default(""),
  message: z.string().default(""),
  policyName: z.string(),
  policyPackName: z.string(),
  enforcementLevel: z.string(),
});

/** What a policy of the stack says of a resource. */
export type PolicyViolation = Readonly<z.infer<typeof violation>>;

const event = z.object({ policyEvent: violation.exactOptional() });

/** Reads what policies say from an event log, each once: `preview --json` has none of it. */
export function violationsIn(log: string): PolicyViolation[] {
  const lines = log.split("\n").filter((line) => line.includes('"policyEvent"'));
  const found = lines.flatMap((line) => event.parse(JSON.parse(line)).policyEvent ?? []);
  return groupsBy(found, (each) => JSON.stringify(each)).map(([first]) => first);
}

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
