import type { Resource, Values } from "../../schema/resource";
import { type Bag, marshal } from "../marshal";
import { PROVIDER } from "./identity";

/** Values as a bag, with the `__provider` code of the bag `from`. */
export function bagOf(resource: Resource, values: Values, from: Bag): Bag {
  return { ...marshal(resource, values), [PROVIDER]: from[PROVIDER] };
}

/** Whether a bag of state has the `__provider` code. */
export function hasProvider(bag: Bag): boolean {
  return PROVIDER in bag;
}
