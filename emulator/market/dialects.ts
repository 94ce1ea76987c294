import type { JsonObject, ServiceResponse } from "../service/response";
import type { Account, Item, Purchase } from "./records";

/** How one server differs in the marketplace. */
export interface MarketRules {
  account(account: Account): ServiceResponse;
  items(items: readonly Item[]): ServiceResponse;
  item(item: Item): ServiceResponse;
  /** `item` is the whole item that was bought, if it exists. */
  purchase(purchase: Purchase, item: Item | undefined): ServiceResponse;
  renderError(status: number, msg: string): ServiceResponse;
  /** The fewest items in a list; with fewer the service says that there are none. */
  fewestItems: number;
}

function success(payload: JsonObject): ServiceResponse {
  return { status: 200, body: { status: "success", ...payload } };
}

function inTranslation({ body, ...answer }: ServiceResponse): ServiceResponse {
  return { ...answer, body: { ...(body as JsonObject), status: "correcto" } };
}

function numbered(values: readonly string[]): JsonObject {
  return Object.fromEntries(values.map((value, index) => [String(index), value]));
}

/** Lists are text or objects, numbers are text, and optional fields are null. */
function looseItem({ tags, options, media, price, id, ...item }: Item): JsonObject {
  return {
    ...item,
    id: String(id),
    version: null,
    demo_link: null,
    tags: tags.join(","),
    options: options.length > 0 ? Object.fromEntries(options.map((option) => [option, ["yes"]])) : null,
    media: {
      ...media,
      screenshots: media.screenshots.length > 0 ? numbered(media.screenshots) : null,
    },
    price: { regular: String(price.regular), extended: String(price.extended) },
  };
}

function looseAccount({ profile, balance, ...account }: Account): JsonObject {
  const links = Object.keys(profile.social_links);
  return {
    ...account,
    balance: String(balance),
    profile: {
      ...profile,
      heading: null,
      description: null,
      contact: { email: null },
      social_links: links.length > 0 ? Object.fromEntries(links.map((network) => [network, null])) : [],
    },
  };
}

/** The interface's description. */
const spec: MarketRules = {
  account: (account) => success({ data: account }),
  items: (items) => success({ items: [...items] }),
  item: (item) => success({ item }),
  purchase: (purchase) => success({ data: { purchase } }),
  renderError: (status, msg) => ({ status, body: { status: "error", msg } }),
  fewestItems: 1,
};

/** A purchase at `item`, with the whole item that was bought in it. */
const nestedItem: MarketRules = {
  ...spec,
  purchase: ({ date, ...purchase }, item) =>
    success({
      item: { ...purchase, item: item ?? purchase.item, purchased_at: date },
    }),
};

/** PHP's loose types: numbers as text, a list as text or as an object with its numbers, null for what is omitted. */
const loose: MarketRules = {
  ...spec,
  account: (account) => ({ status: 200, body: looseAccount(account) }),
  items: (items) => success({ items: items.map(looseItem) }),
  item: (item) => success({ item: looseItem(item) }),
  purchase: (purchase) =>
    success({
      data: {
        ...purchase,
        price: String(purchase.price),
        downloaded: purchase.downloaded ? "1" : "0",
        supported_until: purchase.supported_until ?? null,
      },
    }),
};

/** A site whose owner has translated every text. */
const translated: MarketRules = {
  account: (account) => inTranslation(spec.account(account)),
  items: (items) => inTranslation(spec.items(items)),
  item: (item) => inTranslation(spec.item(item)),
  purchase: (purchase) => {
    const license_type = purchase.license_type === "Regular" ? "Licencia regular" : "Licencia ampliada";
    return inTranslation(spec.purchase({ ...purchase, license_type }, undefined));
  },
  renderError: (status) => ({
    status,
    body: { status: "fallo", msg: "No se ha podido atender la petición" },
  }),
  fewestItems: 1,
};

/** A service that says "No Items Found" of an account with one item. */
const oneItem: MarketRules = { ...spec, fewestItems: 2 };

/** The dialects of the marketplace interface. */
export const marketDialects = {
  spec,
  "nested-item": nestedItem,
  loose,
  translated,
  "one-item": oneItem,
} as const;

/**
 * A dialect of the marketplace interface.
 *
 * @useDeclaredType
 */
export type MarketDialect = keyof typeof marketDialects;

/** Every dialect of the marketplace. */
export const marketDialectNames = Object.keys(marketDialects) as MarketDialect[];
