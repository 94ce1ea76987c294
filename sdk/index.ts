/**
 * What a program imports.
 *
 * @module pulumi-tracking
 */
export { type DeclareOptions, declareFrom } from "./declarations/declare";
export type {
  GetItemArgs,
  GetItemOutputArgs,
  ListArgs,
  ListOutputArgs,
  PurchaseArgs,
  PurchaseOutputArgs,
} from "./lookup-arguments";
export * from "./lookups";
export { Provider, type ProviderArgs } from "./provider";
export * from "./resources";
