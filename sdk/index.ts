/**
 * What a program imports. Its classes are in `resources`, what their constructors give to Pulumi's in `resource.ts`, how they
 * reach the provider in `form.ts`, and YAML files in `declarations`.
 *
 * @module pulumi-tracking
 */
export { type DeclareOptions, declareFrom } from "./declarations/declare";
export type { ListArgs, ListOutputArgs } from "./lookup-forms";
export * from "./lookups";
export { Provider, type ProviderArgs } from "./provider";
export * from "./resources";
