import { CustomResource, type CustomResourceOptions, type ID, type Input } from "@pulumi/pulumi";
import { type PixelType, pixel } from "../../provider/resources/pixel";
import type { AnyArgs, ArgsOf, OutputsOf, RecordOf } from "../derived";
import { dynamicForm, type Form } from "../form";
import { asOutput, asPromise, type Inputs, type ListArgs } from "../lookup-forms";
import { isOfType, shareOmitted, shortenStacks, superArguments } from "../resource";

export { PixelType } from "../../provider/resources/pixel";

/**
 * A third-party tracking pixel. All its arguments update in place, and it is not protected by default. If it is deleted,
 * the service detaches it from everything that uses it, and does not attach a new one again.
 * @example
 * new tracking.Pixel("ads", { name: "Ads", type: tracking.PixelType.GoogleAds, value: "AW-12345" });
 * @example
 * // Manage the pixel that the service has already under this name, and set its value.
 * new tracking.Pixel("ga", { name: "GA", type: "google-analytics", value: "G-12345", adopt: true });
 * @example
 * // Refuse to delete or replace a pixel that much depends on.
 * new tracking.Pixel("shop", { name: "Shop", type: "facebook", value: "12345" }, { protect: true });
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the engine sets the outputs, which follow from the definition.
export class Pixel extends CustomResource {
  /** @internal */
  static readonly form: Form = dynamicForm;
  static {
    shareOmitted(Pixel, pixel);
  }

  constructor(name: string, args: PixelArgs, opts: CustomResourceOptions = {}) {
    const superArgs = superArguments(pixel, new.target.form, name, args, opts);
    const restore = shortenStacks();
    try {
      super(...superArgs);
    } finally {
      restore();
    }
  }

  /**
   * Reads a record that exists and is managed elsewhere. It fails if no such record exists.
   *
   * @param state values that the service does not return, if they are known
   * @example const ads = tracking.Pixel.get("ads", "7");
   */
  static get(name: string, id: Input<ID>, state?: Partial<PixelArgs>, opts?: CustomResourceOptions) {
    // What is read needs no arguments.
    return new this(name, state as PixelArgs, { ...opts, id });
  }

  /** Whether a value is such a resource, including one of another copy of this package. */
  static override isInstance(value: unknown): value is Pixel {
    return isOfType(pixel, value);
  }
}

export interface Pixel extends OutputsOf<typeof pixel.inputs> {}
/** The arguments of a `Pixel`. */
export interface PixelArgs extends ArgsOf<typeof pixel.inputs>, AnyArgs {}
/** An existing pixel. */
export interface PixelRecord extends RecordOf<typeof pixel.inputs> {}

/** Which pixel to read: by `id`, or by `name`. */
export type GetPixelArgs =
  | {
      /** The record's id on the service. */
      id: string;
      name?: never;
    }
  | {
      /** Its name in the pixel list. */
      name: string;
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
export type GetPixelsOutputArgs = Inputs<GetPixelsArgs>;

/**
 * One pixel. Fails if none or several match; the error names them.
 * @example const { value } = await tracking.getPixel({ name: "Analytics" });
 */
export const getPixel = asPromise<[args: GetPixelArgs], PixelRecord>(({ getOne }) => getOne(pixel));
/** `getPixel` as an Output, for arguments that may be outputs of resources. */
export const getPixelOutput = asOutput<[args: GetPixelOutputArgs], PixelRecord>(({ getOne }) =>
  getOne(pixel),
);
/**
 * Every pixel that matches, from all pages; without arguments, all pixels.
 * @example const twitter = await tracking.getPixels({ type: "twitter" });
 */
export const getPixels = asPromise<[args?: GetPixelsArgs], PixelRecord[]>(({ getMany }) => getMany(pixel));
/** `getPixels` as an Output, for arguments that may be outputs of resources. */
export const getPixelsOutput = asOutput<[args?: GetPixelsOutputArgs], PixelRecord[]>(({ getMany }) =>
  getMany(pixel),
);
