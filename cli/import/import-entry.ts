import { codeOf, tokenOf } from "../../provider/hosts/dynamic/identity";
import type { RemoteRecord } from "../../provider/schema/codec";
import { inProgramSpelling, pick } from "../../provider/schema/compare";
import type { Resource, Values } from "../../provider/schema/resource";
import type { ImportEntry } from "../pulumi/json-output";

/**
 * What state says of a record: all that the service says of what the program manages, in the program's spelling
 * where the two are one. What the service never says is left out, so that the next preview shows that it is sent.
 *
 * @param declared the program's arguments; left out, everything that the record holds is managed
 */
export function importedState(resource: Resource, found: RemoteRecord, declared?: Values): Values {
  const state: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(resource.inputs)) {
    const value = found.values[name];
    const wanted = declared?.[name];
    const managed = declared === undefined || wanted !== undefined || field.required;
    if (field.secret || !managed || value === undefined || value === null) continue;
    // An empty list that nobody asked for would be managed from then on.
    if (declared === undefined && Array.isArray(value) && value.length === 0) continue;
    state[name] = inProgramSpelling(field, wanted, value);
  }
  return declared === undefined ? pick(resource, { ...defaultArgs(resource), ...state }) : state;
}

/** What a program holds that leaves everything out. */
export function defaultArgs(resource: Resource): Values {
  return Object.fromEntries(
    Object.entries(resource.inputs)
      .filter(([, field]) => field.default !== undefined)
      .map(([name, field]) => [name, field.default]),
  );
}

/** A record's place in the file; read is skipped, since it says what state is to hold. */
export function toImportEntry(
  resource: Resource,
  place: Pick<ImportEntry, "name" | "logicalName" | "parent" | "provider">,
  id: string,
  state: Values,
): ImportEntry {
  const bag = { ...state, __provider: codeOf(resource) };
  return { type: tokenOf(resource), ...place, id, inputs: bag, outputs: bag };
}
