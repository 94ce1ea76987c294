import { getAccount, getItem, getItems, getMany, getOne, getPurchase, validatePurchase } from "../../lookups";
import type { Lookup } from "../../lookups/lookup";
import { catalogue } from "../../resources";
import { pluginToken } from "./identity";

/** Every look-up there is. */
export const lookups: readonly Lookup<unknown>[] = [
  getAccount,
  getItem,
  getItems,
  getPurchase,
  validatePurchase,
  ...catalogue.flatMap((each) => [getOne(each), getMany(each)]),
];

/** The look-up of this name. */
export function lookupNamed(name: string): Lookup<unknown> {
  const found = lookups.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no function ${pluginToken(name)}`);
  return found;
}

/** What the list is called that a look-up gives as a function, which has to give an object: `items` of `getItems`. */
export function listName(lookup: string): string {
  return lookup.replace(/^get(.)/, (_, letter: string) => letter.toLowerCase());
}
