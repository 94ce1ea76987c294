import { beforeEach, describe, expect, it, vi } from "vitest";
import { sampleMarket } from "../../../emulator/market/samples";
import { ApiError } from "../../../provider/api/api";
import { getAccount } from "../../../provider/lookups/account";
import { getItem, getItems } from "../../../provider/lookups/item";
import type { Lookup } from "../../../provider/lookups/lookup";
import { getPurchase, validatePurchase } from "../../../provider/lookups/purchase";
import { rejection } from "../../rejection";
import { marketDialectNames, service } from "../../service";
import { instead, lines, program } from "./harness";

const DETAILS = "/api/account/details";
const code = sampleMarket.purchases[0]?.purchase_code ?? "";

/** Every look-up of the marketplace, with arguments that find something. */
const found: { name: string; lookup: Lookup<unknown>; args: Record<string, unknown>; request: string }[] = [
  { name: "getAccount", lookup: getAccount, args: {}, request: `GET ${DETAILS}` },
  { name: "getItems", lookup: getItems, args: {}, request: "GET /api/items/all" },
  { name: "getItem", lookup: getItem, args: { itemId: 101 }, request: "GET /api/items/item" },
  {
    name: "getPurchase",
    lookup: getPurchase,
    args: { purchaseCode: code },
    request: "POST /api/purchases/validation",
  },
  {
    name: "validatePurchase",
    lookup: validatePurchase,
    args: { purchaseCode: code },
    request: "POST /api/purchases/validation",
  },
];
/** Those to which the service answers a wrong key as if nothing were found. */
const blind = found.filter(({ name }) => name !== "getAccount");
const inDialects = blind.flatMap((each) => marketDialectNames.map((dialect) => ({ ...each, dialect })));

// No wait between two attempts: full jitter may be none.
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

describe("a bad key", () => {
  it.each(inDialects)(
    "is told as one by $name in dialect $dialect, where it looks as if nothing were found",
    async ({ lookup, args, dialect, request }) => {
      const emulator = await service({ marketDialect: dialect, apiKey: "another" });
      const asking = program(emulator.url);
      const error = await rejection(asking.ask(lookup, args));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ failure: "unauthorised", details: { status: 401 } });
      expect(await lines(emulator)).toEqual([request, `GET ${DETAILS}`]);
      expect(asking.warned).toEqual([]);
    },
  );
});

describe("a marketplace that can't be asked", () => {
  it.each([400, 401, 403, 405, 419, 422])(
    "is no word on a purchase code where it answers %i",
    async (status) => {
      const emulator = await service();
      await instead(emulator, "/api/purchases/validation", { status: "error", message: "no" }, status);
      const error = await rejection(program(emulator.url).ask(validatePurchase, { purchaseCode: code }));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ details: { status } });
      expect(error.message).toContain("the purchase code can't be validated");
    },
  );
});
