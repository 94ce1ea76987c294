import type * as pulumi from "@pulumi/pulumi";

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
