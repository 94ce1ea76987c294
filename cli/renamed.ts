import { describeRecord } from "../provider/lifecycle/errors";
import { canonicalKey } from "../provider/schema/identity";
import { CommandFailure } from "./failure";
import type { ResourceState } from "./pulumi/json-output";
import type { Planned } from "./pulumi/preview";
import { shellQuote } from "./shell-quote";
import { dropCommand, type HeldRecord, nameOf, resourceOfType } from "./stack-records";

/** A record that the stack manages as one resource, and the program declares as another. */
interface Renamed {
  readonly held: HeldRecord;
  readonly declared: ResourceState;
}

/** The resource that the program declares for a record, by whichever provider of its service. */
export function findDeclared(
  { resource, values, baseUrl }: Pick<HeldRecord, "resource" | "values" | "baseUrl">,
  creates: readonly Planned[],
): Planned | undefined {
  const key = canonicalKey(resource, values);
  return creates.find(
    ({ type, inputs = {}, ...each }) =>
      resourceOfType(type) === resource && each.baseUrl === baseUrl && canonicalKey(resource, inputs) === key,
  );
}

/** What the program and the stack say about these records, and what to do. */
export function renameFailure(...[first, ...others]: [Renamed, ...Renamed[]]) {
  const pairs = [first, ...others].map(
    ({ held, declared }) =>
      `the ${describeRecord(held)} as "${nameOf(declared.urn)}", but the stack manages it as "${held.name}"`,
  );
  const { name, urn } = first.held;
  const alias = `the option aliases: [{ name: "${name}" }] (Python: aliases=[pulumi.Alias(name="${name}")]; a file of declarations: aliases: [${name}]; Pulumi YAML: aliases: ["${urn}"])`;
  const all = others.length === 0 ? alias : `${alias}, and the others theirs`;
  const adopted = [first, ...others].find(({ declared }) => declared.inputs?.adopt === true);
  const otherwise = adopted
    ? `drop "${adopted.held.name}" with ${dropCommand(shellQuote(adopted.held.urn))}, and the next up adopts the record as "${nameOf(adopted.declared.urn)}"`
    : "declare it with adopt: true";
  return new CommandFailure(
    `The program declares ${pairs.join("; ")}`,
    `If the resource was renamed, give the new one ${all}; else ${otherwise}`,
  );
}
