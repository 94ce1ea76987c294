import type * as pulumi from "@pulumi/pulumi";
import type { Account } from "../provider/lookups/account";
import type { Item } from "../provider/lookups/item";
import type { Purchase, PurchaseValidation } from "../provider/lookups/purchase";
import { lookup } from "./lookup";
import type { GetItemArgs, GetItemOutputArgs, PurchaseArgs, PurchaseOutputArgs } from "./lookup-arguments";

export type { Account, Item, Purchase, PurchaseValidation };

const definitions = () => import("../provider/lookups/index.js");

const account = lookup<object, Account>(async () => (await definitions()).getAccount);
/** The marketplace account that the API key belongs to. Rejects if the service does not accept the key. */
export function getAccount(args?: Record<string, never>, opts?: pulumi.InvokeOptions): Promise<Account> {
  return account.invoke(args, opts);
}
/** `getAccount` as an Output, for arguments that may be outputs of resources. */
export function getAccountOutput(
  args?: Record<string, never>,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Account> {
  return account.invokeOutput(args, opts);
}

const items = lookup<object, Item[]>(async () => (await definitions()).getItems);
/** All items of the account. If the service finds none, the array is empty, and a warning says why that may be. */
export function getItems(args?: Record<string, never>, opts?: pulumi.InvokeOptions): Promise<Item[]> {
  return items.invoke(args, opts);
}
/** `getItems` as an Output, for arguments that may be outputs of resources. */
export function getItemsOutput(
  args?: Record<string, never>,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Item[]> {
  return items.invokeOutput(args, opts);
}

const item = lookup<GetItemArgs, Item>(async () => (await definitions()).getItem);
/** One item. Rejects if it does not exist. */
export function getItem(args: GetItemArgs, opts?: pulumi.InvokeOptions): Promise<Item> {
  return item.invoke(args, opts);
}
/** `getItem` as an Output, for arguments that may be outputs of resources. */
export function getItemOutput(
  args: GetItemOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Item> {
  return item.invokeOutput(args, opts);
}

const purchase = lookup<PurchaseArgs, Purchase>(async () => (await definitions()).getPurchase);
/** The purchase that a code belongs to. Rejects if the code is not valid. */
export function getPurchase(args: PurchaseArgs, opts?: pulumi.InvokeOptions): Promise<Purchase> {
  return purchase.invoke(args, opts);
}
/** `getPurchase` as an Output, for arguments that may be outputs of resources. */
export function getPurchaseOutput(
  args: PurchaseOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Purchase> {
  return purchase.invokeOutput(args, opts);
}

const validation = lookup<PurchaseArgs, PurchaseValidation>(
  async () => (await definitions()).validatePurchase,
);
/** Whether a purchase code is valid. Rejects only if the service can't be asked. */
export function validatePurchase(
  args: PurchaseArgs,
  opts?: pulumi.InvokeOptions,
): Promise<PurchaseValidation> {
  return validation.invoke(args, opts);
}
/** `validatePurchase` as an Output, for arguments that may be outputs of resources. */
export function validatePurchaseOutput(
  args: PurchaseOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<PurchaseValidation> {
  return validation.invokeOutput(args, opts);
}
