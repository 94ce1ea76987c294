// @ts-check
import { readFileSync } from "node:fs";
import * as tracking from "pulumi-tracking";

/** @type {Record<string, { domain: string, public?: boolean }>} */
const sites = JSON.parse(readFileSync(new URL("sites.json", import.meta.url), "utf8"));

// Nobody in the office counts as a visitor.
const office = ["192.0.2.0/24", "198.51.100.7"];

const websites = Object.entries(sites).map(
  ([name, site]) =>
    new tracking.Website(name, {
      domain: site.domain,
      privacy: site.public ? tracking.Privacy.Public : tracking.Privacy.Private,
      excludeIps: office,
    }),
);

export const domains = websites.map(({ domain }) => domain);
