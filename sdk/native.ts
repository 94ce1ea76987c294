/**
 * The same classes and look-ups over the provider plugin: a program changes its import line and nothing else.
 *
 * @module pulumi-tracking/native
 */
import { type Catalogue, catalogue, pixel, website } from "../provider/resources";
import { type Declared, type DeclareOptions, declareAll } from "./declarations/declare";
import { nativeForm } from "./native-form";
import { type Provider as ExplicitProvider, type ProviderClass, providerClass } from "./provider";
import { type ResourceClass, resourceClass } from "./resource";
import type * as resources from "./resources";

export { PixelType, Privacy } from "../provider/resources";
export type { Declared, DeclareOptions } from "./declarations/declare";
export type * from "./lookup-arguments";
export * from "./lookups";
export type { ProviderArgs } from "./provider-settings";
export type { PixelArgs, WebsiteArgs } from "./resources";

/**
 * A tracked website, as in the main entry.
 *
 * @class
 */
export const Website: ResourceClass<resources.WebsiteArgs, Website> = resourceClass(website, nativeForm);
export interface Website extends resources.Website {}

/**
 * A third-party tracking pixel, as in the main entry.
 *
 * @class
 */
export const Pixel: ResourceClass<resources.PixelArgs, Pixel> = resourceClass(pixel, nativeForm);
export interface Pixel extends resources.Pixel {}

/**
 * An explicit provider, as in the main entry.
 *
 * @class
 */
export const Provider: ProviderClass = providerClass(nativeForm);
export interface Provider extends ExplicitProvider {}

/** Declares all websites and pixels of one YAML file, as in the main entry. */
export function declareFrom(path: string, opts?: DeclareOptions): Declared {
  return declareAll<Catalogue[number]>(catalogue, path, opts, nativeForm);
}
