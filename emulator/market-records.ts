import { count, flag, list, map, number, record, type Shape, text } from "./shapes";

/** The marketplace account that a key belongs to, as the interface writes it. */
export type Account = {
  name: { firstname: string; lastname: string; full_name: string };
  username: string;
  email: string;
  balance: number;
  /** Currency code. */
  currency: string;
  profile: {
    heading: string;
    description: string;
    contact: { email: string };
    /** Links by name of network. */
    social_links: Record<string, string>;
    /** Addresses of pictures. */
    media: { avatar: string; cover: string };
  };
  /** ISO 8601, UTC. */
  registered_at: string;
};

/** Something that is for sale. */
export type Item = {
  id: number;
  name: string;
  description: string;
  category: string;
  sub_category: string;
  options: string[];
  version: string;
  demo_link: string;
  tags: string[];
  media: {
    thumbnail: string;
    /** Not there for audio items. */
    preview_image?: string;
    /** Only there for video items. */
    preview_video?: string;
    /** Only there for audio items. */
    preview_audio?: string;
    screenshots: string[];
  };
  price: { regular: number; extended: number };
  currency: string;
  /** ISO 8601, UTC. */
  published_at: string;
};

/** A purchase, found by its code. */
export type Purchase = {
  purchase_code: string;
  license_type: string;
  price: number;
  currency: string;
  item: { id: number; name: string; url: string; media: { preview_image: string } };
  /** ISO 8601, UTC; not there when the purchase is not supported. */
  supported_until?: string;
  downloaded: boolean;
  /** ISO 8601, UTC. */
  date: string;
};

/** What the marketplace knows. */
export interface Market {
  account: Account;
  items: Item[];
  purchases: Purchase[];
}

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
