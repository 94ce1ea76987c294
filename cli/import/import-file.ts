import type { ImportEntry, ImportFile, ResourceState } from "../pulumi/json-output";
import { isLeaf } from "../pulumi/resource-forms";
import { nameOf } from "../pulumi/urn";

/** The name, parent and provider of a planned resource in the file that the engine wrote for `pulumi import`. */
export function findEntry({ resources }: ImportFile, { urn, type }: ResourceState): ImportEntry | undefined {
  const name = nameOf(urn);
  const alike = resources.filter((each) => each.type === type && (each.logicalName ?? each.name) === name);
  if (alike.length < 2) return withoutId(alike[0]);
  const parent = urn.split("::")[2]?.split("$").slice(0, -1).at(-1);
  return withoutId(
    alike.find((each) => resources.find((other) => other.name === each.parent)?.type === parent) ?? alike[0],
  );
}

function withoutId(entry: ImportEntry | undefined): ImportEntry | undefined {
  if (entry === undefined) return undefined;
  const { type, name, logicalName, parent, provider } = entry;
  return {
    type,
    name,
    ...(logicalName && { logicalName }),
    ...(parent && { parent }),
    ...(provider && { provider }),
  };
}

/** The file with only these entries, and their parents and providers. */
export function withAncestors(file: ImportFile, entries: readonly ImportEntry[]): ImportFile {
  const needed = new Set(entries.flatMap(({ parent, provider }) => [parent, provider]));
  const above: ImportEntry[] = [];
  for (const entry of [...file.resources].reverse())
    if (needed.has(entry.name) && !isLeaf(entry.type)) {
      above.unshift(entry);
      if (entry.parent !== undefined) needed.add(entry.parent);
      if (entry.provider !== undefined) needed.add(entry.provider);
    }
  return { ...file, resources: [...above, ...entries] };
}
