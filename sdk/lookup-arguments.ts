import type * as pulumi from "@pulumi/pulumi";

/** Arguments as Inputs. */
export type Inputs<A> = { [K in keyof A]: pulumi.Input<Exclude<A[K], undefined>> };

/** Which records to list, and in which order. */
export interface ListArgs<K extends string> {
  /** Text that is part of the searched field, in any case. */
  search?: string;
  /** Which field is searched. */
  searchBy?: K;
  /** In the order of creation (`id`, the default), or by this field. */
  sortBy?: "id" | K;
  /** Last ones first (`desc`, the default), or last. */
  sort?: "desc" | "asc";
  /** Records per request: 10, 25, 50 or 100. All pages are read in any case. Default 100. */
  perPage?: 10 | 25 | 50 | 100;
}
/** The same as Inputs. */
export type ListOutputArgs<K extends string> = Inputs<ListArgs<K>>;

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
