import { z } from "zod";
import type { Account, Item, Purchase } from "../market/records";
import { count, record } from "./shapes";

const text = z.string();

/** An account of the marketplace, as a seed has it. */
export const accountShape: z.ZodType<Account> = record(
  {
    name: record({ firstname: text, lastname: text, full_name: text }, {}),
    username: text,
    email: text,
    balance: z.number(),
    currency: text,
    profile: record(
      {
        heading: text,
        description: text,
        contact: record({ email: text }, {}),
        social_links: z.record(text, text),
        media: record({ avatar: text, cover: text }, {}),
      },
      {},
    ),
    registered_at: text,
  },
  {},
);

/** An item, as a seed has it. */
export const itemShape: z.ZodType<Item> = record(
  {
    id: count,
    name: text,
    description: text,
    category: text,
    sub_category: text,
    options: z.array(text),
    version: text,
    demo_link: text,
    tags: z.array(text),
    media: record(
      { thumbnail: text, screenshots: z.array(text) },
      { preview_image: text, preview_video: text, preview_audio: text },
    ),
    price: record({ regular: z.number(), extended: z.number() }, {}),
    currency: text,
    published_at: text,
  },
  {},
);

/** A purchase, as a seed has it. */
export const purchaseShape: z.ZodType<Purchase> = record(
  {
    purchase_code: text,
    license_type: text,
    price: z.number(),
    currency: text,
    item: record({ id: count, name: text, url: text, media: record({ preview_image: text }, {}) }, {}),
    downloaded: z.boolean(),
    date: text,
  },
  { supported_until: text },
);
