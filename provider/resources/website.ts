import { withDefault } from "../schema/field";
import { choice, flag, hostName, ipRange, lines, parameterName, secret } from "../schema/kinds";
import { defineResource } from "../schema/resource";

/**
 * Who may see a website's statistics page: everyone, its owner, or whoever has the password.
 *
 * @enum
 */
export const Privacy = {
  /** Everyone may. */
  Public: "public",
  /** The account's owner may. */
  Private: "private",
  /** Whoever has the password may. */
  Password: "password",
} as const;
/** One of the values of `Privacy`. */
export type Privacy = (typeof Privacy)[keyof typeof Privacy];

export const website = defineResource({
  type: "Website",
  service: "analytics",
  path: "/api/v1/websites",
  key: "domain",
  keyIsGlobal: true,
  deletesWith: "statistics",
  inputs: {
    /**
     * Host name of the site, such as `shop.example.com`. A change replaces the website and deletes the old one with its
     * statistics. Case, a trailing dot and the IDN form do not count as a change.
     */
    domain: hostName({ replaces: true }),
    /** Who may see the statistics page: `public`, `private` or `password`. Default `private`. */
    privacy: withDefault(
      choice<Privacy>(
        { public: 0, private: 1, password: 2 },
        { unset: Privacy.Public, announce: { public: "its statistics page becomes public" } },
      ),
      Privacy.Private,
    ),
    /**
     * Password of the statistics page, for a website whose privacy is `password`, which cannot be created without. Always a
     * secret, never read back. If omitted, the service's password stays.
     */
    password: secret(),
    /** Whether reports are sent by e-mail. Default `false`. */
    emailReports: withDefault(flag({ wire: "email" }), false),
    /** Whether common bots are excluded from the statistics. Default `true`. */
    excludeBots: withDefault(flag({ wire: "exclude_bots" }), true),
    /**
     * URL query parameters to exclude from the statistics. If never set, the service's list stays as it is; `[]` empties
     * it, and so does omitting a list that was set. Never read back, since most services do not return it: a change made there
     * is not detected.
     */
    excludeParams: lines(parameterName, { wire: "exclude_params", writeOnly: true }),
    /**
     * IP addresses and CIDR ranges to exclude from the statistics. If never set, the service's list stays as it is; `[]`
     * empties it, and so does omitting a list that was set.
     */
    excludeIps: lines(ipRange, { wire: "exclude_ips" }),
  },
  validateCreate: (args) =>
    args.privacy === Privacy.Password && args.password === undefined
      ? { field: "password", reason: 'is needed for a website whose privacy is "password"' }
      : undefined,
});
