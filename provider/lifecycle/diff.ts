import { changedFields } from "../schema/compare";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import type { Context } from "./context";
import { describeOwner, describeRecord, LifecycleError } from "./errors";

/** Whether, and how, new arguments differ from state. */
export function diff(
  resource: Resource,
  olds: Values,
  news: Values,
): { changes: boolean; replaces: string[] } {
  const names = changedFields(resource, olds, news);
  return { changes: names.length > 0, replaces: names.filter((name) => fieldOf(resource, name).replaces) };
}

/** Enters in the ledger whether a resource keeps its record. Throws if another resource owns that record. */
export function hold({ resource, ledger }: Context, id: string, news: Values, isReplaced: boolean): void {
  const other = ledger.compare(id, news, isReplaced);
  if (other === undefined) return;
  throw new LifecycleError(
    `${describeRecord({ resource, values: news, id })} also belongs to ${describeOwner(other.name)}: make the two changes one after the other; if state holds the record for both, drop one of them with "pulumi state delete"`,
  );
}
