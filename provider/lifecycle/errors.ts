import { ApiError, inOneLine, linesOf } from "../api/api";
import { format } from "../schema/format";
import { isUnknown, noun, type Resource, type Values } from "../schema/resource";

/**
 * A failed step: the title says what happened to which record, the advice what to do. A person sees each on a line of its own,
 * as `linesOf` has them; the message has all in one, for a notice or for another sentence. Of a hundred errors with one advice,
 * such as a rejected key, only the first one shows it.
 */
export class LifecycleError extends Error {
  readonly advice: readonly string[];

  constructor(
    readonly title: string,
    ...advice: readonly string[]
  ) {
    super(inOneLine([title, ...advice]));
    this.advice = advice;
  }
}

/** A record exists, but not as declared. The engine must keep its known state, so that the next run repairs it. */
export class PartialFailure extends LifecycleError {
  constructor(
    readonly id: string,
    readonly state: Values,
    [title = "", ...advice]: readonly string[],
    /** The arguments that the service did not store as declared, if a look has shown them. */
    readonly fields: readonly string[] = [],
  ) {
    super(title, ...advice);
  }
}

/** The subject of a message: a resource by its values, and its record if it has one. */
export interface Subject {
  readonly resource: Resource;
  readonly values: Values;
  readonly id?: string | undefined;
}

/** A record as state has it. */
export interface RecordInState extends Subject {
  readonly id: string;
}

/** A record's key for a message. */
export function describeKey({ inputs, key }: Resource, values: Values): string {
  return format(inputs[key], values[key]);
}

/** A record for a message: `website shop.example.com (id 5)`. */
export function describeRecord({ resource, values, id }: Subject): string {
  const key = values[resource.key];
  const name = key === undefined || isUnknown(key) ? "" : ` ${describeKey(resource, values)}`;
  return `${noun(resource)}${name}${id === undefined ? "" : ` (id ${id})`}`;
}

/** Says that two resources of a program declare one key, and what to do. */
export function describeTwice(
  resource: Resource,
  values: Values,
  first: string,
  second: string,
): [title: string, advice: string] {
  return [
    `${describeRecord({ resource, values })} is declared twice in this program, by "${first}" and "${second}"`,
    `Remove one of the two, or change its ${resource.key}`,
  ];
}

/**
 * What a failed exchange means for this record.
 *
 * @param advice what to do, in place of what the failure itself says
 */
export function describeFailure(
  subject: Subject,
  verb: string,
  error: unknown,
  advice: readonly string[] = [],
): Error {
  if (!(error instanceof ApiError)) return error as Error;
  const { inputs } = subject.resource;
  // The service's words name the others.
  const wireNames = Object.keys(error.details.fields ?? {});
  const names = Object.keys(inputs).filter((name) => wireNames.includes(inputs[name]?.wire ?? name));
  const about = names.length > 0 ? ` (${names.join(", ")})` : "";
  const { details, request } = error;
  const [what, ...ownAdvice] = linesOf(error);
  return new LifecycleError(
    `${describeRecord(subject)} can't be ${verb}${about}: ${what} [${request.method} ${details.url ?? request.path}]`,
    ...(advice.length > 0 ? advice : ownAdvice),
  );
}

/** Runs an exchange. An error says what the failure means for this record. */
export async function explainFailure<T>(subject: Subject, verb: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw describeFailure(subject, verb, error);
  }
}

/** The question whether this is the right account, if this run has found no other record of the state there. */
export function questionIfAlone(context: {
  readonly guard: { readonly present: number };
  accountAdvice(): string;
}): string {
  return context.guard.present === 0 ? `. This run found no other record: ${context.accountAdvice()}` : "";
}
