import type * as pulumi from "@pulumi/pulumi";
import { pixel, website } from "../provider/resources";
import { type ResourceArgs, type ResourceClass, type ResourceOutputs, resourceClass } from "./resource";

/**
 * A tracked website: who may see its statistics, e-mail reports, and what is left out of them.
 *
 * Protected by default, since its statistics are deleted with it: before it can be deleted or replaced, the
 * program has to say `protect: false`, and `pulumi up` has to have run. With `retainOnDelete: true` the record
 * stays on the service, and nothing is protected.
 *
 * @class
 */
export const Website: ResourceClass<WebsiteArgs, Website> = resourceClass(website);
export interface Website extends pulumi.CustomResource, ResourceOutputs<typeof website.inputs> {}
/** The arguments of a `Website`. */
export interface WebsiteArgs extends ResourceArgs<typeof website.inputs> {}

/**
 * A third-party tracking pixel. Everything about it is changed in place, and it is not protected by default.
 *
 * @class
 */
export const Pixel: ResourceClass<PixelArgs, Pixel> = resourceClass(pixel);
export interface Pixel extends pulumi.CustomResource, ResourceOutputs<typeof pixel.inputs> {}
/** The arguments of a `Pixel`. */
export interface PixelArgs extends ResourceArgs<typeof pixel.inputs> {}

/** What each class makes, by the class's name; the same names as in the catalogue. */
export interface Instances {
  Website: Website;
  Pixel: Pixel;
}
