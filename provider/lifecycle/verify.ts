import { ApiError, parseRecord, type Request } from "../api/api";
import { decode, encode, type RemoteRecord } from "../schema/codec";
import { mismatches } from "../schema/compare";
import { format } from "../schema/format";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import {
  describeFailure,
  describeRecord,
  LifecycleError,
  PartialFailure,
  reasonOf,
  withContext,
} from "./errors";

/** Sends the named arguments to an existing record; all that are managed where the service asks for all. */
export async function putFields(
  resource: Resource,
  context: Context,
  id: string,
  olds: Values,
  wanted: Values,
  names: readonly string[],
): Promise<ResourceState> {
  context.records.invalidate(id, { id, values: wanted });
  const all = [...new Set([...names, ...updatable(resource, wanted)])];
  let sent = names;
  let answer = await put(resource, context, id, wanted, sent).catch((error: unknown) => {
    if (sent.length < all.length && wantsMore(resource, sent, error)) return undefined;
    throw describeFailure(resource, olds, "updated", error, undefined, id);
  });
  const change = { olds, wanted, names };
  if (answer !== undefined) {
    const left = await differences(resource, context, { id, found: answer.found }, { ...change, sent });
    if (left === undefined) return { id, state: wanted };
    // What it was sent it did not store; what it was not sent it has changed by itself.
    if (left.names.every((name) => sent.includes(name)) || sent.length === all.length)
      throw notStored(resource, id, change, left);
  }
  sent = all;
  answer = await withContext(resource, olds, "updated", () => put(resource, context, id, wanted, sent), id);
  const left = await differences(resource, context, { id, found: answer.found }, { ...change, sent });
  if (left === undefined) return { id, state: wanted };
  throw notStored(resource, id, change, left);
}

async function put(
  resource: Resource,
  context: Context,
  id: string,
  wanted: Values,
  names: readonly string[],
) {
  const path = `${resource.path}/${encodeURIComponent(id)}`;
  const form = encode(resource, wanted, names);
  const request: Request = { method: "PUT", path, form };
  const answer = await context.api(request);
  if (answer.body === undefined) return { found: undefined };
  // Servers echo null for what was not sent, which says nothing of what they hold.
  const raw = Object.entries(parseRecord(request, answer)).filter(
    ([name, value]) => value !== null || name in form,
  );
  return { found: decode(resource, Object.fromEntries(raw)) };
}

/** Whether a service refuses since it was not sent a field that is managed, or does not say why. */
function wantsMore(resource: Resource, sent: readonly string[], error: unknown): boolean {
  if (!(error instanceof ApiError) || ![400, 422].includes(error.details.status ?? 0)) return false;
  const told = Object.keys(error.details.fields ?? {});
  const known = sent.map((name) => fieldOf(resource, name).wire ?? name);
  return told.every((wire) => !known.includes(wire));
}

/** The arguments that can be sent in an update. */
function updatable(resource: Resource, wanted: Values): string[] {
  return Object.keys(wanted).filter((name) => !fieldOf(resource, name).replaces);
}

interface Change {
  readonly olds: Values;
  readonly wanted: Values;
  readonly names: readonly string[];
}

/**
 * Compares what came back with what is wanted. A difference, or an answer that says nothing, is read once more,
 * then reported.
 */
export async function verifyWrite(
  resource: Resource,
  context: Context,
  read: { id: string; found: RemoteRecord | undefined },
  change: Change,
): Promise<ResourceState> {
  const left = await differences(resource, context, read, { ...change, sent: change.names });
  if (left === undefined) return { id: read.id, state: change.wanted };
  throw notStored(resource, read.id, change, left);
}

interface Left {
  readonly names: readonly string[];
  readonly stored: RemoteRecord;
}

/** The managed arguments, sent or not, that the service does not hold as wanted; nothing where it holds all. */
async function differences(
  resource: Resource,
  context: Context,
  { id, found }: { id: string; found: RemoteRecord | undefined },
  change: Change & { readonly sent: readonly string[] },
): Promise<Left | undefined> {
  const { wanted, sent } = change;
  context.records.invalidate(id, { id, values: wanted });
  const all = [...new Set([...sent, ...updatable(resource, wanted)])];
  const doubtful = found === undefined ? sent : mismatches(resource, wanted, all, found);
  if (doubtful.length === 0) return undefined;
  const halfDone = (what: string) =>
    new PartialFailure(
      id,
      withoutFields(resource, change, doubtful),
      `${describeRecord(resource, wanted, id)} was written, and ${what}`,
    );
  let stored: RemoteRecord | undefined;
  try {
    stored = await context.records.fetch(id, wanted[resource.key]);
  } catch (error) {
    throw halfDone(`could not be read back: ${reasonOf(error)}`);
  }
  if (stored === undefined)
    throw halfDone("the service does not find it now; run the same command once more");
  const names = mismatches(resource, wanted, all, stored);
  return names.length === 0 ? undefined : { names, stored };
}

function notStored(resource: Resource, id: string, change: Change, { names, stored }: Left): PartialFailure {
  const { wanted } = change;
  const said = names.map((name) => {
    const field = fieldOf(resource, name);
    return `${name} is ${format(field, stored.values[name])} where ${format(field, wanted[name] ?? field.clearsTo)} was sent`;
  });
  return new PartialFailure(
    id,
    withoutFields(resource, change, names),
    `the service did not store ${describeRecord(resource, wanted, id)} as asked: ${said.join(", ")}`,
  );
}

/** State without what did not come to be. A field that can't be updated stays: left out, it would ask for a replacement. */
function withoutFields(resource: Resource, { olds, wanted, names }: Change, left: readonly string[]): Values {
  const open = left.filter((name) => !fieldOf(resource, name).replaces);
  const before = Object.entries(olds).filter(([name]) => names.includes(name) || !open.includes(name));
  const after = Object.entries(wanted).filter(([name]) => !open.includes(name));
  return Object.fromEntries([...before, ...after]);
}

/** The id of a record that must have one. */
export function idOf(resource: Resource, wanted: Values, found: RemoteRecord): string {
  if (found.id !== undefined) return found.id;
  throw new LifecycleError(
    `${describeRecord(resource, wanted)} has an id on the service that can't be held exactly; nothing is kept of it`,
  );
}
