import type * as pulumi from "@pulumi/pulumi";
import type { ListArgs, RecordOf } from "../../provider/lookups/records";
import { type PixelType, pixel } from "../../provider/resources/pixel";
import { recordLookups } from "../lookup";
import type { Inputs } from "../lookup-arguments";
import { type ResourceArgs, type ResourceClass, type ResourceOutputs, resourceClass } from "../resource";

export { PixelType } from "../../provider/resources/pixel";

/**
 * A third-party tracking pixel. All its arguments update in place, and it is not protected by default.
 *
 * @class
 */
export const Pixel: ResourceClass<PixelArgs, Pixel> = resourceClass(pixel);
export interface Pixel extends pulumi.CustomResource, ResourceOutputs<typeof pixel.inputs> {}
/** The arguments of a `Pixel`. */
export interface PixelArgs extends ResourceArgs<typeof pixel.inputs> {}

/** An existing pixel. */
export interface PixelRecord extends RecordOf<typeof pixel.inputs> {}

/** Which pixel to read: by `id`, or by `name`. */
export type GetPixelArgs =
  | {
      /** The record's id on the service. */
      id: string;
      /** Only without `id`. */
      name?: never;
    }
  | {
      /** Its name in the pixel list. */
      name: string;
      /** Only without `name`. */
      id?: never;
    };
/** The arguments of `getPixel` as Inputs. */
export type GetPixelOutputArgs = Inputs<GetPixelArgs>;
/** Which pixels to list. */
export interface GetPixelsArgs extends ListArgs<"name"> {
  /** Only pixels of this provider. */
  type?: PixelType | "x";
}
/** The arguments of `getPixels` as Inputs. */
export interface GetPixelsOutputArgs extends Inputs<GetPixelsArgs> {}

const { one, many } = recordLookups<GetPixelArgs, GetPixelsArgs, PixelRecord>(pixel);
/** One pixel. Rejects if none or several match; the error names them. */
export function getPixel(args: GetPixelArgs, opts?: pulumi.InvokeOptions): Promise<PixelRecord> {
  return one.invoke(args, opts);
}
/** `getPixel` as an Output, for arguments that may be outputs of resources. */
export function getPixelOutput(
  args: GetPixelOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<PixelRecord> {
  return one.invokeOutput(args, opts);
}
/** Every pixel that matches, from all pages; without arguments, all pixels. */
export function getPixels(args?: GetPixelsArgs, opts?: pulumi.InvokeOptions): Promise<PixelRecord[]> {
  return many.invoke(args, opts);
}
/** `getPixels` as an Output, for arguments that may be outputs of resources. */
export function getPixelsOutput(
  args?: GetPixelsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<PixelRecord[]> {
  return many.invokeOutput(args, opts);
}
