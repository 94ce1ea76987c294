import type * as pulumi from "@pulumi/pulumi";

/** Arguments as Inputs. */
export type Inputs<A> = { [K in keyof A]: pulumi.Input<Exclude<A[K], undefined>> };

/** Which item to read. */
export interface GetItemArgs {
  /** The item's ID. */
  itemId: number | string;
}
/** The arguments of `getItem` as Inputs. */
export interface GetItemOutputArgs extends Inputs<GetItemArgs> {}

/** Which purchase to validate. */
export interface PurchaseArgs {
  /** The buyer's code. */
  purchaseCode: string;
}
/** The arguments of `getPurchase` and `validatePurchase` as Inputs. */
export interface PurchaseOutputArgs extends Inputs<PurchaseArgs> {}
