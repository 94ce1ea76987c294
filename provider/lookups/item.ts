import * as z from "zod";
import type { Request } from "../api/api";
import { getOwn, isJsonObject } from "../api/json";
import { argument, isMissing, type Lookup } from "./lookup";
import { callMarket, parseAnswer } from "./marketplace";
import { id, maybeText, number, object, options, orEmpty, text, texts } from "./shapes";

/** An item of the account. */
export interface Item {
  /** Number of the item, by which it is looked up. */
  readonly id: number;
  /** Title. */
  readonly name: string;
  /** Text about it, which may hold markup. */
  readonly description?: string | undefined;
  /** Where it is sold; the set of categories is open. */
  readonly category: string;
  /** Part of the category. */
  readonly subCategory?: string | undefined;
  /** Its features, possibly none. */
  readonly options: readonly string[];
  /** Dotted numbers, such as `1.0.2`. */
  readonly version?: string | undefined;
  /** Address of a demo. */
  readonly demoLink?: string | undefined;
  /** Words for the search, possibly none. */
  readonly tags: readonly string[];
  /** Addresses of pictures, sounds and films. */
  readonly media: {
    /** Small picture. */
    readonly thumbnail?: string | undefined;
    /** Not for audio items. */
    readonly previewImage?: string | undefined;
    /** Only for video items. */
    readonly previewVideo?: string | undefined;
    /** Only for audio items. */
    readonly previewAudio?: string | undefined;
    /** Larger pictures, possibly none. */
    readonly screenshots: readonly string[];
  };
  /** In the given currency. */
  readonly price: {
    /** Under the regular licence. */
    readonly regular: number;
    /** Under the extended licence. */
    readonly extended: number;
  };
  /** Currency code, such as `USD`. */
  readonly currency: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
}

const shape: z.ZodType<Item> = object({
  id,
  name: text,
  description: maybeText,
  category: text,
  sub_category: maybeText,
  options,
  version: maybeText,
  demo_link: maybeText,
  tags: texts,
  media: orEmpty(
    object({
      thumbnail: maybeText,
      preview_image: maybeText,
      preview_video: maybeText,
      preview_audio: maybeText,
      screenshots: texts,
    }),
  ),
  price: object({ regular: number, extended: number }),
  currency: text,
  published_at: text,
});

const LIST_REQUEST: Request = { method: "GET", path: "/api/items/all" };

/** GET /api/items/all. */
export const getItems: Lookup<Item[]> = {
  name: "getItems",
  service: "market",
  inputs: {},
  invoke: async (_args, { api, warn }) => {
    try {
      const answer = await callMarket(api, LIST_REQUEST, "the items can't be listed");
      const items = getOwn(answer.body, "items") ?? getOwn(answer.body, "data") ?? answer.body;
      const isByName = isJsonObject(items) && items !== answer.body;
      return parseAnswer(LIST_REQUEST, z.array(shape), isByName ? Object.values(items) : items, answer);
    } catch (error) {
      if (!isMissing(error)) throw error;
      warn(
        "getItems: the service found no items; some versions also answer this if the account has exactly one",
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
    itemId: argument<number | string>("an item's ID: a whole number, or text of digits", (z) =>
      z.union([z.int().nonnegative(), z.string().regex(/^\d{1,64}$/)]),
    ),
  },
  invoke: async ({ itemId }, { api }) => {
    const request: Request = { method: "GET", path: "/api/items/item", query: { item_id: String(itemId) } };
    try {
      const answer = await callMarket(api, request, `item ${itemId} can't be read`);
      const found = [getOwn(answer.body, "item"), getOwn(answer.body, "data"), answer.body].find(
        isJsonObject,
      );
      return parseAnswer(request, shape, found, answer);
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new Error(`the marketplace account has no item ${itemId}; getItems lists its items`);
    }
  },
};
