import { inOneLine } from "../../provider/api/api";
import { parseUrn } from "../../provider/hosts/urn";
import { describeSeveral } from "../../provider/lifecycle/adopt";
import { describeRecord } from "../../provider/lifecycle/errors";
import { lackingArgument, type RemoteRecord } from "../../provider/schema/codec";
import { format } from "../../provider/schema/format";
import { canonicalKey } from "../../provider/schema/identity";
import type { Resource, Values } from "../../provider/schema/resource";
import { groupsBy } from "../alike";
import { baseUrlFor, managersOf, placeOf, providerUrn, resourceOfType } from "../look/held";
import type { IsSelected } from "../patterns";
import { isShown } from "../pulumi/hidden";
import type { StackResource } from "../pulumi/json-output";
import { mayBeSame } from "./accounts";
import { importedState } from "./import-entry";
import type { PlanRow } from "./row";
import type { Survey } from "./survey";
import { uniqueNames } from "./written-record";
import { unfitForYaml } from "./yaml";

/** The reason why no program is written for a record; part of its row. */
type Reason = Pick<PlanRow, "kind" | "text" | "isOpen" | "isUsual">;

/** A record's domain or name, in any spelling. */
function keyOf(resource: Resource, values: Values): string {
  return canonicalKey(resource, values) ?? "";
}

/**
 * Returns the reasons why records are not written, by their keys: the program declares them, or the stack has them under other
 * ids. `unseen` is a reason for all: the program declares one whose key a preview does not show, and it may be any of them.
 */
function reasonsFor(resource: Resource, { program, accounts, held }: Survey) {
  const byKey = new Map<string, Reason>();
  let unseen: Reason | undefined;
  const isOwnAccount = (provider?: string) => mayBeSame(resource, accounts.of(provider), accounts.own);
  const isInAccount = (planned: StackResource) =>
    resourceOfType(planned.type) === resource && isOwnAccount(providerUrn(planned));
  for (const { urn, inputs = {} } of program.imports.filter(isInAccount)) {
    const text = `the program declares it as "${parseUrn(urn).name}", and the next up imports it`;
    byKey.set(keyOf(resource, inputs), { kind: "imported", text });
  }
  for (const { urn, inputs = {} } of program.creates.filter(isInAccount)) {
    const text = `the program declares it as "${parseUrn(urn).name}"`;
    const hidden = `perhaps ${text}, since a preview does not show the ${resource.key} of that: give it adopt: true, and run "pulumi up" for it`;
    if (isShown(inputs[resource.key]))
      byKey.set(keyOf(resource, inputs), { kind: "declared", text, isUsual: true });
    else unseen = { kind: "unseen", text: hidden, isOpen: true };
  }
  for (const { resource: kind, values, name, id, provider, isPendingDelete } of held)
    if (kind === resource && !isPendingDelete && isOwnAccount(provider)) {
      const text = `the stack has it as "${name}" (id ${id}); "npx pulumi-tracking doctor" says what to do if the service has given it another id`;
      byKey.set(keyOf(resource, values), { kind: "other-id", text });
    }
  return { byKey, unseen };
}

/** Returns a record's key, with the reason why no other record with that key is written. */
function reasonOfTwin(resource: Resource, { values, id }: RemoteRecord): [key: string, Reason] {
  const text = `id ${id} has the same ${resource.key}, which a program can declare only once`;
  return [keyOf(resource, values), { kind: "twin", text }];
}

/** The row of several records with one key, of which a program could declare only one. */
function rowOfSeveral(resource: Resource, records: readonly [RemoteRecord, ...RemoteRecord[]]): PlanRow {
  const [{ values }] = records;
  const text = `${inOneLine(describeSeveral({ resource, values }, records))}.`;
  return { kind: "several", text, isOpen: true };
}

/** Returns the reason why no program can declare a record, or undefined. */
function reasonOfLack(resource: Resource, found: RemoteRecord): Reason | undefined {
  const lacking = found.id === undefined ? "id" : lackingArgument(resource, found);
  return lacking === undefined
    ? undefined
    : { kind: "lacking", text: `the service sent no ${lacking} for it` };
}

/** Returns the reason why a file for `declareFrom` can't declare a record, or undefined. */
function reasonOfYaml(resource: Resource, state: Values): Reason | undefined {
  const unfit = unfitForYaml(resource, state);
  if (unfit === undefined) return undefined;
  const text = `YAML can't hold its ${unfit} ${format(undefined, state[unfit])}; import it with --format ts or js`;
  return { kind: "unfit", text };
}

/**
 * Rows for the records of the stack's own account that nothing declares: each gets a new name.
 *
 * @param isYaml they are written as a file for `declareFrom`, which can't hold every value
 */
export function unmanagedRows(
  surveyed: Survey,
  { isSelected, isYaml }: { readonly isSelected: IsSelected; readonly isYaml: boolean },
): PlanRow[] {
  const { deployment, program, accounts, held, lists } = surveyed;
  const taken = [...(deployment.resources ?? []), ...program.planned].map(({ urn }) => parseUrn(urn).name);
  const nameFor = uniqueNames(taken);
  const managers = managersOf(held);
  return [...lists].flatMap(([resource, records]) => {
    const baseUrl = baseUrlFor(resource, accounts.own.source);
    const managerOf = ({ id }: RemoteRecord) => managers.get(placeOf({ resource, baseUrl, id }))?.[0];
    const { byKey, unseen } = reasonsFor(resource, surveyed);
    for (const managed of records.filter(managerOf)) byKey.set(...reasonOfTwin(resource, managed));
    const reasonOf = (found: RemoteRecord): Reason | undefined => {
      const manager = managerOf(found);
      if (manager) return { kind: "managed", text: `the stack has it as "${manager.name}"`, isUsual: true };
      if (!isSelected(resource, found.values[resource.key]))
        return { kind: "unselected", text: "it is not selected", isUsual: true };
      const reason = reasonOfLack(resource, found) ?? byKey.get(keyOf(resource, found.values)) ?? unseen;
      return reason ?? (isYaml ? reasonOfYaml(resource, importedState(resource, found)) : undefined);
    };
    const reasons = new Map(records.map((found) => [found, reasonOf(found)]));
    const skipped = records.flatMap((found): PlanRow[] => {
      const reason = reasons.get(found);
      const what = describeRecord({ resource, values: found.values, id: found.id });
      return reason === undefined ? [] : [{ ...reason, text: `${what} is skipped: ${reason.text}.` }];
    });
    const wanted = records.filter((found) => reasons.get(found) === undefined);
    const groups = groupsBy(wanted, ({ values }) => keyOf(resource, values));
    const rows = groups.map((group): PlanRow => {
      const [found, second] = group;
      if (second !== undefined) return rowOfSeveral(resource, group);
      const { id = "", values, createdAt } = found;
      const name = nameFor(String(values[resource.key]));
      const written = { resource, id, createdAt, name, state: importedState(resource, found) };
      const what = describeRecord({ resource, values, id });
      return { kind: "written", text: `${what}: a new file declares it as "${name}".`, written };
    });
    return [...skipped, ...rows];
  });
}
