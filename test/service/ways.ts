import type { ServiceRequest } from "../../emulator/service/request";
import type { JsonObject, Outcome, ServiceResponse } from "../../emulator/service/response";
import { respond } from "../../emulator/service/router";
import type { ServiceState } from "../../emulator/service/state";
import { type ListWays, pageOf } from "./lists";

/** What a service may do unlike others, and the interface allows. */
export interface Ways extends ListWays {
  /** Lists show at most so many records. */
  readonly abridged?: number;
  /** How long lists do not show a new record, in milliseconds. */
  readonly lagMs?: number;
  /** What a PUT does to fields that it does not contain. */
  readonly put?: "keeps" | "clears";
  /** How often each record is not found by its id, although the list shows it. */
  readonly denials?: number;
  /** After an upgrade of the service, record 7 has the id `web_7`, and no other. */
  readonly upgraded?: boolean;
}

/** The fields that a PUT of a website may set to 0. */
const FLAGS = ["privacy", "email", "exclude_bots"];

const notFound: Outcome = { response: { status: 404, body: { message: "Resource not found." } } };

/** A service of these ways. */
export function serviceOf(ways: Ways): typeof respond {
  if (Object.keys(ways).length === 0) return respond;
  const denied = new Map<string, number>();
  return (state, request) => {
    const [kind = "", id] = request.path.split("/").slice(3);
    if (!["websites", "pixels"].includes(kind)) return respond(state, request);
    if (ways.upgraded && id !== undefined && !id.startsWith("web_")) return notFound;
    const meant = { ...request, path: request.path.replace("/web_", "/") };
    if (request.method === "PUT")
      return written(kind === "websites" ? put(state, meant, ways) : respond(state, meant), ways);
    if (request.method === "GET" && id === undefined) return listed(state, meant, ways);
    const times = denied.get(request.path) ?? 0;
    if (request.method !== "GET" || times >= (ways.denials ?? 0)) return written(respond(state, meant), ways);
    denied.set(request.path, times + 1);
    return notFound;
  };
}

function put(state: ServiceState, request: ServiceRequest, ways: Ways): Outcome {
  const form = new URLSearchParams(request.form);
  if (ways.put === "clears") for (const name of FLAGS) if (!form.has(name)) form.set(name, "0");
  return respond(state, { ...request, form });
}

function listed(state: ServiceState, request: ServiceRequest, ways: Ways): Outcome {
  const asked = request.query;
  if (ways.page === "refused" && asked.has("page"))
    return { response: { status: 422, body: { message: "unknown parameter" } } };
  const records: JsonObject[] = [];
  for (let number = 1; ; number += 1) {
    const query = new URLSearchParams({ ...Object.fromEntries(asked), per_page: "100", page: `${number}` });
    if (ways.searches === false) query.delete("search");
    const { response } = respond(state, { ...request, query });
    if (response.status !== 200) return { response };
    const { data } = response.body as { data: JsonObject[] };
    records.push(...data);
    if (data.length < 100) break;
  }
  const since = Date.now() - (ways.lagMs ?? -1);
  const shown = records.filter(
    ({ created_at }) => ways.lagMs === undefined || Date.parse(`${created_at}`) < since,
  );
  const page = { page: asked.get("page"), per_page: asked.get("per_page") };
  const { data, meta } = pageOf(shown.slice(0, ways.abridged), page, ways);
  return {
    response: { status: 200, body: { data: data.map((each) => asWritten(each, ways)), meta } as never },
  };
}

/** The same outcome with the record as this service writes it. */
function written(outcome: Outcome, ways: Ways): Outcome {
  const { body } = outcome.response;
  if (typeof body !== "object" || Array.isArray(body) || typeof body.data !== "object") return outcome;
  const response: ServiceResponse = {
    ...outcome.response,
    body: { ...body, data: asWritten(body.data as JsonObject, ways) },
  };
  return { ...outcome, response };
}

function asWritten(record: JsonObject, { upgraded }: Ways): JsonObject {
  return {
    ...record,
    ...(upgraded && { id: `web_${record.id}` }),
  };
}
