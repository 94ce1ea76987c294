import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord } from "../../provider/lifecycle/errors";
import { canonicalKey } from "../../provider/schema/identity";
import { noun } from "../../provider/schema/resource";
import { enumerate } from "../alike";
import { CommandFailure } from "../failure";
import { explicitProvider, type HeldRecord, providersIn, resourceOfType, scopedId } from "../look/held";
import type { StackResource } from "../pulumi/json-output";
import type { Program } from "../pulumi/program";
import { shellQuote } from "../shell-quote";

/** How a resource keeps its record under another name, or in another component. */
function wayOf({ urn, name, resource }: HeldRecord, declared: StackResource): string {
  const to = parseUrn(declared.urn);
  const subject = `the ${noun(resource)} "${to.name}"`;
  // "state rename" leaves a resource in its component, and an alias of a name looks in the new one.
  if (parseUrn(urn).parentType !== to.parentType)
    return `Give ${subject} the option aliases: ["${urn}"], which also says in which component it was`;
  const command = `"pulumi state rename ${shellQuote(urn)} ${shellQuote(to.name)}"`;
  return `Give ${subject} the option aliases: [{ name: "${name}" }] (Python: aliases=[pulumi.Alias(name="${name}")]; a file of declarations: aliases: [${name}]), or, in any language, run ${command}`;
}

/** Throws if the program declares records of the stack as other resources of the same provider. */
export function refuseRedeclared(
  held: readonly HeldRecord[],
  { keeps, creates, planned }: Pick<Program, "keeps" | "creates" | "planned">,
): void {
  const { explicit } = providersIn({ resources: planned });
  const declared = new Map<string, StackResource>();
  for (const each of creates) {
    const resource = resourceOfType(each.type);
    const key = resource && canonicalKey(resource, each.inputs ?? {});
    if (resource) declared.set(scopedId(resource, explicitProvider(each, explicit), key), each);
  }
  const [first, ...others] = held.flatMap((each) => {
    const key = canonicalKey(each.resource, each.values);
    const found = declared.get(scopedId(each.resource, each.provider, key));
    if (found === undefined || each.isLeaving || keeps(each.urn)) return [];
    const both = `the ${describeRecord(each)} as "${parseUrn(found.urn).name}", but the stack manages it as "${each.name}"`;
    return { both, way: wayOf(each, found) };
  });
  if (first === undefined) return;
  const all = [first, ...others].map(({ both }) => both);
  const way = others.length === 0 ? first.way : `${first.way}; do likewise for the others`;
  throw new CommandFailure(`The program declares ${enumerate(all, "; ")}`, way);
}
