import { parseUrn } from "../provider/hosts/urn";
import { describeRecord } from "../provider/lifecycle/errors";
import { canonicalKey } from "../provider/schema/identity";
import { noun } from "../provider/schema/resource";
import { enumerate } from "./alike";
import { CommandFailure } from "./failure";
import { explicitProvider, type HeldRecord, providersIn, resourceOfType, scopedId } from "./look/held";
import type { StackResource } from "./pulumi/json-output";
import type { Program } from "./pulumi/program";
import { shellQuote } from "./shell-quote";

/** A record that the stack manages as one resource, and the program declares as another. */
export interface Redeclared {
  readonly held: HeldRecord;
  readonly declared: StackResource;
}

/** The resources of a stack that a program does not declare, though it declares their records by the same provider. */
export function findRedeclared(
  held: readonly HeldRecord[],
  { keeps, creates, planned }: Pick<Program, "keeps" | "creates" | "planned">,
): Redeclared[] {
  const { explicit } = providersIn({ resources: planned });
  const declared = new Map<string, StackResource>();
  for (const each of creates) {
    const resource = resourceOfType(each.type);
    const key = resource && canonicalKey(resource, each.inputs ?? {});
    if (resource) declared.set(scopedId(resource, explicitProvider(each, explicit), key), each);
  }
  return held.flatMap((each) => {
    const found = declared.get(
      scopedId(each.resource, each.provider, canonicalKey(each.resource, each.values)),
    );
    return found && !each.isLeaving && !keeps(each.urn) ? { held: each, declared: found } : [];
  });
}

/** Throws if the program declares records of the stack as other resources. */
export function refuseRedeclared(
  held: readonly HeldRecord[],
  program: Parameters<typeof findRedeclared>[1],
): void {
  const [first, ...others] = findRedeclared(held, program);
  if (first !== undefined) throw redeclaredFailure(first, ...others);
}

/** What the program and the stack say about these records, and what to do. */
export function redeclaredFailure(...[first, ...others]: [Redeclared, ...Redeclared[]]) {
  const pairs = [first, ...others].map(
    ({ held, declared }) =>
      `the ${describeRecord(held)} as "${parseUrn(declared.urn).name}", but the stack manages it as "${held.name}"`,
  );
  const way = wayOf(first);
  const all = others.length === 0 ? way : `${way}; do likewise for the others`;
  return new CommandFailure(`The program declares ${enumerate(pairs, "; ")}`, all);
}

/** How a resource keeps its record under another name, or in another component. */
function wayOf({ held: { urn, name, resource }, declared }: Redeclared): string {
  const to = parseUrn(declared.urn);
  const subject = `the ${noun(resource)} "${to.name}"`;
  // "state rename" leaves a resource in its component, and an alias of a name looks in the new one.
  if (parseUrn(urn).parentType !== to.parentType)
    return `Give ${subject} the option aliases: ["${urn}"], which also says in which component it was`;
  const command = `"pulumi state rename ${shellQuote(urn)} ${shellQuote(to.name)}"`;
  return `Give ${subject} the option aliases: [{ name: "${name}" }] (Python: aliases=[pulumi.Alias(name="${name}")]; a file of declarations: aliases: [${name}]), or, in any language, run ${command}`;
}
