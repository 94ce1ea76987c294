import { type Answer, htmlPage, type Outcome, redirect } from "./answer";
import type { Collection } from "./collections";
import { dialects } from "./dialects";
import type { Installation } from "./installation";
import { bearer } from "./keys";
import { respondMarket } from "./marketplace";
import { list, notFound, type Operation, remove, show, store, update } from "./operations";
import { paceHeaders } from "./pace";
import type { ServiceRequest } from "./request";

/** What may be done to a whole collection, and to one of its records. HEAD is GET without the body. */
const methods: Record<"collection" | "record", Readonly<Record<string, Operation>>> = {
  collection: { GET: list, HEAD: list, POST: store },
  record: { GET: show, HEAD: show, PUT: update, PATCH: update, DELETE: remove },
};

/** Pages for people, outside the interface. */
const pages: Readonly<Record<string, string>> = { "/": "Home", "/login": "Log in" };

/** Answers one request to the service, whichever of its interfaces it is for. */
export function respond(installation: Installation, request: ServiceRequest): Outcome {
  const tidy = tidied(request.path);
  if (tidy !== request.path) return { answer: redirect(301, `${request.origin}${tidy}${queryOf(request)}`) };
  const page = pages[request.path];
  if (page !== undefined) return { answer: { status: 200, body: htmlPage(page) } };
  const market = respondMarket(installation, request);
  if (market !== undefined) return { answer: market };

  const rules = dialects[installation.settings.dialect];
  for (const collection of rules.collections) {
    const id = idIn(collection, request.path);
    if (id !== undefined) return onCollection(installation, collection, request, id);
  }
  return { answer: notFound(rules) };
}

/** Method, pace and key are looked at in this order, then the operation has its say. */
function onCollection(
  installation: Installation,
  collection: Collection,
  request: ServiceRequest,
  id: string,
): Outcome {
  const rules = dialects[installation.settings.dialect];
  const offered = methods[id === "" ? "collection" : "record"];
  const operation = offered[request.method];
  if (operation === undefined) {
    const refusal = rules.failed(405, `The ${request.method} method is not supported for this route.`);
    return { answer: { ...refusal, headers: { Allow: Object.keys(offered).join(", ") } } };
  }
  const { answer: turnedAway, headers } = paced(installation, request);
  const refusal = turnedAway ?? unauthorized(installation, collection, request);
  const outcome = refusal ? { answer: refusal } : operation({ installation, collection, request, id });
  return { ...outcome, answer: { ...outcome.answer, headers: { ...outcome.answer.headers, ...headers } } };
}

function paced(
  { settings, pace }: Installation,
  request: ServiceRequest,
): { headers: Record<string, string>; answer?: Answer } {
  if (settings.pace === false) return { headers: {} };
  const allowance = pace.admit(bearer(request) ?? "", settings.pace, Date.now());
  const headers = paceHeaders(allowance);
  if (allowance.retryAfter === undefined) return { headers };
  return { headers, answer: { status: 429, body: { message: "Too Many Attempts." } } };
}

/** Who does not ask for JSON before all else is sent to log in, with any method. */
function unauthorized(
  { keys, settings }: Installation,
  { service }: Collection,
  request: ServiceRequest,
): Answer | undefined {
  const key = bearer(request);
  if (key === undefined || keys.verdict(key) !== "right") {
    const wantsJson = /^\s*application\/json\b/i.test(request.headers.accept ?? "");
    if (!wantsJson) return redirect(302, `${request.origin}/login`);
    return { status: 401, body: { message: "Unauthenticated." } };
  }
  return keys.opens(key, service) ? undefined : dialects[settings.dialect].failed(403, "Forbidden.");
}

/** Nothing when the path is not the collection's; empty for the collection itself. */
function idIn({ path }: Collection, requested: string): string | undefined {
  if (requested === path) return "";
  const rest = requested.startsWith(`${path}/`) ? requested.slice(path.length + 1) : "";
  return rest === "" || rest.includes("/") ? undefined : rest;
}

function tidied(path: string): string {
  return path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
}

function queryOf({ query }: ServiceRequest): string {
  return query.size > 0 ? `?${query}` : "";
}
