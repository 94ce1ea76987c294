import { changedFields } from "../schema/compare";
import { fieldOf, type Resource, type Values } from "../schema/resource";

/** Whether, and how, new arguments differ from what is kept. */
export function diff(
  resource: Resource,
  olds: Values,
  news: Values,
): { changes: boolean; replaces: string[] } {
  const names = changedFields(resource, olds, news);
  return { changes: names.length > 0, replaces: names.filter((name) => fieldOf(resource, name).replaces) };
}
