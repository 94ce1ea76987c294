import type * as pulumi from "@pulumi/pulumi";
import type { Account } from "../provider/lookups/account";
import type { Item } from "../provider/lookups/item";
import type { Purchase, PurchaseValidation } from "../provider/lookups/purchase";
import type { ListArgs } from "../provider/lookups/records";
import { pixel, website } from "../provider/resources";
import { lookup } from "./lookup";
import type {
  GetItemArgs,
  GetItemOutputArgs,
  GetPixelArgs,
  GetPixelOutputArgs,
  GetPixelsArgs,
  GetPixelsOutputArgs,
  GetWebsiteArgs,
  GetWebsiteOutputArgs,
  GetWebsitesArgs,
  GetWebsitesOutputArgs,
  PixelRecord,
  PurchaseArgs,
  PurchaseOutputArgs,
  WebsiteRecord,
} from "./lookup-arguments";

export type { Account, Item, ListArgs, Purchase, PurchaseValidation };

const definitions = () => import("../provider/lookups/index.js");

const account = lookup<object, Account>(async () => (await definitions()).getAccount);
/** The marketplace account that the API key belongs to. It rejects where the service does not accept the key. */
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
/** All items of the account. None is an empty array, with a warning that says what else it can mean. */
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
/** One item. It rejects where there is no such item. */
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
/** The purchase that a code belongs to. It rejects where the code is not valid. */
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
/** Whether a purchase code is valid. It rejects only where the service can't be asked. */
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

const siteRecord = lookup<GetWebsiteArgs, WebsiteRecord>(async () => (await definitions()).getOne(website));
/** One website. It rejects where there is none, or where there are several, and names them. */
export function getWebsite(args: GetWebsiteArgs, opts?: pulumi.InvokeOptions): Promise<WebsiteRecord> {
  return siteRecord.invoke(args, opts);
}
/** `getWebsite` as an Output, for arguments that may be outputs of resources. */
export function getWebsiteOutput(
  args: GetWebsiteOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<WebsiteRecord> {
  return siteRecord.invokeOutput(args, opts);
}

const websites = lookup<GetWebsitesArgs, WebsiteRecord[]>(async () => (await definitions()).getMany(website));
/** Every website that matches, all pages. Without arguments, all there are. */
export function getWebsites(args?: GetWebsitesArgs, opts?: pulumi.InvokeOptions): Promise<WebsiteRecord[]> {
  return websites.invoke(args, opts);
}
/** `getWebsites` as an Output, for arguments that may be outputs of resources. */
export function getWebsitesOutput(
  args?: GetWebsitesOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<WebsiteRecord[]> {
  return websites.invokeOutput(args, opts);
}

const pixelRecord = lookup<GetPixelArgs, PixelRecord>(async () => (await definitions()).getOne(pixel));
/** One pixel. It rejects where there is none, or where there are several, and names them. */
export function getPixel(args: GetPixelArgs, opts?: pulumi.InvokeOptions): Promise<PixelRecord> {
  return pixelRecord.invoke(args, opts);
}
/** `getPixel` as an Output, for arguments that may be outputs of resources. */
export function getPixelOutput(
  args: GetPixelOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<PixelRecord> {
  return pixelRecord.invokeOutput(args, opts);
}

const pixels = lookup<GetPixelsArgs, PixelRecord[]>(async () =>
  (await definitions()).getMany(pixel, ["type"]),
);
/** Every pixel that matches, all pages. Without arguments, all there are. */
export function getPixels(args?: GetPixelsArgs, opts?: pulumi.InvokeOptions): Promise<PixelRecord[]> {
  return pixels.invoke(args, opts);
}
/** `getPixels` as an Output, for arguments that may be outputs of resources. */
export function getPixelsOutput(
  args?: GetPixelsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<PixelRecord[]> {
  return pixels.invokeOutput(args, opts);
}
