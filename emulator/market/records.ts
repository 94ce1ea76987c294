import { z } from "zod";
import { count, omissible } from "../shapes";

const text = z.string();

/** The marketplace account that every key belongs to, as the interface writes it. */
export const accountShape = z.strictObject({
  name: z.strictObject({ firstname: text, lastname: text, full_name: text }),
  username: text,
  email: text,
  /** In `currency`. */
  balance: z.number(),
  currency: text,
  profile: z.strictObject({
    heading: text,
    description: text,
    contact: z.strictObject({ email: text }),
    /** Links by name of network. */
    social_links: z.record(text, text),
    media: z.strictObject({ avatar: text, cover: text }),
  }),
  /** ISO 8601, UTC. */
  registered_at: text,
});

/** An item for sale. */
export const itemShape = z.strictObject({
  id: count,
  name: text,
  description: text,
  category: text,
  sub_category: text,
  options: z.array(text),
  /** Dotted numbers. */
  version: text,
  demo_link: text,
  tags: z.array(text),
  media: z.strictObject({
    thumbnail: text,
    screenshots: z.array(text),
    ...omissible({ preview_image: text, preview_video: text, preview_audio: text }),
  }),
  price: z.strictObject({ regular: z.number(), extended: z.number() }),
  currency: text,
  published_at: text,
});

/** A purchase, found by its code. */
export const purchaseShape = z.strictObject({
  purchase_code: text,
  license_type: text,
  price: z.number(),
  currency: text,
  item: z.strictObject({
    id: count,
    name: text,
    url: text,
    media: z.strictObject({ preview_image: text }),
  }),
  /** ISO 8601, UTC; absent if the purchase is not supported. */
  supported_until: z.exactOptional(text),
  downloaded: z.boolean(),
  date: text,
});

/** The marketplace account of a key. */
export type Account = z.infer<typeof accountShape>;
/** An item for sale. */
export type Item = z.infer<typeof itemShape>;
/** A purchase of an item. */
export type Purchase = z.infer<typeof purchaseShape>;

/** The marketplace's data. */
export interface Market {
  account: Account;
  items: Item[];
  purchases: Purchase[];
}
