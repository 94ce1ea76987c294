import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Differences } from "./differences";

/** The resource of a call, if it has one. */
export function urnOf(request: unknown): string {
  // Most messages of the protocol have this method.
  return (request as { getUrn?(): string }).getUrn?.() ?? "";
}

export function diffResponse(
  changed: readonly string[],
  details: Differences,
  replaces: readonly string[] = [],
): proto.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...changed])
    .setReplacesList([...replaces])
    .setHasdetaileddiff(true);
  for (const [path, kind] of details)
    response.getDetaileddiffMap().set(path, new proto.PropertyDiff().setKind(kind));
  return response;
}
