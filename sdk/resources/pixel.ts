import * as pulumi from "@pulumi/pulumi";
import { type PixelType, pixel } from "../../provider/resources/pixel";
import type { ArgsOf, OutputsOf, RecordOf } from "../derived";
import { dynamicForm, type Form } from "../form";
import { type Inputs, type ListArgs, recordLookups } from "../lookup-forms";
import { isOfType, registration, shareOmitted, shortenStacks } from "../resource";

export { PixelType } from "../../provider/resources/pixel";

/**
 * A third-party tracking pixel. All its arguments update in place, and it is not protected by default. If it is deleted,
 * the service detaches it from everything that uses it, and does not attach a new one again.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the engine sets the outputs.
export class Pixel extends pulumi.CustomResource {
  /** @internal */
  static readonly form: Form = dynamicForm;
  static {
    shareOmitted(Pixel, pixel);
  }

  /**
   * @param name the resource's name in the program
   * @param args what the record should be
   * @param opts ordinary resource options; in the main entry `import` is refused: run `pulumi-tracking import` instead
   */
  constructor(name: string, args: PixelArgs, opts: pulumi.CustomResourceOptions = {}) {
    const { parameters, follow } = registration(pixel, new.target.form, name, args, opts);
    const restore = shortenStacks();
    try {
      super(...parameters);
    } finally {
      restore();
    }
    follow(this.id);
  }

  /**
   * Reads a record that exists and is managed elsewhere. It fails if no such record exists.
   *
   * @param name the resource's name in the program
   * @param id the record's id on the service
   * @param state values that the service does not return, if they are known
   * @param opts ordinary resource options
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: Partial<PixelArgs> = {},
    opts: pulumi.CustomResourceOptions = {},
  ): Pixel {
    // What is read needs no arguments.
    return new this(name, state as PixelArgs, { ...opts, id });
  }

  /** Whether a value is such a resource, including one of another copy of this package. */
  static override isInstance(value: unknown): value is Pixel {
    return isOfType(pixel, value);
  }
}

// Its outputs.
export interface Pixel extends OutputsOf<typeof pixel.inputs> {}
/** The arguments of a `Pixel`. */
export interface PixelArgs extends ArgsOf<typeof pixel.inputs> {}
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
export type GetPixelsOutputArgs = Inputs<GetPixelsArgs>;

const { one, many } = recordLookups<GetPixelArgs, GetPixelsArgs, PixelRecord>(pixel);
/** One pixel. Fails if none or several match; the error names them. */
export const getPixel = one.invoke;
/** `getPixel` as an Output, for arguments that may be outputs of resources. */
export const getPixelOutput = one.invokeOutput;
/** Every pixel that matches, from all pages; without arguments, all pixels. */
export const getPixels = many.invoke;
/** `getPixels` as an Output, for arguments that may be outputs of resources. */
export const getPixelsOutput = many.invokeOutput;
