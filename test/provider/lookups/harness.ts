import { createApi } from "../../../provider/api/client";
import { validArguments } from "../../../provider/lookups/invoke";
import type { Lookup } from "../../../provider/lookups/lookup";
import { type Emulator, service } from "../../service";
import { endpointAt } from "../endpoint";

/** Asks look-ups as one program does, without the engine: what they say besides is kept. */
export interface Program {
  ask<R>(lookup: Lookup<R>, args?: Record<string, unknown>): Promise<R>;
  /** Lines for people. */
  readonly warned: string[];
}

/** A program of a service at this address. */
export function program(url: string): Program {
  const warned: string[] = [];
  const warn = (text: string) => void warned.push(text);
  return {
    warned,
    ask: async (lookup, args = {}) => {
      const values = validArguments(lookup, args);
      const api = createApi(endpointAt(url, {}, {}, lookup.service), { warn, debug: () => {} });
      return lookup.invoke(values, { api, warn });
    },
  };
}

/** A service that answers every request to a path with this body instead of its own. */
export async function answering(path: string, body: unknown, status = 200): Promise<Emulator> {
  const emulator = await service();
  await instead(emulator, path, body, status);
  return emulator;
}

/** From now on, every request to a path is answered so. */
export async function instead(
  { control }: Emulator,
  path: string,
  body: unknown,
  status = 200,
): Promise<void> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  await control.addFault({ match: { path, times: 0 }, reply: { status, headers, body: text } });
}

/** The requests that a service got, in lines. */
export async function lines({ control }: Emulator): Promise<string[]> {
  return (await control.requests()).map(({ method, path }) => `${method} ${path}`);
}
