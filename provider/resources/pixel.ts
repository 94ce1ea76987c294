import { choice, text } from "../schema/kinds";
import { defineResource } from "../schema/resource";

/** The providers of pixels that the service knows. */
export const PixelType = {
  AdRoll: "adroll",
  Bing: "bing",
  Facebook: "facebook",
  GoogleAds: "google-ads",
  GoogleAnalytics: "google-analytics",
  GoogleTagManager: "google-tag-manager",
  LinkedIn: "linkedin",
  Pinterest: "pinterest",
  Quora: "quora",
  Twitter: "twitter",
} as const;
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
