/**
 * What a program imports.
 *
 * @module pulumi-tracking
 */
export { type DeclareOptions, declareFrom } from "./declarations/declare";
export type { ListArgs, ListOutputArgs } from "./lookup-forms";
export * from "./lookups";
export { Provider, type ProviderArgs } from "./provider";
export * from "./resources";
