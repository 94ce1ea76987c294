import { describe, expect, it } from "vitest";
import { sampleMarket } from "../../../emulator/market/samples";
import { getPurchase, type Purchase, validatePurchase } from "../../../provider/lookups/purchase";
import { rejection } from "../../rejection";
import { type MarketDialect, marketDialectNames } from "../../service";
import { answering, program } from "./harness";

const VALIDATION = "/api/purchases/validation";
const DETAILS = "/api/account/details";

const supported: Purchase = {
  purchaseCode: "11111111-aaaa-4bbb-8ccc-000000000001",
  licenseType: "Regular",
  price: 29,
  currency: "USD",
  item: {
    id: 101,
    name: "Harbour Theme",
    url: "https://market.example/items/101",
    media: { previewImage: "https://media.example/101/preview.png" },
  },
  supportedUntil: "2030-01-01T00:00:00Z",
  downloaded: true,
  date: "2024-02-03T04:05:06Z",
};

/** Where a dialect says it otherwise. */
const otherwise: { readonly [name in MarketDialect]?: Purchase } = {
  "nested-item": { ...supported, item: { ...supported.item, url: undefined } },
  translated: { ...supported, licenseType: "Licencia regular" },
};

/** What each dialect says of a code that is not valid. */
const words = (dialect: MarketDialect) =>
  dialect === "translated" ? "No se ha podido atender la petición" : "Invalid purchase code";

const { purchaseCode } = supported;
/** The first purchase of the samples, some of it otherwise. */
const purchase = (changes: object) => ({ ...sampleMarket.purchases[0], ...changes });

describe("getPurchase and validatePurchase", () => {
  it("ask once more where an answer is lost, since a validation changes nothing", async () => {
    const { ask, lines, control } = await program();
    control.addFault({ match: { path: VALIDATION, times: 1 }, reply: "reset" });
    expect(await ask(getPurchase, { purchaseCode })).toStrictEqual(supported);
    expect(lines()).toEqual(Array(2).fill(`POST ${VALIDATION}`));
  });

  it.each(marketDialectNames)(
    "give every field in dialect %s, with one request each",
    async (marketDialect) => {
      const { ask, warned, lines } = await program({ marketDialect });
      const found = otherwise[marketDialect] ?? supported;
      expect(await ask(getPurchase, { purchaseCode })).toStrictEqual(found);
      expect(await ask(validatePurchase, { purchaseCode })).toStrictEqual({ valid: true, purchase: found });
      expect(lines()).toEqual(Array(2).fill(`POST ${VALIDATION}`));
      expect(warned).toEqual([]);
    },
  );

  it.each(marketDialectNames)("tell in dialect %s that a code is not valid", async (marketDialect) => {
    const { ask, lines } = await program({ marketDialect });
    expect(await ask(validatePurchase, { purchaseCode: "nonsense" })).toEqual({
      valid: false,
      reason: words(marketDialect),
    });
    const error = await rejection(ask(getPurchase, { purchaseCode: "nonsense" }));
    expect(error.name).toBe("Error");
    expect(error.message).toBe(
      `the purchase code is not valid (${words(marketDialect)}); is it for an item of this account?`,
    );
    expect(lines()).toEqual(
      [VALIDATION, DETAILS, VALIDATION, DETAILS].map((path, at) => `${at % 2 ? "GET" : "POST"} ${path}`),
    );
  });

  it.each([
    ["product", (it: object) => ({ product: it })],
    ["purchase, where item is something else", (it: object) => ({ item: { id: 101 }, purchase: it })],
  ])("find it at %s", async (_place, wrapped) => {
    const { ask } = await answering(VALIDATION, { status: "success", ...wrapped(purchase({})) });
    expect(await ask(getPurchase, { purchaseCode })).toStrictEqual(supported);
  });

  it("take null for no and for no support, and an item without pictures", async () => {
    const less = { downloaded: null, supported_until: null, item: { id: 101, name: "Harbour Theme" } };
    const { ask } = await answering(VALIDATION, { data: purchase(less) });
    expect(await ask(getPurchase, { purchaseCode })).toMatchObject({
      downloaded: false,
      supportedUntil: undefined,
      item: { media: { previewImage: undefined } },
    });
  });

  it.each([
    ["a purchase without a date", { date: undefined }, "date: is missing"],
    ["an item's id that can't be held", { item: { id: 2 ** 53, name: "x" } }, "item.id: "],
    ["a code that can't be held", { purchase_code: 2 ** 53 }, "purchase_code: "],
  ])("make no purchase of %s", async (_what, changes, where) => {
    const { ask } = await answering(VALIDATION, { data: { purchase: purchase(changes) } });
    const error = await rejection(ask(validatePurchase, { purchaseCode }));
    expect(error.name).toBe("UnexpectedAnswer");
    expect(error.message).toContain(`(${where}`);
  });

  it.each([[{}], [{ purchaseCode: "" }], [{ purchaseCode: "  " }], [{ purchaseCode: 12345678 }]])(
    "take no %j, and do not repeat a code",
    async (args) => {
      const { ask, lines } = await program();
      for (const lookup of [getPurchase, validatePurchase]) {
        const { message } = await rejection(ask<unknown>(lookup, args));
        expect(message).toMatch(/^purchaseCode /);
        expect(message).not.toContain("12345678");
      }
      expect(lines()).toEqual([]);
    },
  );
});

describe("the parameters of a purchase validation", () => {
  it("may be looked for elsewhere by a service that says 422; the setting is named", async () => {
    const { ask, warned } = await answering(VALIDATION, { msg: "Invalid purchase code" }, 422);
    await ask(validatePurchase, { purchaseCode });
    expect(warned).toEqual([
      "the service answers 422 to the purchase code, which counts as not valid; if it is valid: does the service take the parameters elsewhere (tracking:marketPostParameters)?",
    ]);
  });

  it("may be missed by a service in a way of its own; the message names the setting", async () => {
    const { ask } = await answering(VALIDATION, { message: "purchase_code is required" }, 400);
    const { message } = await rejection(ask(validatePurchase, { purchaseCode }));
    expect(message).toContain("(400: purchase_code is required)");
    expect(message).toContain("tracking:marketPostParameters");
  });
});
