import type * as pulumi from "@pulumi/pulumi";
import type { ListArgs, RecordOf } from "../provider/lookups/records";
import type { PixelType, pixel, website } from "../provider/resources";

/** Arguments as Inputs. */
export type Inputs<A> = { [K in keyof A]: pulumi.Input<Exclude<A[K], undefined>> };

/** Which item is asked for. */
export interface GetItemArgs {
  /** The item's ID. */
  itemId: number | string;
}
/** The arguments of `getItem` as Inputs. */
export interface GetItemOutputArgs extends Inputs<GetItemArgs> {}

/** Which purchase is asked for. */
export interface PurchaseArgs {
  /** The code that a buyer was given. */
  purchaseCode: string;
}
/** The arguments of `getPurchase` and `validatePurchase` as Inputs. */
export interface PurchaseOutputArgs extends Inputs<PurchaseArgs> {}

/** Which website is asked for: by `id`, or by `domain` in any spelling. */
export type GetWebsiteArgs =
  | {
      /** The record's id on the service. */
      id: string;
      /** Not beside `id`. */
      domain?: never;
    }
  | {
      /** The host name that it tracks. */
      domain: string;
      /** Not beside `domain`. */
      id?: never;
    };
/** The arguments of `getWebsite` as Inputs. */
export type GetWebsiteOutputArgs = Inputs<GetWebsiteArgs>;
/** Which websites are asked for. */
export interface GetWebsitesArgs extends ListArgs<"domain"> {}
/** The arguments of `getWebsites` as Inputs. */
export interface GetWebsitesOutputArgs extends Inputs<GetWebsitesArgs> {}

/** Which pixel is asked for: by `id`, or by `name`. */
export type GetPixelArgs =
  | {
      /** The record's id on the service. */
      id: string;
      /** Not beside `id`. */
      name?: never;
    }
  | {
      /** Its name in the pixel list. */
      name: string;
      /** Not beside `name`. */
      id?: never;
    };
/** The arguments of `getPixel` as Inputs. */
export type GetPixelOutputArgs = Inputs<GetPixelArgs>;
/** Which pixels are asked for. */
export interface GetPixelsArgs extends ListArgs<"name"> {
  /** Pixels of this provider alone. */
  type?: PixelType | "x";
}
/** The arguments of `getPixels` as Inputs. */
export interface GetPixelsOutputArgs extends Inputs<GetPixelsArgs> {}

/** A website that exists; never with its password. */
export interface WebsiteRecord extends RecordOf<typeof website.inputs, "password"> {}
/** A pixel that exists. */
export interface PixelRecord extends RecordOf<typeof pixel.inputs> {}
