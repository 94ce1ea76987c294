import type { Columns } from "./store";
import { type Field, matchesFormat, maxLength, notEmpty, oneOf, type Rule, unique } from "./validation";

/** The two kinds of record that the service keeps. */
export type Kind = "website" | "pixel";

/** What differs between the two kinds of record. */
export interface Collection {
  kind: Kind;
  path: string;
  /** The column that is searched and sorted by, and unique. */
  key: string;
  /** List parameters that must match a column exactly. */
  filters: readonly string[];
  fields: readonly Field[];
  /** Default value of every column. */
  defaults: Columns;
}

/** The pixel types of the interface. */
export const pixelTypes = [
  "adroll",
  "bing",
  "facebook",
  "google-ads",
  "google-analytics",
  "google-tag-manager",
  "linkedin",
  "pinterest",
  "quora",
  "twitter",
] as const;

/** Labels of letters, digits, and hyphens within, joined by dots. */
const hostName = /^(?!-)[\p{L}\p{N}\p{M}_-]+(?<!-)(\.(?!-)[\p{L}\p{N}\p{M}_-]+(?<!-))*$/u;

const text = (value: string) => value;

/** A page that asks for a password must have one. */
const neededForPrivacy: Rule = (value, { next }) =>
  value === null && next.privacy === 2 ? "The password field is required." : undefined;

function choice(name: string, values: readonly string[], defaultValue: number): Field {
  return { name, defaultValue, toColumn: Number, rules: [notEmpty(name), oneOf(name, values)] };
}

/** Websites: a domain, who may see its statistics, and what they exclude. */
export function websiteCollection(normalize: (domain: string) => string): Collection {
  return {
    kind: "website",
    path: "/api/v1/websites",
    key: "domain",
    filters: [],
    fields: [
      {
        name: "domain",
        required: true,
        immutable: true,
        normalize,
        toColumn: text,
        rules: [
          notEmpty("domain"),
          maxLength("domain", 255),
          matchesFormat("domain", hostName),
          unique("domain"),
        ],
      },
      choice("privacy", ["0", "1", "2"], 1),
      { name: "password", verbatim: true, toColumn: text, rules: [neededForPrivacy] },
      { name: "email", defaultValue: 0, toColumn: Number, rules: [oneOf("email", ["0", "1"])] },
      choice("exclude_bots", ["0", "1"], 1),
      { name: "exclude_params", toColumn: text, rules: [] },
      { name: "exclude_ips", toColumn: text, rules: [] },
    ],
    defaults: {
      domain: "",
      privacy: null,
      password: null,
      email: null,
      exclude_bots: null,
      exclude_params: null,
      exclude_ips: null,
    },
  };
}

/** Pixels: a name, whose pixel it is, and its id there. */
export function pixelCollection(types: readonly string[]): Collection {
  return {
    kind: "pixel",
    path: "/api/v1/pixels",
    key: "name",
    filters: ["type"],
    fields: [
      {
        name: "name",
        required: true,
        toColumn: text,
        rules: [notEmpty("name"), maxLength("name", 32), unique("name")],
      },
      {
        name: "type",
        required: true,
        toColumn: text,
        rules: [notEmpty("type"), oneOf("type", types)],
      },
      {
        name: "value",
        required: true,
        toColumn: text,
        rules: [notEmpty("value"), maxLength("value", 255), matchesFormat("value", /^[A-Za-z0-9_-]+$/)],
      },
    ],
    defaults: { name: "", type: "facebook", value: "1" },
  };
}

/** Websites as most servers keep them: the domain in lower case, without its scheme. */
export const websites = websiteCollection(normalizeDomain);

/** Pixels as most servers keep them. */
export const pixels = pixelCollection(pixelTypes);

/** A domain in lower case, without its scheme. */
export function normalizeDomain(domain: string): string {
  return domain.toLowerCase().replace(/^https?:\/\//, "");
}
