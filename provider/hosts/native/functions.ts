import { getAccount, getItem, getItems, getMany, getOne, getPurchase, validatePurchase } from "../../lookups";
import type { Lookup } from "../../lookups/lookup";
import { catalogue } from "../../resources";

/** Every look-up. */
export const lookups: readonly Lookup<unknown>[] = [
  getAccount,
  getItem,
  getItems,
  getPurchase,
  validatePurchase,
  ...catalogue.flatMap((resource) => [getOne(resource), getMany(resource)]),
];

/** The property that holds a look-up's list, since a function must return an object: `items` for `getItems`. */
export function listName(lookup: string): string {
  return lookup.replace(/^get(.)/, (_, letter: string) => letter.toLowerCase());
}
