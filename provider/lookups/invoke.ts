import { type Api, reasonOf } from "../api/api";
import type { Logger } from "../api/client";
import { sanitize } from "../api/redact";
import { type Endpoint, endpoint, type SettingsSource } from "../config";
import type { Values } from "../schema/resource";
import { validate } from "../schema/validate";
import type { Lookup } from "./lookup";

/** Answers look-ups for any host. One per process, so that the same question is sent once. */
export class LookupClient {
  private readonly answers = new Map<string, Promise<unknown>>();

  constructor(private readonly run: { readonly log: Logger; connect(endpoint: Endpoint): Api }) {}

  /**
   * Answers a look-up. Rejects with one clean sentence that begins with the function's name.
   *
   * @param args plain values, all of them known
   * @param resourceIds the resources that the look-up waited for: an answer from before they existed is not reused
   */
  async invoke<R>(
    lookup: Lookup<R>,
    args: Values,
    source: SettingsSource,
    resourceIds: readonly string[] = [],
  ): Promise<R> {
    try {
      const values = validArguments(lookup, args);
      const target = endpoint(lookup.service, source);
      const question = JSON.stringify([lookup.name, values, target.account, resourceIds]);
      const { log } = this.run;
      const answer =
        this.answers.get(question) ??
        lookup.invoke(values, { api: this.run.connect(target), warn: log.warn });
      this.answers.set(question, answer);
      return (await answer) as R;
    } catch (error) {
      throw new Error(`${lookup.name}: ${sanitize(reasonOf(error))}`);
    }
  }
}

/** The arguments of a look-up with defaults filled in. Throws one error that names all mistakes. */
export function validArguments(lookup: Lookup<unknown>, args: Values): Values {
  const { values, mistakes } = validate(lookup.name, lookup.inputs, { ...args });
  if (mistakes.length > 0) throw new Error(mistakes.map(({ text }) => text).join("; "));
  return values;
}
