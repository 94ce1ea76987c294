import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";

/**
 * The answer to a comparison: which properties differ.
 *
 * @param replaces the changed properties that need a new record
 */
export function diffResponse(
  olds: Readonly<Record<string, unknown>>,
  news: Readonly<Record<string, unknown>>,
  changed: readonly string[],
  replaces: readonly string[],
): DiffResponse {
  const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = PropertyDiff.Kind;
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  const response = new DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...changed])
    .setReplacesList([...replaces])
    .setHasdetaileddiff(true);
  for (const name of changed) {
    const replaced = replaces.includes(name);
    let kind = replaced ? UPDATE_REPLACE : UPDATE;
    if (olds[name] === undefined) kind = replaced ? ADD_REPLACE : ADD;
    else if (news[name] === undefined) kind = replaced ? DELETE_REPLACE : DELETE;
    response.getDetaileddiffMap().set(name, new PropertyDiff().setKind(kind));
  }
  return response;
}
