import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { bearerToken, readHead, withBody } from "../../emulator/service/request";
import type { respond } from "../../emulator/service/router";
import type { ServiceState } from "../../emulator/service/state";
import { echoKey } from "./echo";
import type { Fault } from "./fault";
import type { Faults } from "./faults";
import { parameterKey, verdictOn } from "./keys";
import { isOwn, send } from "./replies";
import type { RequestLog } from "./request-log";

/** The service, and what a test has made of it. */
export interface Context {
  state: ServiceState;
  requestLog: RequestLog;
  faults: Faults;
  /** Operations that are answered already, and performed when a test releases them. */
  late: (() => void)[];
  /** Answers a request, in the ways that the service has now. */
  respond: typeof respond;
  /** Whether the key that was sent is repeated in every answer of 300 and above: header, body and redirect. */
  echoesKey: boolean;
  /** Aborted when the service closes. */
  closing: AbortSignal;
}

const noFault: Fault = { match: {} };

/** Handles one request to the service: reads it, applies a fault if one is due, performs it and replies. */
export async function exchange(
  { state, requestLog, faults, late, respond, echoesKey, closing }: Context,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const head = readHead(message);
  const unread = withBody(head, "");
  const early = faults.take(unread, true);
  const request = early ? unread : withBody(head, await text(message));
  const struck = early ?? faults.take(request, false);
  const fault = struck?.fault ?? noFault;
  const verdict = verdictOn(parameterKey(request) ?? bearerToken(request), state.keys);
  const entry = requestLog.open(request, verdict);

  const { response: own, change } = respond(state, request);
  const perform = () => {
    if (change === undefined) return;
    change();
    requestLog.note(entry, { committed: true });
  };
  const { commit = "normal" } = fault;
  if (commit === "before" || (commit === "normal" && isOwn(fault))) perform();
  if (commit === "late") late.push(perform);
  if (fault.delay !== undefined) await pause(fault.delay, undefined, { signal: closing });

  const answer = echoesKey ? echoKey(own, request) : own;
  const { socket } = response;
  const status = socket && (await send({ response, socket, answer, fault, closing }));
  requestLog.note(entry, { status, answered: fault.reply !== "stall" });
}
