import { ApiError } from "../api/api";
import { format } from "../schema/format";
import { isUnknown, noun, type Resource, type Values } from "../schema/resource";

/** The command that imports what the program declares and the stack lacks. It finds records by keys, never by ids. */
export const IMPORT = "npx pulumi-tracking import --declared --apply";

/** How a resource that was renamed or moved in the program keeps its record. */
export const ALIASES =
  "If this resource was renamed or moved in the program, give it the option aliases with its old name or parent";

/** How to drop a resource from state whatever depends on it, and keep its record on the service. */
export const LET_GO =
  'declare it with the option retainOnDelete: true and run "pulumi up", then remove it and run "pulumi up" again';

/** A failed step: what happened, to which record, and what to do, which is told once if it is apart, as `advice`. */
export class LifecycleError extends Error {
  constructor(
    readonly title: string,
    readonly advice?: string,
    message = advice === undefined ? title : `${title}. ${advice}`,
  ) {
    super(message);
  }
}

/** A record exists, but not as declared. The engine must keep its known state, so that the next run repairs it. */
export class PartialFailure extends LifecycleError {
  constructor(
    readonly id: string,
    readonly state: Values,
    message: string,
    /** The arguments that the service did not store as declared, if a look has shown them. */
    readonly fields: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The subject of a message: a resource by its values, and its record if it has one. */
export interface Subject {
  readonly resource: Resource;
  readonly values: Values;
  readonly id?: string | undefined;
}

/** Runs an exchange. An error says what the failure means for this record. */
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
  const { reason, what, details, request } = error;
  const sentence = (why: string) =>
    `${describeRecord(subject)} can't be ${verb}${about}: ${why}${hint ? `; ${hint}` : ""} [${request.method} ${details.url ?? request.path}]`;
  return new LifecycleError(sentence(what), details.advice, sentence(reason));
}

/** The question whether this is the right account, if this run has found no other record of the state there. */
export function askIfAlone(context: {
  readonly guard: { readonly present: number };
  accountAdvice(): string;
}): string {
  return context.guard.present === 0 ? `. This run found no other record: ${context.accountAdvice()}` : "";
}

/** A record's field can't be read. */
export function describeUnreadable({ resource, id }: Subject, name: string): string {
  return `the service sent no ${name} that can be read for the ${noun(resource)} with id ${id}`;
}

/** A record for a message: `website shop.example.com (id 5)`. */
export function describeRecord({ resource, values, id }: Subject): string {
  const key = values[resource.key];
  const name = key === undefined || isUnknown(key) ? "" : ` ${describeKey(resource, values)}`;
  return `${noun(resource)}${name}${id === undefined ? "" : ` (id ${id})`}`;
}

/** A record's key for a message. */
export function describeKey({ inputs, key }: Resource, values: Values): string {
  return format(inputs[key], values[key]);
}
