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

/** A pixel that exists. */
export interface PixelRecord extends RecordOf<typeof pixel.inputs> {}

/** Which pixel is asked for: by `id`, or by `name`. */
export type GetPixelArgs =
  | {
      /** The record's id on the service. */
      id: string;
      /** Not beside `id`. */
      name?: never;
    }
  | {
      /** Its name in the pixel list. */
      name: string;
      /** Not beside `name`. */
      id?: never;
    };
/** The arguments of `getPixel` as Inputs. */
export type GetPixelOutputArgs = Inputs<GetPixelArgs>;
/** Which pixels are asked for. */
export interface GetPixelsArgs extends ListArgs<"name"> {
  /** Pixels of this provider alone. */
  type?: PixelType | "x";
}
/** The arguments of `getPixels` as Inputs. */
export interface GetPixelsOutputArgs extends Inputs<GetPixelsArgs> {}

const { one, many } = recordLookups<GetPixelArgs, GetPixelsArgs, PixelRecord>(pixel);
/** One pixel. It rejects where there is none, or where there are several, and names them. */
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
/** Every pixel that matches, all pages. Without arguments, all there are. */
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
