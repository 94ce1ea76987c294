import type { Account } from "../provider/lookups/account";
import type { Item } from "../provider/lookups/item";
import type { Purchase, PurchaseValidation } from "../provider/lookups/purchase";
import type { ListArgs, RecordOf } from "../provider/lookups/records";
import { type PixelType, pixel, website } from "../provider/resources";
import { lookup } from "./lookup";

export type { Account, Item, ListArgs, Purchase, PurchaseValidation };

/**
 * A website that exists; never with its password.
 *
 * @interface
 */
export type WebsiteRecord = RecordOf<typeof website.inputs, "password">;
/**
 * A pixel that exists.
 *
 * @interface
 */
export type PixelRecord = RecordOf<typeof pixel.inputs>;

/** Which item is asked for. */
export interface GetItemArgs {
  /** The item's ID. */
  itemId: number | string;
}

/** Which purchase is asked for. */
export interface PurchaseArgs {
  /** The code that a buyer was given. */
  purchaseCode: string;
}

/** Which website is asked for: by `id`, or by `domain` in any spelling. */
export type GetWebsiteArgs =
  | {
      /** The record's id on the service. */
      id: string;
    }
  | {
      /** The host name that it tracks. */
      domain: string;
    };
/** Which websites are asked for. */
export type GetWebsitesArgs = ListArgs<"domain">;
/** Which pixel is asked for: by `id`, or by `name`. */
export type GetPixelArgs =
  | {
      /** The record's id on the service. */
      id: string;
    }
  | {
      /** Its name in the pixel list. */
      name: string;
    };
/** Which pixels are asked for. */
export interface GetPixelsArgs extends ListArgs<"name"> {
  /** Pixels of this provider alone. */
  type?: PixelType | "x";
}

const definitions = () => import("../provider/lookups/index.js");

const account = lookup<object, Account>(async () => (await definitions()).getAccount);
/** The marketplace account that the API key belongs to. It rejects where the service does not accept the key. */
export const getAccount = account.ask;
/** `getAccount` as an Output, for arguments that may be outputs of resources. */
export const getAccountOutput = account.askOutput;

const items = lookup<object, Item[]>(async () => (await definitions()).getItems);
/** All items of the account. None is an empty array, with a warning that says what else it can mean. */
export const getItems = items.ask;
/** `getItems` as an Output, for arguments that may be outputs of resources. */
export const getItemsOutput = items.askOutput;

const item = lookup<GetItemArgs, Item>(async () => (await definitions()).getItem);
/** One item. It rejects where there is no such item. */
export const getItem = item.ask;
/** `getItem` as an Output, for arguments that may be outputs of resources. */
export const getItemOutput = item.askOutput;

const purchase = lookup<PurchaseArgs, Purchase>(async () => (await definitions()).getPurchase);
/** The purchase that a code belongs to. It rejects where the code is not valid. */
export const getPurchase = purchase.ask;
/** `getPurchase` as an Output, for arguments that may be outputs of resources. */
export const getPurchaseOutput = purchase.askOutput;

const validation = lookup<PurchaseArgs, PurchaseValidation>(
  async () => (await definitions()).validatePurchase,
);
/** Whether a purchase code is valid. It rejects only where the service can't be asked. */
export const validatePurchase = validation.ask;
/** `validatePurchase` as an Output, for arguments that may be outputs of resources. */
export const validatePurchaseOutput = validation.askOutput;

const siteRecord = lookup<GetWebsiteArgs, WebsiteRecord>(async () => (await definitions()).one(website));
/** One website. It rejects where there is none, or where there are several, and names them. */
export const getWebsite = siteRecord.ask;
/** `getWebsite` as an Output, for arguments that may be outputs of resources. */
export const getWebsiteOutput = siteRecord.askOutput;

const websites = lookup<GetWebsitesArgs, WebsiteRecord[]>(async () => (await definitions()).many(website));
/** Every website that matches, all pages. Without arguments, all there are. */
export const getWebsites = websites.ask;
/** `getWebsites` as an Output, for arguments that may be outputs of resources. */
export const getWebsitesOutput = websites.askOutput;

const pixelRecord = lookup<GetPixelArgs, PixelRecord>(async () => (await definitions()).one(pixel));
/** One pixel. It rejects where there is none, or where there are several, and names them. */
export const getPixel = pixelRecord.ask;
/** `getPixel` as an Output, for arguments that may be outputs of resources. */
export const getPixelOutput = pixelRecord.askOutput;

const pixels = lookup<GetPixelsArgs, PixelRecord[]>(async () => (await definitions()).many(pixel, ["type"]));
/** Every pixel that matches, all pages. Without arguments, all there are. */
export const getPixels = pixels.ask;
/** `getPixels` as an Output, for arguments that may be outputs of resources. */
export const getPixelsOutput = pixels.askOutput;
