import { parseUrn } from "../../provider/hosts/urn";
import type { ImportEntry, ImportFile, StackResource } from "../pulumi/json-output";

/** Finds the name, parent and provider of a planned resource in the file that the engine wrote for `pulumi import`. */
export function entriesOf({ nameTable = {}, resources }: ImportFile) {
  const types = new Map(resources.map(({ name, type }) => [name, type]));
  const nameIn = (...urn: (string | undefined)[]) => JSON.stringify(urn);
  const entries = new Map(
    resources.map((entry) => {
      const { type, name, logicalName = name, parent = "" } = entry;
      const held = nameTable[parent];
      return [nameIn(types.get(parent) ?? (held && parseUrn(held).type), type, logicalName), entry];
    }),
  );
  return ({ urn }: StackResource) => {
    const { parentType, type, name } = parseUrn(urn);
    return entries.get(nameIn(parentType, type, name));
  };
}

/** The file with only these entries, and their parents and providers. */
export function withAncestors(file: ImportFile, entries: readonly ImportEntry[]): ImportFile {
  const needed = new Set(entries.flatMap(({ parent, provider }) => [parent, provider]));
  const above: ImportEntry[] = [];
  // The engine gives a placeholder to what would need an id.
  for (const entry of file.resources.toReversed())
    if (needed.has(entry.name) && entry.id === undefined) {
      above.push(entry);
      needed.add(entry.parent).add(entry.provider);
    }
  return { ...file, resources: [...above.reverse(), ...entries] };
}
