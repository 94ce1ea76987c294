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
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  const response = new DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...changed])
    .setReplacesList([...replaces])
    .setHasdetaileddiff(true);
  for (const name of changed) {
    const verb = olds[name] === undefined ? "ADD" : news[name] === undefined ? "DELETE" : "UPDATE";
    const kind = PropertyDiff.Kind[replaces.includes(name) ? (`${verb}_REPLACE` as const) : verb];
    response.getDetaileddiffMap().set(name, new PropertyDiff().setKind(kind));
  }
  return response;
}
