import type { Resource, Values } from "../../schema/resource";
import { type Bag, marshal } from "../marshal";
import { PROVIDER } from "./identity";

/** Values with the constant text, as the bag `from` has it that the engine gave. */
export function bagOf(resource: Resource, values: Values, from: Bag): Bag {
  return { ...marshal(resource, values), [PROVIDER]: from[PROVIDER] };
}

/** Whether a bag of state has the constant text. */
export function hasProvider(bag: Bag): boolean {
  return PROVIDER in bag;
}
