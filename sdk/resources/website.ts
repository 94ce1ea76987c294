import type * as pulumi from "@pulumi/pulumi";
import type { ListArgs, RecordOf } from "../../provider/lookups/records";
import { website } from "../../provider/resources/website";
import { recordLookups } from "../lookup";
import type { Inputs } from "../lookup-arguments";
import { type ResourceArgs, type ResourceClass, type ResourceOutputs, resourceClass } from "../resource";

export { Privacy } from "../../provider/resources/website";

/**
 * A tracked website: who may see its statistics, e-mail reports, and what the statistics exclude.
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

/** An existing website, without its password. */
export interface WebsiteRecord extends RecordOf<typeof website.inputs, "password"> {}

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
export interface GetWebsitesOutputArgs extends Inputs<GetWebsitesArgs> {}

const { one, many } = recordLookups<GetWebsiteArgs, GetWebsitesArgs, WebsiteRecord>(website);
/** One website. Rejects if none or several match; the error names them. */
export function getWebsite(args: GetWebsiteArgs, opts?: pulumi.InvokeOptions): Promise<WebsiteRecord> {
  return one.invoke(args, opts);
}
/** `getWebsite` as an Output, for arguments that may be outputs of resources. */
export function getWebsiteOutput(
  args: GetWebsiteOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<WebsiteRecord> {
  return one.invokeOutput(args, opts);
}
/** Every website that matches, from all pages; without arguments, all websites. */
export function getWebsites(args?: GetWebsitesArgs, opts?: pulumi.InvokeOptions): Promise<WebsiteRecord[]> {
  return many.invoke(args, opts);
}
/** `getWebsites` as an Output, for arguments that may be outputs of resources. */
export function getWebsitesOutput(
  args?: GetWebsitesOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<WebsiteRecord[]> {
  return many.invokeOutput(args, opts);
}
