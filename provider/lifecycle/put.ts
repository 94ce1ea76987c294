import { ApiError, type Request } from "../api/api";
import { parseRecord } from "../api/envelope";
import { decode, encode, type RemoteRecord } from "../schema/codec";
import { fieldOf, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import { describeFailure, describeRecord, LifecycleError, withContext } from "./errors";
import { type Change, updatable, verification } from "./verify";

/** Sends the named arguments to an existing record; all managed ones if the service demands all. */
export async function putFields(context: Context, change: Change): Promise<ResourceState> {
  const { resource, records } = context;
  const { id, olds, wanted, names } = change;
  const subject = { resource, values: olds, id };
  const { differences, notStored } = verification(context, change);
  records.invalidate(id, { id, values: wanted });
  const all = [...new Set([...names, ...updatable(resource, wanted)])];
  const done = { id, state: wanted };

  const answer = await put(context, change, names).catch((error: unknown) => {
    if (names.length < all.length && wantsAllFields(context, names, error)) return undefined;
    throw describeFailure(subject, "updated", error);
  });
  if (answer !== undefined) {
    const left = await differences(answer.found, names);
    if (left === undefined) return done;
    // Either a sent field was not stored, or the service changed another one itself.
    if (left.names.every((name) => names.includes(name)) || names.length === all.length)
      throw notStored(left);
  }
  const { found } = await withContext(subject, "updated", () => put(context, change, all));
  const left = await differences(found, all);
  if (left === undefined) return done;
  throw notStored(left);
}

async function put(
  { resource, api }: Context,
  { id, wanted }: Change,
  names: readonly string[],
): Promise<{ found: RemoteRecord | undefined }> {
  const path = `${resource.path}/${encodeURIComponent(id)}`;
  const form = encode(resource, wanted, names);
  const request: Request = { method: "PUT", path, form };
  const answer = await api(request);
  if (answer.body === undefined) return { found: undefined };
  // Servers echo null for fields that were not sent, whatever they hold.
  const raw = Object.entries(parseRecord(request, answer)).filter(
    ([name, value]) => value !== null || name in form,
  );
  return { found: decode(resource, Object.fromEntries(raw)) };
}

/** Whether a service may have refused because a managed field was missing. */
function wantsAllFields({ resource }: Context, sent: readonly string[], error: unknown): boolean {
  if (!(error instanceof ApiError) || ![400, 422].includes(error.details.status ?? 0)) return false;
  const refused = Object.keys(error.details.fields ?? {});
  const known = sent.map((name) => fieldOf(resource, name).wire ?? name);
  return refused.every((wire) => !known.includes(wire));
}

/** The id of a record; throws if it has none. */
export function idOf({ resource }: Context, wanted: Values, found: RemoteRecord): string {
  if (found.id !== undefined) return found.id;
  throw new LifecycleError(
    `${describeRecord({ resource, values: wanted })} has an id on the service that can't be held exactly, so it is not in state`,
  );
}
