import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { ControlContext } from "./control/commands";
import { echoKey } from "./faults/echo";
import type { Fault } from "./faults/fault";
import { isAnswered, isOwn, send } from "./faults/replies";
import { bearerToken, parameterKey } from "./service/keys";
import { type RequestHead, readText, withBody } from "./service/request";
import { respond } from "./service/router";

const noFault: Fault = { match: {} };

/** Handles one request to the service: reads it, applies a fault if one is due, performs it and replies. */
export async function handleRequest(
  { service, requestLog, faults, late, signal }: ControlContext,
  head: RequestHead,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const unread = withBody(head, "");
  const early = faults.take(unread, true);
  const request = early ? unread : withBody(head, await readText(message));
  const struck = early ?? faults.take(request, false);
  const fault = struck?.fault ?? noFault;
  const verdict = service.keys.verdict(parameterKey(request) ?? bearerToken(request));
  const entry = requestLog.open(request, verdict, struck?.id ?? null);

  const { response: own, change } = respond(service, request);
  const perform = () => {
    if (change === undefined) return;
    change();
    requestLog.note(entry, { committed: true });
  };
  const { commit = "normal" } = fault;
  if (commit === "before" || (commit === "normal" && isOwn(fault))) perform();
  if (commit === "late") late.push(perform);
  if (fault.delay !== undefined) await pause(fault.delay, undefined, { signal });

  const spoken = service.settings.echoKey ? echoKey(own, request) : own;
  const { socket } = response;
  const status = socket && (await send({ response, socket, answer: spoken, fault, signal }));
  if (commit === "after") perform();
  requestLog.note(entry, { status, answered: isAnswered(fault) });
}
