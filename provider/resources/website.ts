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
  deletesWith: "statistics",
  inputs: {
    /**
     * Host name of the site, such as `shop.example.com`. A change replaces the website and deletes the old one with its
     * statistics. Case, a trailing dot and the IDN form do not count as a change.
     */
    domain: hostName({ aliases: ["url"], replaces: true }),
    /** Who may see the statistics page: `public`, `private` or `password`. Default `private`. */
    privacy: choice<Privacy>(
      { public: 0, private: 1, password: 2 },
      {
        default: Privacy.Private,
        unset: Privacy.Public,
        announce: { public: "its statistics page becomes public" },
      },
    ),
    /**
     * Password of the statistics page, for `privacy: "password"`. Always a secret, never read back. If omitted, the
     * service's password stays.
     */
    password: secret(),
    /** Whether reports are sent by e-mail. Default `false`. */
    emailReports: flag({ wire: "email", default: false }),
    /** Whether common bots are excluded from the statistics. Default `true`. */
    excludeBots: flag({ wire: "exclude_bots", default: true }),
    /**
     * URL query parameters to exclude from the statistics. If omitted, the service's list stays as it is; `[]` empties
     * it. The service never returns it, so a change made there is not detected.
     */
    excludeParams: lines(parameterName, { wire: "exclude_params", writeOnly: true }),
    /** IP addresses and CIDR ranges to exclude from the statistics. If omitted, the service's list stays as it is. */
    excludeIps: lines(ipRange, { wire: "exclude_ips" }),
  },
  validateCreate: (args) =>
    args.privacy === Privacy.Password && args.password === undefined
      ? { field: "password", reason: 'is needed for a website whose privacy is "password"' }
      : undefined,
});
