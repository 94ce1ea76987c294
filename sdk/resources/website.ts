import * as pulumi from "@pulumi/pulumi";
import { type Privacy, website } from "../../provider/resources/website";
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
export class Website extends pulumi.CustomResource {
  /** Host name of the site, such as `shop.example.com`. */
  declare readonly domain: pulumi.Output<string>;
  /** Who may see the statistics page: `public`, `private` or `password`. */
  declare readonly privacy: pulumi.Output<Privacy>;
  /** Password of the statistics page. Always a secret, never read back. */
  declare readonly password: pulumi.Output<string | undefined>;
  /** Whether reports are sent by e-mail. */
  declare readonly emailReports: pulumi.Output<boolean>;
  /** Whether common bots are excluded from the statistics. */
  declare readonly excludeBots: pulumi.Output<boolean>;
  /** URL query parameters to exclude from the statistics. The service never returns them. */
  declare readonly excludeParams: pulumi.Output<string[] | undefined>;
  /** IP addresses and CIDR ranges to exclude from the statistics. */
  declare readonly excludeIps: pulumi.Output<string[] | undefined>;

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
    const registered = registration(website, new.target.form, name, args, opts);
    const restore = shortenStacks();
    try {
      super(...registered);
    } finally {
      restore();
    }
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

  /** Whether a value is such a resource, also one of another copy of this package. */
  static override isInstance(value: unknown): value is Website {
    return isOfType(website, value);
  }
}

/** The arguments of a `Website`. */
export interface WebsiteArgs {
  /**
   * Host name of the site, such as `shop.example.com`. A change replaces the website and deletes the old one with its
   * statistics. Case, a trailing dot and the IDN form do not count as a change.
   */
  domain: pulumi.Input<string>;
  /** Who may see the statistics page: `public`, `private` or `password`. Default `private`. */
  privacy?: pulumi.Input<Privacy>;
  /**
   * Password of the statistics page, for a website whose privacy is `password`. Always a secret, never read back. If omitted, the
   * service's password stays.
   */
  password?: pulumi.Input<string>;
  /** Whether reports are sent by e-mail. Default `false`. */
  emailReports?: pulumi.Input<boolean>;
  /** Whether common bots are excluded from the statistics. Default `true`. */
  excludeBots?: pulumi.Input<boolean>;
  /**
   * URL query parameters to exclude from the statistics. If never set, the service's list stays as it is; `[]` empties
   * it, and so does omitting a list that was set. The service never returns it, so a change made there is not detected.
   */
  excludeParams?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * IP addresses and CIDR ranges to exclude from the statistics. If never set, the service's list stays as it is; `[]`
   * empties it, and so does omitting a list that was set.
   */
  excludeIps?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Adopt the one existing record that has this key instead of failing, and set on it what this program
   * declares. A preview names the record and what will change. Never a change by itself. Default `false`.
   */
  adopt?: pulumi.Input<boolean>;
}

/** An existing website, without its password. */
export interface WebsiteRecord {
  /** Every digit kept. */
  readonly id: string;
  /** When it was created, in the service's format. */
  readonly createdAt?: string | undefined;
  /** When it was last changed, in the service's format. */
  readonly updatedAt?: string | undefined;
  /** Host name of the site, such as `shop.example.com`. */
  readonly domain: string;
  /** Who may see the statistics page: `public`, `private` or `password`. */
  readonly privacy?: Privacy;
  /** Whether reports are sent by e-mail. */
  readonly emailReports?: boolean;
  /** Whether common bots are excluded from the statistics. */
  readonly excludeBots?: boolean;
  /** URL query parameters to exclude from the statistics. The service never returns them. */
  readonly excludeParams?: string[];
  /** IP addresses and CIDR ranges to exclude from the statistics. */
  readonly excludeIps?: string[];
}

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
