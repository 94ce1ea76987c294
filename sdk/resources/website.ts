import * as pulumi from "@pulumi/pulumi";
import { website } from "../../provider/resources/website";
import type { ArgsOf, OutputsOf, RecordOf } from "../derived";
import { dynamicForm, type Form } from "../form";
import { type Inputs, type ListArgs, recordLookups } from "../lookup-forms";
import { isOfType, registration, shareOmitted, shortenStacks } from "../resource";

export { Privacy } from "../../provider/resources/website";

/**
 * A tracked website: who may see its statistics, e-mail reports, and what the statistics exclude.
 *
 * Protected by default, because deleting it deletes its statistics: to delete or replace one, set `protect: false`
 * and run `pulumi up` first. With `retainOnDelete: true` the service keeps the record, and it is not protected.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the engine sets the outputs.
export class Website extends pulumi.CustomResource {
  /** @internal */
  static readonly form: Form = dynamicForm;
  static {
    shareOmitted(Website, website);
  }

  /**
   * @param name the resource's name in the program
   * @param args what the record should be
   * @param opts ordinary resource options; in the main entry `import` is refused: run `pulumi-tracking import` instead
   */
  constructor(name: string, args: WebsiteArgs, opts: pulumi.CustomResourceOptions = {}) {
    const { parameters, follow } = registration(website, new.target.form, name, args, opts);
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
    state: Partial<WebsiteArgs> = {},
    opts: pulumi.CustomResourceOptions = {},
  ): Website {
    // What is read needs no arguments.
    return new this(name, state as WebsiteArgs, { ...opts, id });
  }

  /** Whether a value is such a resource, including one of another copy of this package. */
  static override isInstance(value: unknown): value is Website {
    return isOfType(website, value);
  }
}

// Its outputs.
export interface Website extends OutputsOf<typeof website.inputs> {}
/** The arguments of a `Website`. */
export interface WebsiteArgs extends ArgsOf<typeof website.inputs> {}
/** An existing website, without its password. */
export interface WebsiteRecord extends RecordOf<typeof website.inputs> {}

/** Which website to read: by `id`, or by `domain` in any spelling. */
export type GetWebsiteArgs =
  | {
      /** The record's id on the service. */
      id: string;
      /** Only without `id`. */
      domain?: never;
    }
  | {
      /** The host name that it tracks. */
      domain: string;
      /** Only without `domain`. */
      id?: never;
    };
/** The arguments of `getWebsite` as Inputs. */
export type GetWebsiteOutputArgs = Inputs<GetWebsiteArgs>;
/** Which websites to list. */
export interface GetWebsitesArgs extends ListArgs<"domain"> {}
/** The arguments of `getWebsites` as Inputs. */
export type GetWebsitesOutputArgs = Inputs<GetWebsitesArgs>;

const { one, many } = recordLookups<GetWebsiteArgs, GetWebsitesArgs, WebsiteRecord>(website);
/** One website. Fails if none or several match; the error names them. */
export const getWebsite = one.invoke;
/** `getWebsite` as an Output, for arguments that may be outputs of resources. */
export const getWebsiteOutput = one.invokeOutput;
/** Every website that matches, from all pages; without arguments, all websites. */
export const getWebsites = many.invoke;
/** `getWebsites` as an Output, for arguments that may be outputs of resources. */
export const getWebsitesOutput = many.invokeOutput;
