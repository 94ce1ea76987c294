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
    domain: hostName({ replaces: true }),
    privacy: withDefault(
      choice<Privacy>(
        { public: 0, private: 1, password: 2 },
        { unset: Privacy.Public, announce: { public: "its statistics page becomes public" } },
      ),
      Privacy.Private,
    ),
    password: secret(),
    emailReports: withDefault(flag({ wire: "email" }), false),
    excludeBots: withDefault(flag({ wire: "exclude_bots" }), true),
    excludeParams: lines(parameterName, { wire: "exclude_params", writeOnly: true }),
    excludeIps: lines(ipRange, { wire: "exclude_ips" }),
  },
  validateCreate: (args) =>
    args.privacy === Privacy.Password && args.password === undefined
      ? { field: "password", reason: 'is needed for a website whose privacy is "password"' }
      : undefined,
});
