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

/** An item for sale. */
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
  /** Address of a demo. */
  demo_link: string;
  /** Words for the search. */
  tags: string[];
  /** Addresses of pictures, sounds and films. */
  media: {
    /** Small picture. */
    thumbnail: string;
    /** Absent for audio items. */
    preview_image?: string;
    /** Only for video items. */
    preview_video?: string;
    /** Only for audio items. */
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
  /** ISO 8601, UTC; absent if the purchase is not supported. */
  supported_until?: string;
  /** Whether the buyer has downloaded it. */
  downloaded: boolean;
  /** ISO 8601, UTC. */
  date: string;
};

/** The marketplace's data. */
export interface Market {
  /** The account that every key belongs to. */
  account: Account;
  /** The account's items. */
  items: Item[];
  /** Their purchases. */
  purchases: Purchase[];
}
