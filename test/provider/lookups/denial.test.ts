import { describe, expect, it } from "vitest";
import { sampleMarket } from "../../../emulator/market/samples";
import { getAccount } from "../../../provider/lookups/account";
import { getItem, getItems } from "../../../provider/lookups/item";
import { getPurchase, validatePurchase } from "../../../provider/lookups/purchase";
import { rejection } from "../../rejection";
import { answering } from "./harness";

const DETAILS = "/api/account/details";
const VALIDATION = "/api/purchases/validation";

const statuses = [200, 400, 404, 410, 422];
/** The envelope of an error, with what servers put beside it. */
const envelopes = [
  { status: "error", msg: "Words" },
  { status: "fallo", msg: "Words", data: [] },
  { status: "error", msg: "Words", data: {} },
  { status: "error", msg: "Words", data: null, items: [] },
  { status: "error", msg: "Words", data: { purchase: null } },
];
const ways = [
  ...statuses.map((status) => ({ status, body: envelopes[0] })),
  ...envelopes.slice(1).map((body) => ({ status: 404, body })),
].map((way) => ({ ...way, text: JSON.stringify(way.body) }));

/** Each question, with the address that answers it. */
const questions = [
  { path: "/api/items/item", lookup: getItem, args: { itemId: 9 } },
  { path: "/api/items/all", lookup: getItems, args: {} },
  { path: VALIDATION, lookup: getPurchase, args: { purchaseCode: "code" } },
  { path: VALIDATION, lookup: validatePurchase, args: { purchaseCode: "code" } },
] as const;

describe("a message instead of what was asked for", () => {
  it.each(ways)("means with $status and $text that it is not there", async ({ status, body }) => {
    const one = await answering("/api/items/item", body, status);
    const item = await rejection(one.ask(getItem, { itemId: 9 }));
    expect(item.name).toBe("Error");

    const all = await answering("/api/items/all", body, status);
    expect(await all.ask(getItems)).toEqual([]);
    expect(all.warned).toEqual([expect.stringContaining("the service found no items")]);

    const code = await answering(VALIDATION, body, status);
    const purchase = await rejection(code.ask(getPurchase, { purchaseCode: "code" }));
    expect(purchase.name).toBe("Error");
    expect(purchase.message).toContain("(Words)");
    expect(await code.ask(validatePurchase, { purchaseCode: "code" })).toEqual({
      valid: false,
      reason: "Words",
    });
  });

  it.each(statuses)("is about the key where the account's details say no too, with %i", async (status) => {
    for (const { path, lookup, args } of questions) {
      const { ask, warned, instead } = await answering(path, { status: "error", msg: "Words" }, status);
      instead(DETAILS, { status: "error", msg: "Invalid", data: [] }, status);
      const { message } = await rejection(ask<unknown>(lookup, args));
      expect(message).toContain("perhaps because the API key is wrong");
      expect(message).toContain("check tracking:apiKey");
      expect(warned).toEqual([]);
      if (status === 200) expect(message).not.toMatch(/\(\d{3}/);
    }
  });

  it("is about the marketplace's API, which seems to be off, where no address of it is found", async () => {
    for (const { path, lookup, args } of [...questions, { path: DETAILS, lookup: getAccount, args: {} }]) {
      const { ask, instead } = await answering(path, { status: "error", msg: "Words" }, 404);
      instead(DETAILS, { message: "Not found." }, 404);
      const { message } = await rejection(ask<unknown>(lookup, args));
      expect(message).toContain("the marketplace's API seems to be off");
    }
  });

  it("tells with 200 no status that nobody sent, where the account can't be read", async () => {
    for (const { path, lookup, args } of questions) {
      const { ask, instead } = await answering(path, { status: "error", msg: "Words", data: [] });
      instead(DETAILS, { message: "Forbidden." }, 403);
      const { message } = await rejection(ask<unknown>(lookup, args));
      expect(message).toContain("perhaps because the API key is wrong");
      expect(message).toContain(" (Words)");
    }
  });

  it("is none beside what was asked for, in an envelope or bare", async () => {
    const { items } = sampleMarket;
    const { ask, instead } = await answering("/api/items/all", { msg: "Words", items });
    expect(await ask(getItems)).toHaveLength(items.length);
    instead("/api/items/item", { msg: "Words", ...items[0] });
    expect(await ask(getItem, { itemId: 101 })).toMatchObject({ id: 101 });
  });
});
