import { expect, test } from "vitest";
import { sampleMarket } from "../../../emulator/market/samples";
import type { EmulatorOptions } from "../../service";
import { service } from "../../service";

const [theme] = sampleMarket.items;
const [supported, unsupported] = sampleMarket.purchases;
const account = "/api/account/details";
const items = "/api/items/all";
const item = "/api/items/item";
const validation = "/api/purchases/validation";

/** A marketplace, and a way to ask it with the right key. */
async function market(options: EmulatorOptions = {}) {
  const at = await service(options);
  const get = (path: string, parameters: Record<string, string> = {}) =>
    at.ask("GET", `${path}?${new URLSearchParams({ api_key: "local-key", ...parameters })}`);
  const validate = (purchase_code: string) =>
    at.ask("POST", validation, { api_key: "local-key", purchase_code });
  return { ...at, get, validate };
}

const error = (status: number, msg: string) => ({ status, body: { status: "error", msg } });

test("a missing or ill-typed parameter is 400; a bearer token is no api_key", async () => {
  const { get, ask } = await market();
  expect(await ask("GET", account)).toMatchObject(error(400, "Invalid request"));
  expect(await get(items, { api_key: "" })).toMatchObject(error(400, "No Items Found"));
  expect(await get(item)).toMatchObject(error(400, "Item Not Found"));
  expect(await get(item, { item_id: "one" })).toMatchObject(error(400, "Item Not Found"));
  expect(await ask("POST", validation, { api_key: "local-key" })).toMatchObject(
    error(400, "Invalid purchase code"),
  );
});

test.each(["query", "form", "json"])("parameters may come as %s", async (where) => {
  const { url } = await market();
  const parameters = { api_key: "local-key", purchase_code: supported?.purchase_code ?? "" };
  const query = where === "query" ? `?${new URLSearchParams(parameters)}` : "";
  const answer = await fetch(`${url}${validation}${query}`, {
    method: "POST",
    ...(where === "form" && { body: new URLSearchParams(parameters) }),
    ...(where === "json" && {
      body: JSON.stringify(parameters),
      headers: { "Content-Type": "application/json" },
    }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, { status: "success" }]);
});

test.each(["Mozilla/5.0", "Edge"])("%s is sent to the home page", async (agent) => {
  const { ask, url } = await market();
  const { status, headers } = await ask("GET", `${account}?api_key=local-key`, undefined, {
    "User-Agent": agent,
  });
  expect([status, headers.get("location")]).toEqual([302, `${url}/`]);
});

test("the marketplace is not paced", async () => {
  const { get } = await market({ rateLimit: { requests: 1, seconds: 60 } });
  for (let times = 0; times < 3; times += 1) expect(await get(items)).toMatchObject({ status: 200 });
});

test("nested-item has the purchase at item, with the whole item in it and another name for its date", async () => {
  const { validate } = await market({ marketDialect: "nested-item" });
  const { date, ...rest } = supported ?? {};
  const { body } = await validate(supported?.purchase_code ?? "");
  expect(body).toEqual({ status: "success", item: { ...rest, item: theme, purchased_at: date } });
});

test("loose has text and objects for lists, text for numbers, null for what may miss, and a bare account", async () => {
  const { get, validate } = await market({ marketDialect: "loose" });
  expect((await get(item, { item_id: "101" })).body).toMatchObject({
    item: {
      id: "101",
      version: null,
      demo_link: null,
      tags: "shop,theme",
      options: { Responsive: ["yes"], "Dark mode": ["yes"] },
      media: { screenshots: { 0: theme?.media.screenshots[0], 1: theme?.media.screenshots[1] } },
      price: { regular: "29", extended: "149.5" },
    },
  });
  expect((await get(item, { item_id: "103" })).body).toMatchObject({
    item: { options: null, media: { screenshots: null } },
  });
  const { body } = await get(account);
  expect(body).toMatchObject({
    username: "ada-marlow",
    balance: "128.5",
    profile: { heading: null, contact: { email: null }, social_links: { facebook: null, x: null } },
  });
  expect(body).not.toHaveProperty("status");
  expect((await validate(unsupported?.purchase_code ?? "")).body).toMatchObject({
    data: { price: "90", downloaded: "0", supported_until: null },
  });
});
