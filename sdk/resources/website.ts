import { CustomResource, type CustomResourceOptions, type ID, type Input } from "@pulumi/pulumi";
import { website } from "../../provider/resources/website";
import type { AnyArgs, ArgsOf, OutputsOf, RecordOf } from "../derived";
import { dynamicForm, type Form } from "../form";
import { asOutput, asPromise, type Inputs, type ListArgs } from "../lookup-forms";
import { isOfType, shareOmitted, shortenStacks, superArguments } from "../resource";

export { Privacy } from "../../provider/resources/website";

/**
 * A tracked website: who may see its statistics, e-mail reports, and what the statistics exclude.
 *
 * Protected by default, because deleting it deletes its statistics: to delete one, set `protect: false` and run
 * `pulumi up` first; to replace one, both can be one edit. With `retainOnDelete: true` the service keeps the record, and it is
 * not protected.
 * @example
 * const shop = new tracking.Website("shop", { domain: "shop.example.com", excludeIps: ["192.0.2.0/24"] });
 * @example
 * // A statistics page for whoever has the password, which `pulumi config set --secret shopPassword` has stored.
 * const password = new pulumi.Config().requireSecret("shopPassword");
 * new tracking.Website("shop", { domain: "shop.example.com", privacy: "password", password });
 * @example
 * // Manage the website that the service has already, instead of failing because it exists.
 * new tracking.Website("blog", { domain: "blog.example.com", adopt: true });
 * @example
 * // Delete a website with its statistics: run `pulumi up` with this line, then remove the line and run it again.
 * new tracking.Website("old", { domain: "old.example.com" }, { protect: false });
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the engine sets the outputs, which follow from the definition.
export class Website extends CustomResource {
  /** @internal */
  static readonly form: Form = dynamicForm;
  static {
    shareOmitted(Website, website);
  }

  constructor(name: string, args: WebsiteArgs, opts: CustomResourceOptions = {}) {
    const superArgs = superArguments(website, new.target.form, name, args, opts);
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
   * @example const shop = tracking.Website.get("shop", "7");
   */
  static get(name: string, id: Input<ID>, state?: Partial<WebsiteArgs>, opts?: CustomResourceOptions) {
    // What is read needs no arguments.
    return new this(name, state as WebsiteArgs, { ...opts, id });
  }

  /** Whether a value is such a resource, including one of another copy of this package. */
  static override isInstance(value: unknown): value is Website {
    return isOfType(website, value);
  }
}

export interface Website extends OutputsOf<typeof website.inputs> {}
/** The arguments of a `Website`. */
export interface WebsiteArgs extends ArgsOf<typeof website.inputs>, AnyArgs {}
/** An existing website, without its password. */
export interface WebsiteRecord extends RecordOf<typeof website.inputs> {}

/** Which website to read: by `id`, or by `domain` in any spelling. */
export type GetWebsiteArgs =
  | {
      /** The record's id on the service. */
      id: string;
      domain?: never;
    }
  | {
      /** The host name that it tracks. */
      domain: string;
      id?: never;
    };
/** The arguments of `getWebsite` as Inputs. */
export type GetWebsiteOutputArgs = Inputs<GetWebsiteArgs>;
/** Which websites to list. */
export interface GetWebsitesArgs extends ListArgs<"domain"> {}
/** The arguments of `getWebsites` as Inputs. */
export type GetWebsitesOutputArgs = Inputs<GetWebsitesArgs>;

/**
 * One website. Fails if none or several match; the error names them.
 * @example const { id } = await tracking.getWebsite({ domain: "shop.example.com" });
 */
export const getWebsite = asPromise<[args: GetWebsiteArgs], WebsiteRecord>(({ getOne }) => getOne(website));
/** `getWebsite` as an Output, for arguments that may be outputs of resources. */
export const getWebsiteOutput = asOutput<[args: GetWebsiteOutputArgs], WebsiteRecord>(({ getOne }) =>
  getOne(website),
);
/**
 * Every website that matches, from all pages; without arguments, all websites.
 * @example const shops = await tracking.getWebsites({ search: "shop" });
 */
export const getWebsites = asPromise<[args?: GetWebsitesArgs], WebsiteRecord[]>(({ getMany }) =>
  getMany(website),
);
/** `getWebsites` as an Output, for arguments that may be outputs of resources. */
export const getWebsitesOutput = asOutput<[args?: GetWebsitesOutputArgs], WebsiteRecord[]>(({ getMany }) =>
  getMany(website),
);
