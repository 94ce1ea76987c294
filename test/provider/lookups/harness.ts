import { createApi } from "../../../provider/api/client";
import { validArguments } from "../../../provider/lookups/invoke";
import type { Lookup } from "../../../provider/lookups/lookup";
import type { EmulatorOptions } from "../../service";
import { endpointAt } from "../endpoint";
import { world } from "../harness";

/** A service for one test, and a program that asks it by look-ups, without the engine. */
export async function program(options: EmulatorOptions = {}) {
  const { url, settings, control, lines } = await world(options);
  /** Lines for people. */
  const warned: string[] = [];
  const warn = (text: string) => void warned.push(text);
  const ask = async <R>(lookup: Lookup<R>, args: Record<string, unknown> = {}): Promise<R> => {
    const values = validArguments(lookup, args);
    const api = createApi(endpointAt(url, settings, {}, lookup.service), { warn, debug: () => {} });
    return lookup.invoke(values, { api, warn });
  };
  /** From now on, every request to a path is answered so. */
  const instead = (path: string, body: unknown, status = 200) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers = { "content-type": "application/json" };
    control.addFault({ match: { path, times: 0 }, reply: { status, headers, body: text } });
  };
  return { ask, warned, lines, instead, control };
}

/** The same of a service that answers every request to a path with this body instead of its own. */
export async function answering(path: string, body: unknown, status = 200) {
  const here = await program();
  here.instead(path, body, status);
  return here;
}
