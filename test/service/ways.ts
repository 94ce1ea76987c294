import { type ServiceRequest, sentField } from "../../emulator/service/request";
import type { JsonObject, Outcome } from "../../emulator/service/response";
import { respond } from "../../emulator/service/router";
import type { ServiceState } from "../../emulator/service/state";
import { type ListWays, pageOf } from "./lists";

/** What a service may do unlike others, and the interface allows. */
export interface Ways extends ListWays {
  /** What a PUT does to fields that it does not contain. */
  readonly put?: "keeps" | "clears";
  /** Whether every answer of 300 and above repeats the key that was sent: in each text, a header and the redirect. */
  readonly echoesKey?: boolean;
}

/** The fields that a PUT of a website may set to 0. */
const FLAGS = ["privacy", "email", "exclude_bots"];

/** A service of these ways. */
export function serviceOf(ways: Ways): typeof respond {
  const { echoesKey, ...others } = ways;
  if (echoesKey) {
    const silent = serviceOf(others);
    return (state, request) => echoed(silent(state, request), request);
  }
  if (Object.keys(ways).length === 0) return respond;
  return (state, request) => {
    const { method, path } = request;
    const [kind = "", id] = path.split("/").slice(3);
    if (!["websites", "pixels"].includes(kind)) return respond(state, request);
    if (method === "PUT") return put(state, request, ways);
    if (method === "GET" && id === undefined) return listed(state, request, ways);
    return respond(state, request);
  };
}

function put(state: ServiceState, request: ServiceRequest, ways: Ways): Outcome {
  const [kind] = request.path.split("/").slice(3);
  const form = new URLSearchParams(request.form);
  if (ways.put === "clears" && kind === "websites")
    for (const name of FLAGS) if (!form.has(name)) form.set(name, "0");
  return respond(state, { ...request, form });
}

function listed(state: ServiceState, request: ServiceRequest, ways: Ways): Outcome {
  const { query: requested } = request;
  if (ways.page === "refused" && requested.has("page"))
    return { response: { status: 422, body: { message: "unknown parameter" } } };
  const records: JsonObject[] = [];
  for (let number = 1; ; number += 1) {
    const query = new URLSearchParams({
      ...Object.fromEntries(requested),
      per_page: "100",
      page: `${number}`,
    });
    if (ways.searches === false) query.delete("search");
    const { response } = respond(state, { ...request, query });
    if (response.status !== 200) return { response };
    const { data } = response.body as { data: JsonObject[] };
    records.push(...data);
    if (data.length < 100) break;
  }
  const page = { page: requested.get("page"), per_page: requested.get("per_page") };
  return { response: { status: 200, body: pageOf(records, page, ways) as unknown as JsonObject } };
}

function echoed({ response, ...outcome }: Outcome, request: ServiceRequest): Outcome {
  const key = sentField(request, "api_key") ?? request.headers.authorization;
  if (typeof key !== "string" || response.status < 300) return { ...outcome, response };
  const { body = "" } = response;
  const headers: Record<string, string> = { ...response.headers, "X-Debug-Key": key };
  if (headers.Location) headers.Location += `?${new URLSearchParams({ key })}`;
  const repeat = (_: string, value: unknown) => (typeof value === "string" ? `${value} (${key})` : value);
  const echo = JSON.parse(JSON.stringify(body), repeat) as typeof body;
  return { ...outcome, response: { ...response, headers, body: echo } };
}
