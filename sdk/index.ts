/**
 * What a program imports.
 *
 * @module pulumi-tracking
 */
export { PixelType, Privacy } from "../provider/resources";
export { type Declared, type DeclareOptions, declareFrom } from "./declarations/declare";
export type {
  GetItemArgs,
  GetItemOutputArgs,
  GetPixelArgs,
  GetPixelOutputArgs,
  GetPixelsArgs,
  GetPixelsOutputArgs,
  GetWebsiteArgs,
  GetWebsiteOutputArgs,
  GetWebsitesArgs,
  GetWebsitesOutputArgs,
  PixelRecord,
  PurchaseArgs,
  PurchaseOutputArgs,
  WebsiteRecord,
} from "./lookup-arguments";
export * from "./lookups";
export { Provider, type ProviderArgs } from "./provider";
export { Pixel, type PixelArgs, Website, type WebsiteArgs } from "./resources";
