/**
 * What a program imports.
 *
 * @module pulumi-tracking
 */
import { pixel, website } from "../provider/resources";
import { type ResourceArgs, type ResourceClass, resourceClass } from "./resource";

export { PixelType, Privacy } from "../provider/resources";
export { type Declared, type DeclareOptions, declareFrom } from "./declare";
export * from "./lookups";
export { Provider, type ProviderArgs } from "./provider";

/**
 * A tracked website: who may see its statistics, e-mail reports, and what is left out. Protected by default.
 *
 * @class
 */
export const Website: ResourceClass<typeof website.inputs, WebsiteArgs> = resourceClass(website);
export type Website = InstanceType<typeof Website>;
/**
 * The arguments of a `Website`.
 *
 * @interface
 */
export type WebsiteArgs = ResourceArgs<typeof website.inputs>;

/**
 * A third-party tracking pixel.
 *
 * @class
 */
export const Pixel: ResourceClass<typeof pixel.inputs, PixelArgs> = resourceClass(pixel);
export type Pixel = InstanceType<typeof Pixel>;
/**
 * The arguments of a `Pixel`.
 *
 * @interface
 */
export type PixelArgs = ResourceArgs<typeof pixel.inputs>;
