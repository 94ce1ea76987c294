import { parseUrn } from "../../provider/hosts/urn";
import { inGuide } from "../../provider/lifecycle/advice";
import { describeRecord } from "../../provider/lifecycle/errors";
import { canonicalKey } from "../../provider/schema/identity";
import { noun } from "../../provider/schema/resource";
import { firstOf } from "../alike";
import { CommandFailure } from "../failure";
import { explicitProvider, type HeldRecord, providersIn, resourceOfType, scopedId } from "../look/held";
import type { StackResource } from "../pulumi/json-output";
import type { Program } from "../pulumi/program";
import { shellQuote } from "../shell-quote";

/** How a resource keeps its record under another name, or in another component. */
function adviceFor({ urn, resource }: HeldRecord, declared: StackResource): string {
  const to = parseUrn(declared.urn);
  const subject = `the ${noun(resource)} "${to.name}"`;
  // "state rename" leaves a resource in its component, and an alias of a name looks in the new one.
  if (parseUrn(urn).parentType !== to.parentType) return `Give ${subject} the option aliases: ["${urn}"]`;
  const command = `pulumi state rename ${shellQuote(urn)} ${shellQuote(to.name)}`;
  return `Run "${command}", or give ${subject} an alias: ${inGuide("Renaming a resource")}`;
}

/**
 * Throws if the program declares records of the stack as other resources of the same provider, as after a rename without alias:
 * the next `up` would create a second record, and delete the first.
 */
export function refuseRedeclared(
  held: readonly HeldRecord[],
  { keeps, creates, planned: resources }: Pick<Program, "keeps" | "creates" | "planned">,
): void {
  const { explicit } = providersIn({ resources });
  const declared = new Map<string, StackResource>();
  for (const planned of creates) {
    const resource = resourceOfType(planned.type);
    const key = resource && canonicalKey(resource, planned.inputs ?? {});
    if (resource) declared.set(scopedId(resource, explicitProvider(planned, explicit), key), planned);
  }
  const redeclared = held.flatMap((record) => {
    const key = canonicalKey(record.resource, record.values);
    const found = declared.get(scopedId(record.resource, record.provider, key));
    if (found === undefined || record.isPendingDelete || keeps(record.urn)) return [];
    const what = `the ${describeRecord(record)} as "${parseUrn(found.urn).name}", but the stack manages it as "${record.name}"`;
    return { what, advice: adviceFor(record, found) };
  });
  const [first, second] = redeclared;
  if (first === undefined) return;
  if (second === undefined) throw new CommandFailure(`The program declares ${first.what}`, first.advice);
  throw new CommandFailure(
    `The program declares ${redeclared.length} records of the stack under other names`,
    `${first.advice}; do likewise for the others`,
    firstOf(redeclared.map(({ what }) => what)),
  );
}
