import * as pulumi from "@pulumi/pulumi";
import type { Api } from "../provider/api/api";
import { createApi, type Logger } from "../provider/api/client";
import { sanitize } from "../provider/api/redact";
import { assertAgreed, type Endpoint } from "../provider/config";
import { listName } from "../provider/hosts/native/functions";
import { pluginToken } from "../provider/hosts/native/tokens";
import * as lookups from "../provider/lookups/invoke";
import type { Lookup } from "../provider/lookups/lookup";
import { errorWithoutStack } from "./duplicates";
import { isKnown, isMocked } from "./internals";
import { runLedger } from "./run";

const log: Logger = {
  warn: (text) => void pulumi.log.warn(sanitize(text)),
  debug: (text) => void pulumi.log.info(sanitize(text)),
};

function connect(endpoint: Endpoint): Api {
  const ledger = runLedger();
  if (ledger !== undefined) assertAgreed(endpoint, ledger.settings);
  return createApi(endpoint, log);
}

/**
 * Answers a look-up in the program's process, since the engine has no `invoke` for dynamic providers. Rejects with a
 * message for people, which the engine shows without a stack.
 *
 * @param settings the `tracking:*` settings by their full names
 */
export async function invoke<R>(
  lookup: Lookup<R>,
  args: object,
  settings: Record<string, string | undefined>,
): Promise<R> {
  const outputs = Object.entries(args ?? {}).filter(([, value]) => pulumi.Output.isInstance(value));
  if (outputs.length > 0)
    throw errorWithoutStack(
      `${lookup.name}: ${outputs.map(([name]) => name).join(", ")} comes from a resource; use ${lookup.name}Output`,
    );
  if (isMocked()) {
    // The unit test of a program answers in the form of the plugin: a list in an object, under the name of the list.
    const token = pluginToken(lookup.name);
    const answer: Record<string, unknown> = await pulumi.runtime.invoke(token, { ...args });
    return (answer[listName(lookup.name)] ?? answer) as R;
  }
  const source = { get: (key: string) => settings[`tracking:${key}`] };
  try {
    return await lookups.invoke(lookup, { ...args }, source, { log, connect });
  } catch (error) {
    throw errorWithoutStack(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the value, or rejects if a preview does not know it: only the Output variant of the look-up can wait for it. */
export async function resolveKnown<T>(value: pulumi.Output<T>, name: string): Promise<T> {
  if (!(await isKnown(value)))
    throw errorWithoutStack(
      `${name}: the provider's settings are not known in this preview; use ${name}Output`,
    );
  return new Promise((resolve) => value.apply(resolve));
}
