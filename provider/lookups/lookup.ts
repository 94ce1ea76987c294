import { type Api, ApiError } from "../api/api";
import { type Field, required } from "../schema/field";
import type { Fields, Service, Values } from "../schema/resource";

/** What a look-up needs from outside. */
export interface InvokeContext {
  readonly api: Api;
  /** Prints something that a person should know. */
  warn(text: string): void;
}

/** A read-only query to a service, as data. */
export interface Lookup<R> {
  /** The function's name, for messages. */
  readonly name: string;
  readonly service: Service;
  readonly inputs: Fields;
  invoke(args: Values, context: InvokeContext): Promise<R>;
}

/** An argument that is no field of a resource. */
export function argument<T>(expected: string, validator: Field<T>["validator"]): Field<T, true> {
  return required<T>({ expected, validator, encode: String, decode: () => undefined });
}

/** Whether the service did not find what a request asked for. */
export function isMissing(error: unknown): error is ApiError {
  return error instanceof ApiError && error.failure === "missing";
}
