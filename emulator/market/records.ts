import { count, flag, list, map, number, record, type Shape, text } from "../control/shapes";

/** The marketplace account that a key belongs to, as the interface writes it. */
export type Account = {
  /** Whose account it is. */
  name: {
    /** First name. */
    firstname: string;
    /** Last name. */
    lastname: string;
    /** Both. */
    full_name: string;
  };
  /** Name for signing in. */
  username: string;
  /** E-mail address of the account. */
  email: string;
  /** In `currency`. */
  balance: number;
  /** Currency code. */
  currency: string;
  /** What others see. */
  profile: {
    /** Title. */
    heading: string;
    /** Text. */
    description: string;
    /** How to get in touch. */
    contact: {
      /** E-mail address that is shown. */
      email: string;
    };
    /** Links by name of network. */
    social_links: Record<string, string>;
    /** Addresses of pictures. */
    media: {
      /** The small one. */
      avatar: string;
      /** The wide one. */
      cover: string;
    };
  };
  /** ISO 8601, UTC. */
  registered_at: string;
};

/** Something that is for sale. */
export type Item = {
  /** Number of the item. */
  id: number;
  /** Title. */
  name: string;
  /** Text about it. */
  description: string;
  /** Where it is sold. */
  category: string;
  /** Part of the category. */
  sub_category: string;
  /** Its features. */
  options: string[];
  /** Dotted numbers. */
  version: string;
  /** Address where it can be tried. */
  demo_link: string;
  /** Words that it is found by. */
  tags: string[];
  /** Addresses of pictures, sounds and films. */
  media: {
    /** Small picture. */
    thumbnail: string;
    /** Not there for audio items. */
    preview_image?: string;
    /** Only there for video items. */
    preview_video?: string;
    /** Only there for audio items. */
    preview_audio?: string;
    /** Larger pictures. */
    screenshots: string[];
  };
  /** In `currency`. */
  price: {
    /** Under the regular licence. */
    regular: number;
    /** Under the extended licence. */
    extended: number;
  };
  /** Currency code. */
  currency: string;
  /** ISO 8601, UTC. */
  published_at: string;
};

/** A purchase, found by its code. */
export type Purchase = {
  /** What the buyer was given. */
  purchase_code: string;
  /** Name of the licence, such as `Regular`. */
  license_type: string;
  /** In `currency`. */
  price: number;
  /** Currency code. */
  currency: string;
  /** What was bought. */
  item: {
    /** Number of the item. */
    id: number;
    /** Title. */
    name: string;
    /** Address of its page. */
    url: string;
    /** Pictures. */
    media: {
      /** Address of the picture. */
      preview_image: string;
    };
  };
  /** ISO 8601, UTC; not there when the purchase is not supported. */
  supported_until?: string;
  /** Whether the buyer has downloaded it. */
  downloaded: boolean;
  /** ISO 8601, UTC. */
  date: string;
};

/** What the marketplace knows. */
export interface Market {
  /** The account that every key belongs to. */
  account: Account;
  /** What the account sells. */
  items: Item[];
  /** What was sold of it. */
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
