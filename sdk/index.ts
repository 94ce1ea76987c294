import { pixel, website } from "../provider/resources";
import { type ResourceArgs, type ResourceClass, resourceClass } from "./resource";

export { PixelType, Privacy } from "../provider/resources";
export { type Declared, type DeclareOptions, declareFrom } from "./declare";
export * from "./lookups";
export { Provider, type ProviderArgs } from "./provider";

/** A tracked website: who may see its statistics, e-mail reports, and what is left out. Protected by default. */
export const Website: ResourceClass<typeof website.inputs> = resourceClass(website);
export type Website = InstanceType<typeof Website>;
/** The arguments of a `Website`. */
export type WebsiteArgs = ResourceArgs<typeof website.inputs>;

/** A third-party tracking pixel. */
export const Pixel: ResourceClass<typeof pixel.inputs> = resourceClass(pixel);
export type Pixel = InstanceType<typeof Pixel>;
/** The arguments of a `Pixel`. */
export type PixelArgs = ResourceArgs<typeof pixel.inputs>;
