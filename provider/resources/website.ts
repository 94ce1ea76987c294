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
    domain: hostName({ replaces: true }),
    privacy: choice<Privacy>(
      { public: 0, private: 1, password: 2 },
      {
        default: Privacy.Private,
        unset: Privacy.Public,
        announce: { public: "its statistics page becomes public" },
      },
    ),
    password: secret(),
    emailReports: flag({ wire: "email", default: false }),
    excludeBots: flag({ wire: "exclude_bots", default: true }),
    excludeParams: lines(parameterName, { wire: "exclude_params", writeOnly: true }),
    excludeIps: lines(ipRange, { wire: "exclude_ips" }),
  },
  validateCreate: (args) =>
    args.privacy === Privacy.Password && args.password === undefined
      ? { field: "password", reason: 'is needed for a website whose privacy is "password"' }
      : undefined,
});
