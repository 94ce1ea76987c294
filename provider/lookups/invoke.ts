import { type Api, linesOf } from "../api/api";
import type { Logger } from "../api/client";
import { sanitizeLines } from "../api/redact";
import { type Endpoint, endpoint, type SettingsSource } from "../config";
import type { Values } from "../schema/resource";
import { validate } from "../schema/validate";
import type { Lookup } from "./lookup";

/** The arguments of a look-up with defaults filled in. Throws one error that names all mistakes. */
export function validArguments(lookup: Lookup<unknown>, args: Values): Values {
  const { values, mistakes } = validate(lookup.name, lookup.inputs, { ...args });
  if (mistakes.length > 0) throw new Error(mistakes.map(({ text }) => text).join("; "));
  return values;
}

/**
 * Answers a look-up for any host. Rejects with clean lines: what happened, after the function's name, and what to do.
 *
 * @param args plain values, all of them known
 */
export async function invoke<R>(
  lookup: Lookup<R>,
  args: Values,
  source: SettingsSource,
  run: { readonly log: Logger; connect(endpoint: Endpoint): Api },
): Promise<R> {
  try {
    const values = validArguments(lookup, args);
    const api = run.connect(endpoint(lookup.service, source));
    return await lookup.invoke(values, { api, warn: run.log.warn });
  } catch (error) {
    const [what, ...advice] = linesOf(error);
    throw new Error(sanitizeLines([`${lookup.name}: ${what}`, ...advice]));
  }
}
