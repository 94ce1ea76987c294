/** Websites and pixels, and what answers any request: `router` finds the operation, `dialects` say how servers differ. */
import { respondMarket } from "../market/operations";
import type { Collection } from "./collections";
import { dialects } from "./dialects";
import { create, get, list, type Operation, remove, renderNotFound, update } from "./operations";
import { rateLimitHeaders } from "./rate-limit";
import { bearerToken, type ServiceRequest } from "./request";
import { htmlPage, type Outcome, redirect, type ServiceResponse } from "./response";
import type { ServiceState } from "./state";

/** The methods of a collection, and of a record. */
const methods: Record<"collection" | "record", Readonly<Record<string, Operation>>> = {
  collection: { GET: list, POST: create },
  record: { GET: get, PUT: update, PATCH: update, DELETE: remove },
};

/** Pages for people, outside the interface. */
const pages: Readonly<Record<string, string>> = { "/": "Home", "/login": "Log in" };

function normalizePath(path: string): string {
  return path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
}

function queryOf({ query }: ServiceRequest): string {
  return query.size > 0 ? `?${query}` : "";
}

/** `undefined` if the path is not the collection's; empty for the collection itself. */
function idIn({ path }: Collection, requested: string): string | undefined {
  if (requested === path) return "";
  const rest = requested.startsWith(`${path}/`) ? requested.slice(path.length + 1) : "";
  return rest === "" || rest.includes("/") ? undefined : rest;
}

/** The rate limit's headers, and its refusal of a request that is one too many. */
function rateLimited(
  { settings, rateLimiter }: ServiceState,
  request: ServiceRequest,
): { headers: Record<string, string>; refusal?: ServiceResponse } {
  if (settings.rateLimit === false) return { headers: {} };
  const allowance = rateLimiter.admit(bearerToken(request) ?? "", settings.rateLimit, Date.now());
  const headers = rateLimitHeaders(allowance);
  if (allowance.retryAfter === undefined) return { headers };
  return { headers, refusal: { status: 429, body: { message: "Too Many Attempts." } } };
}

/** Whether the front server, as Cloudflare Access is one, lets a request through to the service. */
function isLetThrough({ settings }: ServiceState, { headers }: ServiceRequest): boolean {
  return Object.entries(settings.headers).every(([name, text]) => headers[name.toLowerCase()] === text);
}

/** A client that does not ask for JSON first is redirected to the log-in page, with any method. */
function unauthorized({ keys }: ServiceState, request: ServiceRequest): ServiceResponse | undefined {
  if (keys.has(bearerToken(request) ?? "")) return undefined;
  const wantsJson = /^\s*application\/json\b/i.test(request.headers.accept ?? "");
  if (!wantsJson) return redirect(302, `${request.origin}/login`);
  return { status: 401, body: { message: "Unauthenticated." } };
}

/** Checks the method, the rate limit and the key, in this order, and then runs the operation. */
function onCollection(
  state: ServiceState,
  collection: Collection,
  request: ServiceRequest,
  id: string,
): Outcome {
  const rules = dialects[state.settings.dialect];
  const operations = methods[id === "" ? "collection" : "record"];
  const operation = operations[request.method];
  if (operation === undefined) {
    const refusal = rules.renderError(405, `The ${request.method} method is not supported for this route.`);
    return { response: { ...refusal, headers: { Allow: Object.keys(operations).join(", ") } } };
  }
  const { refusal: limited, headers } = rateLimited(state, request);
  const refusal = limited ?? unauthorized(state, request);
  const outcome = refusal
    ? { response: refusal }
    : operation({ state, rules, collection, table: state.tables[collection.model], request, id });
  return {
    ...outcome,
    response: { ...outcome.response, headers: { ...outcome.response.headers, ...headers } },
  };
}

/** Answers one request to the service, whichever of its interfaces it is for. */
export function respond(state: ServiceState, request: ServiceRequest): Outcome {
  const normalized = normalizePath(request.path);
  if (normalized !== request.path)
    return { response: redirect(301, `${request.origin}${normalized}${queryOf(request)}`) };
  const page = pages[request.path];
  if (page !== undefined) return { response: { status: 200, body: htmlPage(page) } };
  if (!isLetThrough(state, request)) return { response: redirect(302, `${request.origin}/login`) };
  const market = respondMarket(state, request);
  if (market !== undefined) return { response: market };

  const rules = dialects[state.settings.dialect];
  for (const collection of rules.collections) {
    const id = idIn(collection, request.path);
    if (id !== undefined) return onCollection(state, collection, request, id);
  }
  return { response: renderNotFound(rules) };
}
