/**
 * The look-ups, as data: each only reads, and no state holds what it returns. `invoke.ts`, which answers them for any host, is
 * not here: a program loads these alone.
 */
export { getAccount } from "./account";
export { getItem, getItems } from "./item";
export { getPurchase, validatePurchase } from "./purchase";
export { getMany, getOne } from "./records";
