import type { Account } from "../provider/lookups/account";
import type { Item } from "../provider/lookups/item";
import type { Purchase, PurchaseValidation } from "../provider/lookups/purchase";
import { asOutput, asPromise, type Inputs } from "./lookup-forms";

export type { Account, Item, Purchase, PurchaseValidation };

/** Which item to read. */
export interface GetItemArgs {
  /** The item's ID. */
  itemId: number | string;
}
/** The arguments of `getItem` as Inputs. */
export type GetItemOutputArgs = Inputs<GetItemArgs>;

/** Which purchase to validate. */
export interface PurchaseArgs {
  /** The buyer's code. */
  purchaseCode: string;
}
/** The arguments of `getPurchase` and `validatePurchase` as Inputs. */
export type PurchaseOutputArgs = Inputs<PurchaseArgs>;

type None = [args?: Record<string, never>];

/**
 * The marketplace account that the API key belongs to. Fails if the service does not accept the key.
 * @example const { username, balance } = await tracking.getAccount();
 */
export const getAccount = asPromise<None, Account>(({ getAccount }) => getAccount);
/** `getAccount` as an Output, for arguments that may be outputs of resources. */
export const getAccountOutput = asOutput<None, Account>(({ getAccount }) => getAccount);

/**
 * All items of the account. If the service finds none, the array is empty, and a warning says why that may be.
 * @example const names = (await tracking.getItems()).map(({ name }) => name);
 */
export const getItems = asPromise<None, Item[]>(({ getItems }) => getItems);
/** `getItems` as an Output, for arguments that may be outputs of resources. */
export const getItemsOutput = asOutput<None, Item[]>(({ getItems }) => getItems);

/**
 * One item. Fails if it does not exist.
 * @example const { price } = await tracking.getItem({ itemId: 1234 });
 */
export const getItem = asPromise<[args: GetItemArgs], Item>(({ getItem }) => getItem);
/** `getItem` as an Output, for arguments that may be outputs of resources. */
export const getItemOutput = asOutput<[args: GetItemOutputArgs], Item>(({ getItem }) => getItem);

/**
 * The purchase that a code belongs to. Fails if the code is not valid.
 * @example const { item } = await tracking.getPurchase({ purchaseCode: "the-code" });
 */
export const getPurchase = asPromise<[args: PurchaseArgs], Purchase>(({ getPurchase }) => getPurchase);
/** `getPurchase` as an Output, for arguments that may be outputs of resources. */
export const getPurchaseOutput = asOutput<[args: PurchaseOutputArgs], Purchase>(
  ({ getPurchase }) => getPurchase,
);

/**
 * Whether a purchase code is valid. Fails only if the service can't be asked.
 * @example const { valid } = await tracking.validatePurchase({ purchaseCode: "the-code" });
 */
export const validatePurchase = asPromise<[args: PurchaseArgs], PurchaseValidation>(
  ({ validatePurchase }) => validatePurchase,
);
/** `validatePurchase` as an Output, for arguments that may be outputs of resources. */
export const validatePurchaseOutput = asOutput<[args: PurchaseOutputArgs], PurchaseValidation>(
  ({ validatePurchase }) => validatePurchase,
);
