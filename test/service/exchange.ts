import type { EventEmitter } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { bearerToken, readHead, sentField, withBody } from "../../emulator/service/request";
import type { Json, ServiceResponse } from "../../emulator/service/response";
import type { respond } from "../../emulator/service/router";
import type { ServiceState } from "../../emulator/service/state";
import type { Faults } from "./faults";
import type { Limiter } from "./limiters";
import { replies } from "./replies";

/** One request to the service. */
export interface LogEntry {
  method: string;
  /** As sent, without the query. */
  path: string;
  query: Record<string, string>;
  /** Names are in lower case. */
  headers: IncomingHttpHeaders;
  /** Whether the key that it carries was valid. */
  key: "right" | "wrong";
  /** Empty if the body is no form. */
  form: Record<string, string>;
  /** Empty if the body is no JSON object. */
  json: Record<string, Json>;
  /** Of the service's own answer, whatever a fault made of that. */
  status: number;
  /** Whether it changed the store. */
  committed: boolean;
  /** Whether a reply has gone out, complete or cut off. */
  answered: boolean;
}

/** The service, and what a test has made of it. */
export interface Context {
  state: ServiceState;
  /** The requests since the log was cleared. */
  log: LogEntry[];
  /** Tells whoever waits that there is a `change` in the log. */
  news: EventEmitter;
  faults: Faults;
  /** Operations that are answered already, and performed when a test releases them. */
  late: (() => void)[];
  /** Answers a request, in the ways that the service has now. */
  respond: typeof respond;
  /** What stands in front of it, and how long it works at what that takes, in milliseconds. */
  limiter: Limiter;
  takes: number;
  /** Aborted when the service closes. */
  closing: AbortSignal;
}

/** Handles one request to the service: reads it, applies a fault if one is due, performs it and replies. */
export async function exchange(
  { state, log, news, faults, late, respond, limiter, takes, closing }: Context,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = withBody(readHead(message), await text(message));
  const { commit = "normal", reply = "ok", delay = 0 } = faults.take(request) ?? {};
  const admission = limiter.admit(performance.now(), request);
  const isRefused = "status" in admission;
  const { response: own, change } = isRefused
    ? { response: { ...admission, body: "<html>" } as ServiceResponse }
    : respond(state, request);
  const key = sentField(request, "api_key") ?? bearerToken(request);
  const entry: LogEntry = {
    ...request,
    query: Object.fromEntries(request.query),
    form: Object.fromEntries(request.form),
    key: state.keys.has(String(key)) ? "right" : "wrong",
    status: own.status,
    committed: false,
    answered: false,
  };
  const note = (progress: Partial<LogEntry>) => {
    Object.assign(entry, progress);
    news.emit("change");
  };
  log.push(entry);
  note({});

  const perform = () => {
    if (change === undefined) return;
    change();
    note({ committed: true });
  };
  const isOwn = typeof reply === "string";
  if (commit === "before" || (commit === "normal" && isOwn)) perform();
  if (commit === "late") late.push(perform);
  const works = isRefused ? 0 : admission.waits + takes;
  if (works > 0) await pause(works, undefined, { signal: closing });
  if (!isRefused) limiter.leave();
  if (delay > 0) await pause(delay, undefined, { signal: closing });

  const { socket } = response;
  const answer = isOwn ? own : ({ status: 200, ...reply } as ServiceResponse);
  if (socket) await replies[isOwn ? reply : "ok"]({ response, socket, answer, delay, closing });
  note({ answered: true });
}
