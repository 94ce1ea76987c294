import * as z from "zod";
import { isRecord, member, type Request } from "../api/api";
import { required, scalar } from "../schema/field";
import { Absent, isMissing, type Lookup } from "./lookup";
import { askMarket, understood } from "./marketplace";
import { id, maybeText, number, options, text, texts } from "./shapes";

/** An item of the account. */
export interface Item {
  readonly id: number;
  readonly name: string;
  readonly description?: string | undefined;
  readonly category: string;
  readonly subCategory?: string | undefined;
  readonly options: readonly string[];
  /** Dotted numbers, such as `1.0.2`. */
  readonly version?: string | undefined;
  readonly demoLink?: string | undefined;
  readonly tags: readonly string[];
  readonly media: {
    readonly thumbnail?: string | undefined;
    /** Not for audio items. */
    readonly previewImage?: string | undefined;
    /** For video items alone. */
    readonly previewVideo?: string | undefined;
    /** For audio items alone. */
    readonly previewAudio?: string | undefined;
    readonly screenshots: readonly string[];
  };
  /** In `currency`. */
  readonly price: { readonly regular: number; readonly extended: number };
  readonly currency: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
}

const shape = z
  .object({
    id,
    name: text,
    description: maybeText,
    category: text,
    sub_category: maybeText,
    options,
    version: maybeText,
    demo_link: maybeText,
    tags: texts,
    media: z
      .object({
        thumbnail: maybeText,
        preview_image: maybeText,
        preview_video: maybeText,
        preview_audio: maybeText,
        screenshots: texts,
      })
      .nullish(),
    price: z.object({ regular: number, extended: number }),
    currency: text,
    published_at: text,
  })
  .transform(
    ({ sub_category, demo_link, published_at, media, ...rest }): Item => ({
      ...rest,
      subCategory: sub_category,
      demoLink: demo_link,
      media: {
        thumbnail: media?.thumbnail,
        previewImage: media?.preview_image,
        previewVideo: media?.preview_video,
        previewAudio: media?.preview_audio,
        screenshots: media?.screenshots ?? [],
      },
      publishedAt: published_at,
    }),
  );

const ALL: Request = { method: "GET", path: "/api/items/all" };

/** GET /api/items/all. */
export const getItems: Lookup<Item[]> = {
  name: "getItems",
  service: "market",
  inputs: {},
  ask: async (_args, { api, warn }) => {
    try {
      const answer = await askMarket(api, ALL, "the items can't be listed");
      const [items] = ["items", "data"]
        .map((name) => member(answer.body, name))
        .filter((each) => each !== undefined);
      return understood(
        ALL,
        z.array(shape),
        isRecord(items) ? Object.values(items) : (items ?? answer.body),
        answer,
      );
    } catch (error) {
      if (!isMissing(error)) throw error;
      warn(
        "getItems: the service found no items; some versions of it say so too where an account has exactly one",
      );
      return [];
    }
  },
};

/** GET /api/items/item. */
export const getItem: Lookup<Item> = {
  name: "getItem",
  service: "market",
  inputs: {
    itemId: required<number | string>({
      allowed: "an item's ID: a whole number, or text of digits",
      accepts: (z) => z.union([z.int().nonnegative(), z.string().regex(/^\d{1,64}$/)]),
      encode: String,
      decode: scalar,
    }),
  },
  ask: async ({ itemId }, { api }) => {
    const request: Request = { method: "GET", path: "/api/items/item", query: { item_id: String(itemId) } };
    try {
      const answer = await askMarket(api, request, `item ${itemId} can't be read`);
      const found = [member(answer.body, "item"), member(answer.body, "data"), answer.body].find(isRecord);
      return understood(request, shape, found, answer);
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new Absent(
        `there is no item ${itemId} in the marketplace account; getItems lists those that there are`,
      );
    }
  },
};
