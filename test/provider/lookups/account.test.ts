import { describe, expect, it } from "vitest";
import { sampleMarket } from "../../../emulator/market/samples";
import { type Account, getAccount } from "../../../provider/lookups/account";
import { rejection } from "../../rejection";
import { type MarketDialect, marketDialectNames } from "../../service";
import { answering, program } from "./harness";

const DETAILS = "/api/account/details";

const ada: Account = {
  name: { firstName: "Ada", lastName: "Marlow", fullName: "Ada Marlow" },
  username: "ada-marlow",
  email: "ada@shop.example",
  balance: 128.5,
  currency: "USD",
  profile: {
    heading: "Templates and sounds",
    description: "Small things, made with care.",
    contact: { email: "hello@shop.example" },
    socialLinks: { facebook: "https://facebook.example/ada", x: "https://x.example/ada" },
    media: { avatar: "https://media.example/ada/avatar.png", cover: "https://media.example/ada/cover.png" },
  },
  registeredAt: "2021-03-04T05:06:07Z",
};

/** Where an account of a dialect has less to say. */
const less: { readonly [name in MarketDialect]?: Account } = {
  loose: {
    ...ada,
    profile: {
      heading: undefined,
      description: undefined,
      contact: { email: undefined },
      socialLinks: {},
      media: ada.profile.media,
    },
  },
};

/** The account of the samples, some of it otherwise. */
const account = (changes: object = {}) => ({ ...sampleMarket.account, ...changes });

describe("getAccount", () => {
  it.each(marketDialectNames)("gives every field in dialect %s, with one request", async (marketDialect) => {
    const { ask, warned, lines } = await program({ marketDialect });
    expect(await ask(getAccount)).toStrictEqual(less[marketDialect] ?? ada);
    expect(lines()).toEqual([`GET ${DETAILS}`]);
    expect(warned).toEqual([]);
  });

  it.each([
    ["a required field that is missing", { username: undefined }, "username"],
    ["a number that is none", { balance: "much" }, "balance"],
    ["a number that is too large for a number", { balance: "1e999" }, "balance"],
    ["a name that is no object", { name: "Ada" }, "name"],
  ])("names the field of %s, and not its value", async (_what, changes, field) => {
    const { ask } = await answering(DETAILS, { data: account(changes) });
    const { message } = await rejection(ask(getAccount));
    expect(message).toMatch(new RegExp(`\\(${field}: `));
    expect(message).toContain("is the base URL that of the marketplace?");
    expect(message).not.toMatch(/much|1e999|Ada/);
  });
});
