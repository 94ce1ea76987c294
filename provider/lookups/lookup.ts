import { type Api, ApiError } from "../api/api";
import type { Fields, Service, Values } from "../schema/resource";

/** What a look-up needs of the world outside. */
export interface InvokeContext {
  readonly api: Api;
  /** Says something that a person should know, and goes on. */
  warn(text: string): void;
}

/** A read-only question to a service, as data. */
export interface Lookup<R> {
  /** The function's name, for messages. */
  readonly name: string;
  readonly service: Service;
  readonly inputs: Fields;
  /** A rule that no single argument can state: a sentence where it is broken. */
  readonly rule?: (args: Values) => string | undefined;
  invoke(args: Values, asking: InvokeContext): Promise<R>;
}

/** The service answered, and what was asked for is not there. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** Whether an exchange ended with the service not finding what was asked for. */
export function isMissing(error: unknown): error is ApiError {
  return error instanceof ApiError && error.failure === "missing";
}
