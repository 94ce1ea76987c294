import type { Field } from "./validation";

/** The models of the records that the service keeps. */
export type Model = "website" | "pixel";

/** What differs between the two. */
export interface Collection {
  model: Model;
  path: string;
  /** The column that is searched and sorted by, and unique. */
  key: string;
  /** List parameters that must match a column exactly. */
  filters: readonly string[];
  fields: readonly Field[];
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

const always = () => true;
/** What every pixel must have. */
const needed = { required: true, notEmpty: always } as const;
const flag = { numeric: true, oneOf: ["0", "1"] } as const;

/** Websites: a domain, who may see its statistics, and what they exclude. */
export function websiteCollection(normalize: (domain: string) => string): Collection {
  return {
    model: "website",
    path: "/api/v1/websites",
    key: "domain",
    filters: [],
    fields: [
      {
        name: "domain",
        ...needed,
        immutable: true,
        normalize,
        maxLength: 255,
        format: hostName,
        unique: true,
      },
      { name: "privacy", numeric: true, oneOf: ["0", "1", "2"], notEmpty: always, defaultValue: 1 },
      // A page that asks for a password must have one.
      { name: "password", verbatim: true, notEmpty: ({ privacy }) => privacy === 2 },
      { name: "email", ...flag, defaultValue: 0 },
      { name: "exclude_bots", ...flag, notEmpty: always, defaultValue: 1 },
      { name: "exclude_params" },
      { name: "exclude_ips" },
    ],
  };
}

/** Pixels: a name, whose pixel it is, and its id there. */
export function pixelCollection(types: readonly string[]): Collection {
  return {
    model: "pixel",
    path: "/api/v1/pixels",
    key: "name",
    filters: ["type"],
    fields: [
      { name: "name", ...needed, maxLength: 32, unique: true },
      { name: "type", ...needed, oneOf: types, blank: "facebook" },
      { name: "value", ...needed, maxLength: 255, format: /^[A-Za-z0-9_-]+$/, blank: "1" },
    ],
  };
}

/** A domain in lower case, without its scheme. */
export function normalizeDomain(domain: string): string {
  return domain.toLowerCase().replace(/^https?:\/\//, "");
}

/** Websites as the reference keeps them: the domain in lower case, without its scheme. */
export const websites = websiteCollection(normalizeDomain);

/** Pixels as the reference keeps them. */
export const pixels = pixelCollection(pixelTypes);
