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
  /** One line per request, if enabled. */
  readonly logged: string[];
}

/** A program with these settings, for services at this address. */
export function program(
  url: string,
  settings: Record<string, string> = {},
  env: NodeJS.ProcessEnv = {},
): Program {
  const warned: string[] = [];
  const logged: string[] = [];
  const warn = (text: string) => void warned.push(text);
  return {
    warned,
    logged,
    ask: async (lookup, args = {}) => {
      const values = validArguments(lookup, args);
      const api = createApi(endpointAt(url, settings, env, lookup.service), {
        warn: warn,
        debug: (text) => void logged.push(text),
      });
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
  headers: Record<string, string> = {},
): Promise<void> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  await control.addFault({
    match: { path, times: 1_000_000 },
    reply: { status, headers: { "content-type": "application/json", ...headers }, body: text },
  });
}

/** A request in one line. */
function line({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** The requests that a service got, in lines. */
export async function lines({ control }: Emulator): Promise<string[]> {
  return (await control.requests()).map(line);
}
