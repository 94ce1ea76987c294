/** The marketplace: four operations, whose answers differ by dialect. */
import { type ServiceRequest, sentField } from "../service/request";
import { type Json, redirect, type ServiceResponse } from "../service/response";
import type { ServiceState } from "../service/state";
import { type MarketRules, marketDialects } from "./dialects";
import type { Market } from "./records";

/** One operation of the marketplace. Its parameters come in the query, as a form or as JSON. */
interface MarketOperation {
  method: "GET" | "POST";
  /** Its message for every error. */
  msg: string;
  /** The status for a key that isn't valid: most operations answer that nothing exists. */
  invalidKeyStatus: 401 | 404;
  /** The parameter besides `api_key`. */
  parameter?: { name: string; isValid(value: Json | undefined): boolean };
  /** `undefined` if nothing is found. */
  find(market: Market, rules: MarketRules, value: string): ServiceResponse | undefined;
}

function isInteger(value: Json | undefined): boolean {
  return /^\d+$/.test(typeof value === "number" || typeof value === "string" ? String(value) : "");
}

function isNonEmpty(value: Json | undefined): boolean {
  return typeof value === "string" && value !== "";
}

const operations: Readonly<Record<string, MarketOperation>> = {
  "/api/account/details": {
    method: "GET",
    msg: "Invalid request",
    invalidKeyStatus: 401,
    find: ({ account }, rules) => rules.account(account),
  },
  "/api/items/all": {
    method: "GET",
    msg: "No Items Found",
    invalidKeyStatus: 404,
    find: ({ items }, rules) => (items.length >= rules.fewestItems ? rules.items(items) : undefined),
  },
  "/api/items/item": {
    method: "GET",
    msg: "Item Not Found",
    invalidKeyStatus: 404,
    parameter: { name: "item_id", isValid: isInteger },
    find: ({ items }, rules, value) => {
      const item = items.find(({ id }) => id === Number(value));
      return item && rules.item(item);
    },
  },
  "/api/purchases/validation": {
    method: "POST",
    msg: "Invalid purchase code",
    invalidKeyStatus: 404,
    parameter: { name: "purchase_code", isValid: isNonEmpty },
    find: ({ purchases, items }, rules, value) => {
      const purchase = purchases.find(({ purchase_code }) => purchase_code === value);
      const item = items.find(({ id }) => id === purchase?.item.id);
      return purchase && rules.purchase(purchase, item);
    },
  },
};

/** A browser is redirected to the home page. */
const browser = /Mozilla|Chrome|Firefox|Opera|Edge/i;

/** Answers a request to the marketplace; `undefined` if the path is not the marketplace's. */
export function respondMarket(state: ServiceState, request: ServiceRequest): ServiceResponse | undefined {
  const operation = Object.hasOwn(operations, request.path) ? operations[request.path] : undefined;
  if (operation === undefined) return undefined;
  if (browser.test(request.headers["user-agent"] ?? "")) return redirect(302, `${request.origin}/`);

  const { keys, market, settings } = state;
  const { method, msg, invalidKeyStatus, parameter, find } = operation;
  const rules = marketDialects[settings.marketDialect];
  if (request.method !== method)
    return { ...rules.renderError(405, "Method Not Allowed"), headers: { Allow: method } };

  const key = sentField(request, "api_key");
  const value = parameter && sentField(request, parameter.name);
  const isSound = parameter === undefined || parameter.isValid(value);
  if (typeof key !== "string" || key === "" || !isSound) return rules.renderError(400, msg);
  if (!keys.has(key)) return rules.renderError(invalidKeyStatus, msg);
  return find(market, rules, String(value)) ?? rules.renderError(404, msg);
}
