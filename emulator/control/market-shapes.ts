import type { Account, Item, Purchase } from "../market/records";
import { count, flag, list, map, number, record, type Shape, text } from "./shapes";

/** An account of the marketplace, as a seed has it. */
export const accountShape: Shape<Account> = record(
  {
    name: record({ firstname: text, lastname: text, full_name: text }, {}),
    username: text,
    email: text,
    balance: number,
    currency: text,
    profile: record(
      {
        heading: text,
        description: text,
        contact: record({ email: text }, {}),
        social_links: map(text),
        media: record({ avatar: text, cover: text }, {}),
      },
      {},
    ),
    registered_at: text,
  },
  {},
);

/** An item, as a seed has it. */
export const itemShape: Shape<Item> = record(
  {
    id: count,
    name: text,
    description: text,
    category: text,
    sub_category: text,
    options: list(text),
    version: text,
    demo_link: text,
    tags: list(text),
    media: record(
      { thumbnail: text, screenshots: list(text) },
      { preview_image: text, preview_video: text, preview_audio: text },
    ),
    price: record({ regular: number, extended: number }, {}),
    currency: text,
    published_at: text,
  },
  {},
);

/** A purchase, as a seed has it. */
export const purchaseShape: Shape<Purchase> = record(
  {
    purchase_code: text,
    license_type: text,
    price: number,
    currency: text,
    item: record({ id: count, name: text, url: text, media: record({ preview_image: text }, {}) }, {}),
    downloaded: flag,
    date: text,
  },
  { supported_until: text },
);
