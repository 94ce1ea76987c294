import type { IncomingMessage, ServerResponse } from "node:http";
import { type RequestHead, readText } from "../service/request";
import { type ControlContext, commands } from "./commands";

/** The path of control commands. */
export const controlPrefix = "/_emulator/";

/** Runs one control command. */
export async function handleCommand(
  context: ControlContext,
  head: RequestHead,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = head.path.slice(controlPrefix.length);
  const command = Object.entries(commands).find(([known]) => known === name)?.[1];
  if (head.method !== "POST" || command === undefined) {
    response.writeHead(404).end(`no command POST ${head.path} exists`);
    return;
  }
  const result = await command(context, JSON.parse(await readText(message)));
  const body = JSON.stringify(result) as string | undefined;
  response.writeHead(200, { "Content-Type": "application/json" }).end(body);
}
