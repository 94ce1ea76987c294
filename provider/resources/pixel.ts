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
  /** Twitter. Newer servers take `x` instead. */
  Twitter: "twitter",
} as const;
/** One of the values of `PixelType`. */
export type PixelType = (typeof PixelType)[keyof typeof PixelType];

export const pixel = defineResource({
  type: "Pixel",
  service: "data",
  path: "/api/v1/pixels",
  key: "name",
  filters: ["type"],
  inputs: {
    /** Name in the pixel list, unique in the account; many services refuse more than 32 characters. */
    name: text({ usual: { pattern: /^.{1,32}$/u, words: "text of at most 32 characters" } }),
    /** The pixel's provider, such as `google-analytics`. Newer servers take `x` for `twitter`; both mean the same. */
    type: choice<PixelType | "x">(Object.values(PixelType), { synonyms: { x: PixelType.Twitter } }),
    /** The pixel's ID at that provider; many services refuse other characters than letters, digits, `-` and `_`. */
    value: text({
      usual: { pattern: /^[\w-]+$/, words: 'text of letters, digits, "-" and "_" only' },
    }),
  },
});
