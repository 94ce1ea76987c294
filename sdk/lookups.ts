import type { Account } from "../provider/lookups/account";
import type { Item } from "../provider/lookups/item";
import type { Purchase, PurchaseValidation } from "../provider/lookups/purchase";
import { type Inputs, lookup } from "./lookup-forms";

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

const account = lookup<None, None, Account>((all) => all.getAccount);
/** The marketplace account that the API key belongs to. Fails if the service does not accept the key. */
export const getAccount = account.invoke;
/** `getAccount` as an Output, for arguments that may be outputs of resources. */
export const getAccountOutput = account.invokeOutput;

const items = lookup<None, None, Item[]>((all) => all.getItems);
/** All items of the account. If the service finds none, the array is empty, and a warning says why that may be. */
export const getItems = items.invoke;
/** `getItems` as an Output, for arguments that may be outputs of resources. */
export const getItemsOutput = items.invokeOutput;

const item = lookup<[args: GetItemArgs], [args: GetItemOutputArgs], Item>((all) => all.getItem);
/** One item. Fails if it does not exist. */
export const getItem = item.invoke;
/** `getItem` as an Output, for arguments that may be outputs of resources. */
export const getItemOutput = item.invokeOutput;

const purchase = lookup<[args: PurchaseArgs], [args: PurchaseOutputArgs], Purchase>((all) => all.getPurchase);
/** The purchase that a code belongs to. Fails if the code is not valid. */
export const getPurchase = purchase.invoke;
/** `getPurchase` as an Output, for arguments that may be outputs of resources. */
export const getPurchaseOutput = purchase.invokeOutput;

const validation = lookup<[args: PurchaseArgs], [args: PurchaseOutputArgs], PurchaseValidation>(
  (all) => all.validatePurchase,
);
/** Whether a purchase code is valid. Fails only if the service can't be asked. */
export const validatePurchase = validation.invoke;
/** `validatePurchase` as an Output, for arguments that may be outputs of resources. */
export const validatePurchaseOutput = validation.invokeOutput;
