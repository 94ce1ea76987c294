import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";

/**
 * The answer to a comparison. Lists are compared element by element, so that a moved element is no change.
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
  const found = new Map<string, PropertyDiff.Kind>();
  for (const name of changed) {
    const [before, after] = [olds[name], news[name]];
    const replaced = replaces.includes(name);
    if (Array.isArray(before) && Array.isArray(after)) {
      for (const [at, each] of after.entries()) if (!before.includes(each)) found.set(`${name}[${at}]`, ADD);
      for (const [at, each] of before.entries())
        if (!after.includes(each) && !found.has(`${name}[${at}]`)) found.set(`${name}[${at}]`, DELETE);
        else if (!after.includes(each)) found.set(`${name}[${at}]`, UPDATE);
      if (![...found.keys()].some((path) => path.startsWith(`${name}[`))) found.set(name, UPDATE);
    } else if (before === undefined || before === null) found.set(name, replaced ? ADD_REPLACE : ADD);
    else if (after === undefined || after === null) found.set(name, replaced ? DELETE_REPLACE : DELETE);
    else found.set(name, replaced ? UPDATE_REPLACE : UPDATE);
  }
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  const response = new DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...changed])
    .setReplacesList([...replaces])
    .setHasdetaileddiff(true);
  for (const [path, kind] of found) response.getDetaileddiffMap().set(path, new PropertyDiff().setKind(kind));
  return response;
}
