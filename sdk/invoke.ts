import * as pulumi from "@pulumi/pulumi";
import type { Api } from "../provider/api/api";
import { createApi } from "../provider/api/client";
import { sanitize } from "../provider/api/redact";
import { type Endpoint, endpoint } from "../provider/config/endpoint";
import type { Lookup } from "../provider/lookups/lookup";
import type { Values } from "../provider/schema/resource";
import { validate } from "../provider/schema/validate";
import { suggest } from "../provider/suggest";

const apis = new Map<string, Api>();
const answers = new Map<string, Promise<unknown>>();

/**
 * Answers a look-up. Rejects with one sentence for people, which the engine shows without a stack.
 *
 * @param settings the `tracking:*` settings by their full names
 * @param resourceIds what tells the resources that were waited for: an answer from before they came to be won't do
 */
export async function invoke<R>(
  lookup: Lookup<R>,
  args: object,
  settings: Record<string, string>,
  resourceIds: readonly string[] = [],
): Promise<R> {
  try {
    const values = argumentsOf(lookup, args);
    const place = endpoint(lookup.service, { get: (key) => settings[`tracking:${key}`] });
    const question = JSON.stringify([lookup.name, values, place, resourceIds]);
    const asked = answers.get(question) ?? lookup.invoke(values, { api: apiOf(place), warn });
    answers.set(question, asked);
    return (await asked) as R;
  } catch (error) {
    throw sentence(`${lookup.name}: ${sanitize(error instanceof Error ? reasonOf(error) : String(error))}`);
  }
}

/** A value that a promise can't wait for in a preview: there the Output form has to be asked. */
export async function resolveKnown<T>(value: pulumi.Output<T>, name: string): Promise<T> {
  const { isKnown } = value as { isKnown?: Promise<boolean> };
  if ((await isKnown) === false)
    throw sentence(`${name}: the provider's settings are not known in this preview; use ${name}Output`);
  return new Promise((resolve) => value.apply(resolve));
}

/** The engine hides the stack of such an error, but not where nobody has waited for it. */
function sentence(text: string): Error {
  const error = new pulumi.RunError(text);
  error.stack = text;
  return error;
}

function argumentsOf(lookup: Lookup<unknown>, args: object): Values {
  const outputs = Object.entries(args ?? {}).filter(([, value]) => pulumi.Output.isInstance(value));
  if (outputs.length > 0)
    throw new Error(
      `${outputs.map(([name]) => name).join(", ")} comes from a resource; use ${lookup.name}Output`,
    );
  const { values, failures } = validate(lookup.name, lookup.inputs, { ...args }, {}, [], suggest);
  const broken = failures.length === 0 ? lookup.rule?.(values) : undefined;
  if (failures.length > 0 || broken !== undefined)
    throw new Error([...failures.map(({ text }) => text), broken].filter(Boolean).join("; "));
  return values;
}

function apiOf(place: Endpoint): Api {
  const name = JSON.stringify(place);
  const api =
    apis.get(name) ?? createApi(place, { warn: warn, debug: (text) => void pulumi.log.info(sanitize(text)) });
  apis.set(name, api);
  return api;
}

function warn(text: string): void {
  void pulumi.log.warn(sanitize(text));
}

function reasonOf(error: Error): string {
  return "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
}
