import type * as dynamic from "@pulumi/pulumi/dynamic";
import { sanitize } from "../../api/redact";
import { PartialFailure, type ResourceState } from "../../lifecycle";
import { noun, type Resource, type Values } from "../../schema/resource";
import { marshal } from "./marshal";

/** The constant text that brought us here; it is in every bag and has to be in every bag that we give back. */
export const PROVIDER = "__provider";

/** The engine takes an empty answer for "gone", and so does `get` without a word: there it has to be an error. */
export function notFound(resource: Resource, id: string, state: Values): dynamic.ReadResult {
  if (state[resource.key] !== undefined) return {};
  throw new Error(`there is no ${noun(resource)} with id ${id} on the service`);
}

export function readResult(
  resource: Resource,
  { id, state }: ResourceState,
  props: Record<string, unknown> | undefined,
): dynamic.ReadResult {
  const bag = { ...marshal(resource, state), [PROVIDER]: props?.[PROVIDER] };
  return { id, props: bag, inputs: { ...bag } };
}

/** Runs one call; an error leaves as one clean sentence, once, and without our stack. */
export async function withCleanErrors<T>(
  resource: Resource,
  call: () => Promise<T>,
  bag?: Record<string, unknown>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const message = sanitize(error instanceof Error ? error.message : String(error));
    const plain = Object.assign(new Error(message), { stack: "", toString: () => "" });
    if (!(error instanceof PartialFailure)) throw plain;
    // The engine keeps the id, prints the reasons, and calls update the next time.
    const properties = { ...marshal(resource, error.state), [PROVIDER]: bag?.[PROVIDER] };
    throw Object.assign(plain, { id: error.id, properties, reasons: [message] });
  }
}
