import { type Field, withDefault } from "../../provider/schema/field";
import {
  choice,
  flag,
  hostName,
  ipRange,
  lines,
  parameterName,
  secret,
  text,
} from "../../provider/schema/kinds";
import { defineResource } from "../../provider/schema/resource";

/** A text that the emulator's collection takes. */
function accepting(pattern: RegExp, field: Field<string, true>): Field<string, true> {
  return { ...field, validator: (z) => z.string().trim().regex(pattern) };
}

/**
 * Two resources that no program has. They live on the emulator's own collections under other names, other
 * defaults and other rules, so that what holds for them does not hold by the names of the real ones.
 */
export const banner = defineResource({
  type: "Banner",
  service: "data",
  path: "/api/v1/pixels",
  key: "title",
  inputs: {
    title: accepting(/^.{1,32}$/, text({ wire: "name" })),
    /** Replaces, and yet is not the key. */
    code: accepting(/^[\w-]{1,40}$/, text({ wire: "value", replaces: true })),
    /** Optional, although the collection's own resource requires it. */
    source: withDefault(
      choice<"facebook" | "twitter" | "bing" | "x">(["facebook", "twitter", "bing"], {
        wire: "type",
        synonyms: { x: "twitter" },
      }),
      "bing",
    ),
  },
});

export const lookout = defineResource({
  type: "Lookout",
  service: "analytics",
  path: "/api/v1/websites",
  key: "site",
  deletesWith: "views",
  inputs: {
    site: hostName({ wire: "domain", replaces: true }),
    /** The same codes in another order, and public by default. */
    door: withDefault(
      choice<"open" | "shut">({ shut: 1, open: 0 }, { wire: "privacy", unset: "open" }),
      "open",
    ),
    phrase: secret({ wire: "password" }),
    weekly: withDefault(flag({ wire: "email" }), true),
    /** Not managed until a program sets it, as is a field that a later version adds. */
    robots: flag({ wire: "exclude_bots" }),
    hidden: lines(parameterName, { wire: "exclude_params" }),
    ours: lines(ipRange, { wire: "exclude_ips" }),
  },
});
