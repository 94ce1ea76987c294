import { PartialFailure } from "../../lifecycle";
import type { Resource } from "../../schema/resource";
import type { Bag } from "../marshal";
import { bagOf } from "./bag";

/** Runs one call. Rethrows an error in the engine's form, without a stack trace, which the engine would print. */
export async function asEngineError<T>(resource: Resource, bag: Bag, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const plain = Object.assign(new Error(message), { stack: "", toString: () => "" });
    if (!(error instanceof PartialFailure)) throw plain;
    // The engine keeps the id, prints the reasons, and calls update the next time.
    const properties = bagOf(resource, error.state, bag);
    throw Object.assign(plain, { id: error.id, properties, reasons: [message] });
  }
}
