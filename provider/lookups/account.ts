import type * as z from "zod";
import { getOwn, isJsonObject } from "../api/json";
import type { Lookup } from "./lookup";
import { ACCOUNT_REQUEST, callMarket, parseAnswer } from "./marketplace";
import { maybeText, number, object, orEmpty, text, textsByName } from "./shapes";

/** The marketplace account that an API key belongs to. */
export interface Account {
  /** Whose account it is. */
  readonly name: {
    /** First name. */
    readonly firstName: string;
    /** Last name. */
    readonly lastName: string;
    /** The whole name, as the service writes it. */
    readonly fullName: string;
  };
  /** Name for signing in. */
  readonly username: string;
  /** E-mail address of the account; the profile may show another. */
  readonly email: string;
  /** In the given currency. */
  readonly balance: number;
  /** Currency code, such as `USD`. */
  readonly currency: string;
  /** What others see. */
  readonly profile: {
    /** Title of the profile. */
    readonly heading?: string | undefined;
    /** Text of the profile. */
    readonly description?: string | undefined;
    /** How to get in touch. */
    readonly contact: {
      /** E-mail address that is shown. */
      readonly email?: string | undefined;
    };
    /** Links by network; the set of networks is open. */
    readonly socialLinks: Readonly<Record<string, string>>;
    /** Pictures. */
    readonly media: {
      /** Address of the picture. */
      readonly avatar?: string | undefined;
      /** Address of the picture. */
      readonly cover?: string | undefined;
    };
  };
  /** ISO 8601, UTC. */
  readonly registeredAt: string;
}

const shape: z.ZodType<Account> = object({
  name: object({ firstname: text, lastname: text, full_name: text }).transform(
    ({ firstname, lastname, fullName }) => ({ firstName: firstname, lastName: lastname, fullName }),
  ),
  username: text,
  email: text,
  balance: number,
  currency: text,
  profile: object({
    heading: maybeText,
    description: maybeText,
    contact: orEmpty(object({ email: maybeText })),
    social_links: textsByName,
    media: orEmpty(object({ avatar: maybeText, cover: maybeText })),
  }),
  registered_at: text,
});

/** GET /api/account/details. */
export const getAccount: Lookup<Account> = {
  name: "getAccount",
  service: "market",
  inputs: {},
  invoke: async (_args, { api }) => {
    const answer = await callMarket(api, ACCOUNT_REQUEST, "the account's details can't be read");
    const data = getOwn(answer.body, "data");
    return parseAnswer(ACCOUNT_REQUEST, shape, isJsonObject(data) ? data : answer.body, answer);
  },
};
