import { choice, text } from "../schema/kinds";
import { defineResource } from "../schema/resource";

/**
 * The providers of pixels that the service knows.
 *
 * @enum
 */
export const PixelType = {
  /** AdRoll. */
  AdRoll: "adroll",
  /** Bing. */
  Bing: "bing",
  /** Facebook. */
  Facebook: "facebook",
  /** Google Ads. */
  GoogleAds: "google-ads",
  /** Google Analytics. */
  GoogleAnalytics: "google-analytics",
  /** Google Tag Manager. */
  GoogleTagManager: "google-tag-manager",
  /** LinkedIn. */
  LinkedIn: "linkedin",
  /** Pinterest. */
  Pinterest: "pinterest",
  /** Quora. */
  Quora: "quora",
  /** Twitter, which newer servers call `x`. */
  Twitter: "twitter",
} as const;
/** One of the values of `PixelType`. */
export type PixelType = (typeof PixelType)[keyof typeof PixelType];

export const pixel = defineResource({
  type: "Pixel",
  service: "data",
  path: "/api/v1/pixels",
  key: "name",
  identity: ["name", "value"],
  inputs: {
    /** Name in the pixel list, unique in the account; at most 32 characters. */
    name: text({ max: 32 }),
    /** Whose pixel it is, such as `google-analytics`. Newer servers say `x` for `twitter`; the two are one. */
    type: choice<PixelType | "x">(Object.values(PixelType), { synonyms: { x: PixelType.Twitter } }),
    /** The pixel's ID at that provider; letters, digits, `-` and `_`, at most 255. */
    value: text({
      aliases: ["pixel_id"],
      pattern: /^[\w-]+$/,
      allowed: 'letters, digits, "-" and "_", 1 to 255 characters',
    }),
  },
});
