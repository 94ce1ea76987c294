import { ApiError } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { format, formatIds } from "../schema/format";
import { isSameRecord } from "../schema/identity";
import { isUnknown, noun, type Resource, type Values } from "../schema/resource";
import type { Hints } from "./hints";

/** It can't be done: what happened, to which record, and what to do. */
export class LifecycleError extends Error {
  override readonly name: string = "LifecycleError";
}

/** A record is there but not as wanted. What is known of it has to be kept, so that the next run mends it. */
export class PartialFailure extends LifecycleError {
  override readonly name = "PartialFailure";
  constructor(
    readonly id: string,
    readonly state: Values,
    message: string,
  ) {
    super(message);
  }
}

/** What a message is about: a resource by its values, and its record where there is one. */
export interface Subject {
  readonly resource: Resource;
  readonly values: Values;
  readonly id?: string | undefined;
}

/** Runs an exchange; a failure is told as what it means for this record. */
export async function withContext<T>(subject: Subject, verb: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw describeFailure(subject, verb, error);
  }
}

/** What a failed exchange means for this record, in one sentence. */
export function describeFailure(subject: Subject, verb: string, error: unknown, hint?: string): Error {
  if (!(error instanceof ApiError)) return error as Error;
  const { inputs } = subject.resource;
  const names = Object.keys(error.details.fields ?? {}).map(
    (wire) => Object.entries(inputs).find(([name, field]) => (field.wire ?? name) === wire)?.[0] ?? wire,
  );
  const about = names.length > 0 ? ` (${names.join(", ")})` : "";
  return new LifecycleError(
    `${describeRecord(subject)} can't be ${verb}${about}: ${error.reason}${hint ? `; ${hint}` : ""} [${error.request.method} ${error.request.path}]`,
  );
}

/** Stops where an id has become another record's. */
export function assertSameRecord(
  { resource, hints }: { readonly resource: Resource; readonly hints: Hints },
  state: Values,
  id: string,
  found: RemoteRecord,
): void {
  if (isSameRecord(resource, state, found)) return;
  const other = format(resource.inputs[resource.key], found.values[resource.key] ?? "nothing");
  throw new LifecycleError(
    `the ${noun(resource)} with id ${id} is ${other} on the service, and ${format(undefined, state[resource.key])} in state, ` +
      `so nothing was changed. Did the base URL or API key change? ` +
      `If the record was really replaced, "pulumi state delete --force" and "${hints.importCommand(resource, id)}" repair state`,
  );
}

/** A record for a message: `website shop.example.com (id 5)`. */
export function describeRecord({ resource, values, id }: Subject): string {
  const key = values[resource.key];
  const name = key === undefined || isUnknown(key) ? "" : ` ${format(undefined, key)}`;
  return `${noun(resource)}${name}${id === undefined ? "" : ` (id ${id})`}`;
}

/** A resource for a message. */
export function describeOwner(name: string | undefined): string {
  return name === undefined ? "another resource of this program" : `"${name}"`;
}

/** Several records for a message. */
export function describeMatches(found: readonly RemoteRecord[]): string {
  return `${found.length} records match (${formatIds(found)})`;
}

/** Why something failed, without which request it was. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}
