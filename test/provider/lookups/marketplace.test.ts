import { beforeEach, describe, expect, it, vi } from "vitest";
import { marketDialectNames } from "../../../emulator";
import { sampleMarket } from "../../../emulator/market/samples";
import { ApiError } from "../../../provider/api/api";
import { getAccount } from "../../../provider/lookups/account";
import { getItem, getItems } from "../../../provider/lookups/item";
import type { Lookup } from "../../../provider/lookups/lookup";
import { getPurchase, validatePurchase } from "../../../provider/lookups/purchase";
import { rejection, service } from "../harness";
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
/** A GET and a POST among them. */
const kinds = found.filter(({ name }) => ["getItems", "validatePurchase"].includes(name));
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
      expect(error.message).toContain("the service rejects the API key");
      expect(await lines(emulator)).toEqual([request, `GET ${DETAILS}`]);
      expect(asking.warned).toEqual([]);
    },
  );

  it.each(found)(
    "is told by $name as one where the key opens other services only",
    async ({ lookup, args }) => {
      const { url, control } = await service({ apiKey: "another" });
      await control.addKey("local-key", ["analytics", "data"]);
      expect(await rejection(program(url).ask(lookup, args))).toMatchObject({ failure: "unauthorised" });
    },
  );

  it.each(blind)(
    "can't be told from nothing found by $name where the account can't be read",
    async (each) => {
      for (const [status, body] of [
        [404, { message: "Not found." }],
        [405, { status: "error", msg: "no" }],
        [200, {}],
      ] as const) {
        const emulator = await service({ apiKey: "another" });
        await instead(emulator, DETAILS, body, status);
        const error = await rejection(program(emulator.url).ask(each.lookup, each.args));
        expect(error).toBeInstanceOf(ApiError);
        expect(error.message).toContain("perhaps because the API key is wrong");
      }
    },
  );
});

describe("a marketplace that can't be asked", () => {
  it.each(found)("is told by $name, and asked again where that helps", async ({ lookup, args, request }) => {
    const emulator = await service();
    await emulator.control.addFault({ match: { times: 2 }, reply: { status: 502, body: "Bad gateway" } });
    expect(await program(emulator.url).ask(lookup, args)).toBeDefined();
    expect(await lines(emulator)).toEqual([request, request, request]);
  });

  it.each(kinds)("rejects $name with the reason where nothing answers", async ({ lookup, args }) => {
    const { url, close } = await service();
    await close();
    const error = await rejection(program(url).ask(lookup, args));
    expect(error).toMatchObject({ name: "ApiError", failure: "unsent" });
    expect(error.message).toContain(`${url}: nothing answers there (connection refused)`);
    expect(error.message).toMatch(/can't be (read|listed|validated)/);
  });

  it.each(kinds)("rejects $name where the address is a website's", async ({ lookup, args, request }) => {
    const emulator = await service();
    await emulator.control.addFault({ match: { times: 9 }, reply: "html", status: 200 });
    const error = await rejection(program(emulator.url).ask(lookup, args));
    expect(error.message).toContain("instead of JSON; is the base URL right?");
    await emulator.control.clearFaults();
    await emulator.control.addFault({ match: { times: 9 }, reply: "html", status: 404 });
    const absent = await rejection(program(emulator.url).ask(lookup, args));
    expect(absent.message).toContain("the service does not know this address; is the base URL right?");
    expect(await lines(emulator)).toEqual([request, request]);
  });

  it.each(kinds)("is not followed by $name where it redirects", async ({ lookup, args, request }) => {
    const other = await service();
    for (const status of [301, 302, 303, 307, 308]) {
      const emulator = await service();
      const location = `${other.url}/api/items/all?api_key=x`;
      await emulator.control.addFault({ match: {}, reply: { status, headers: { location } } });
      const error = await rejection(program(emulator.url).ask(lookup, args));
      expect(error.message).toContain(`the service redirects (${status} to ${other.url}`);
      expect(error.message).toContain("redirects are not followed");
      expect(await lines(emulator)).toEqual([request]);
    }
    expect(await lines(other)).toEqual([]);
  });

  it.each([
    [400, "tracking:marketPostParameters"],
    [401, "the service rejects the API key"],
    [403, "the plan may have no API access"],
    [405, "does not know this operation"],
    [419, "is the base URL right?"],
    [422, "the service refuses it"],
  ])("is no word on a purchase code where it answers %i", async (status, words) => {
    const emulator = await service();
    await instead(emulator, "/api/purchases/validation", { status: "error", message: "no" }, status);
    const error = await rejection(program(emulator.url).ask(validatePurchase, { purchaseCode: code }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain("the purchase code can't be validated");
    expect(error.message).toContain(words);
  });

  it("is waited for as it asks, but no longer than is allowed", async () => {
    const emulator = await service();
    await instead(emulator, "/api/items/all", { msg: "slow down" }, 429, { "retry-after": "3600" });
    const error = await rejection(program(emulator.url).ask(getItems));
    expect(error.message).toContain("asks to wait 3600 s, more than tracking:maxRetryWait allows (120 s)");
    expect(await lines(emulator)).toEqual(["GET /api/items/all"]);
  });
});

describe("every request to the marketplace", () => {
  it.each(kinds)("says in $name who asks, in words that the service lets in", async ({ lookup, args }) => {
    const { url, control } = await service();
    await program(url).ask(lookup, args);
    for (const { headers } of await control.requests()) {
      expect(headers["user-agent"]).toBe("pulumi-tracking");
      expect(headers.accept).toBe("application/json");
    }
  });

  it.each(kinds)(
    "keeps in $name to a base URL with a path and a slash",
    async ({ lookup, args, request }) => {
      const { url, control } = await service();
      await control.addFault({
        match: { times: 9 },
        reply: { status: 503, headers: { "retry-after": "9999" } },
      });
      await rejection(program(`${url}/shop/`).ask(lookup, args));
      expect(await lines({ control } as never)).toEqual([request.replace(" ", " /shop")]);
    },
  );

  it("uses the marketplace's own key where there is one", async () => {
    const { url } = await service({ apiKey: "market's own" });
    const { ask } = program(url, { apiKey: "wrong", marketApiKey: "market's own" });
    expect(await ask(getItems)).toHaveLength(3);
  });

  it("is named in the log with its status and its time, and without its parameters", async () => {
    const { url } = await service();
    const { ask, logged } = program(url, {}, { TRACKING_LOG: "debug" });
    for (const { lookup, args } of found) await ask(lookup, args);
    expect(logged.map((text) => text.replace(/ \d+ ms/, " … ms"))).toEqual(
      found.map(({ request }) => `${request.replace(" ", ` ${url}`)} 200 … ms, attempt 1`),
    );
  });
});
