import { parseUrn } from "../../provider/hosts/urn";
import type { ImportEntry, ImportFile, StackResource } from "../pulumi/json-output";

/** Finds the name, parent and provider of a planned resource in the file that the engine wrote for `pulumi import`. */
export function entriesOf({ nameTable = {}, resources }: ImportFile) {
  const types = new Map(resources.map(({ name, type }) => [name, type]));
  const nameIn = (...parts: [parentType: string | undefined, type: string, name: string]) =>
    JSON.stringify(parts);
  const entries = new Map(
    resources.map((entry) => {
      const { type, name, logicalName = name, parent = "" } = entry;
      const urnInState = nameTable[parent];
      return [
        nameIn(types.get(parent) ?? (urnInState && parseUrn(urnInState).type), type, logicalName),
        entry,
      ];
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
  const ancestors: ImportEntry[] = [];
  // The engine writes `<PLACEHOLDER>` as the id of each resource to import; components and providers have none.
  for (const entry of file.resources.toReversed())
    if (needed.has(entry.name) && entry.id === undefined) {
      ancestors.push(entry);
      needed.add(entry.parent).add(entry.provider);
    }
  return { ...file, resources: [...ancestors.reverse(), ...entries] };
}
