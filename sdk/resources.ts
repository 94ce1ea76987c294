import type * as pulumi from "@pulumi/pulumi";
import { pixel, website } from "../provider/resources";
import { type ResourceArgs, type ResourceClass, type ResourceOutputs, resourceClass } from "./resource";

/**
 * A tracked website: who may see its statistics, e-mail reports, and what is left out of them.
 *
 * Protected by default, because deleting it deletes its statistics: to delete or replace one, set `protect: false`
 * and run `pulumi up` first. With `retainOnDelete: true` the service keeps the record, and it is not protected.
 *
 * @class
 */
export const Website: ResourceClass<WebsiteArgs, Website> = resourceClass(website);
export interface Website extends pulumi.CustomResource, ResourceOutputs<typeof website.inputs> {}
/** The arguments of a `Website`. */
export interface WebsiteArgs extends ResourceArgs<typeof website.inputs> {}

/**
 * A third-party tracking pixel. All its arguments update in place, and it is not protected by default.
 *
 * @class
 */
export const Pixel: ResourceClass<PixelArgs, Pixel> = resourceClass(pixel);
export interface Pixel extends pulumi.CustomResource, ResourceOutputs<typeof pixel.inputs> {}
/** The arguments of a `Pixel`. */
export interface PixelArgs extends ResourceArgs<typeof pixel.inputs> {}
