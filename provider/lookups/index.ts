export { getAccount } from "./account";
export { getItem, getItems } from "./item";
export { getPurchase, validatePurchase } from "./purchase";
export { getMany, getOne } from "./records";
