import type { Resource, Values } from "../../provider/schema/resource";
import { defaultArgs } from "./import-entry";

/** A record, and its resource's name in the program. */
export interface NamedRecord {
  readonly resource: Resource;
  readonly name: string;
  readonly id: string;
  /** Its inputs and outputs in state. */
  readonly state: Values;
}

/** The arguments that a program must state: those that differ from the defaults. */
export function nonDefaultArgs({ resource, state }: Pick<NamedRecord, "resource" | "state">): Values {
  const defaults = defaultArgs(resource);
  return Object.fromEntries(
    Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name])),
  );
}

/**
 * Names for lists that several records share, by the list's JSON; no name is also a value of a list.
 *
 * @param taken names that can't be used
 */
export function sharedLists(
  records: readonly NamedRecord[],
  taken: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const each of records)
    for (const value of Object.values(nonDefaultArgs(each)))
      if (Array.isArray(value) && value.length > 0) {
        const text = JSON.stringify(value);
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
  const shared = [...counts].filter(([, count]) => count > 1).map(([text]) => text);
  const values = new Set(records.flatMap((each) => Object.values(nonDefaultArgs(each)).flat()));
  const names = Array.from(
    { length: shared.length + values.size + taken.size },
    (_, at) => `sharedList${at + 1}`,
  );
  const free = names.filter((name) => !values.has(name) && !taken.has(name));
  return new Map(shared.map((text, at) => [text, free[at] ?? ""]));
}

/** What to say in a program of a secret that the record has and the service does not return. */
export function secretComment({
  resource,
  state,
}: Pick<NamedRecord, "resource" | "state">): string | undefined {
  const missing = resource.validateCreate?.(state)?.field;
  return missing !== undefined && resource.inputs[missing]?.secret
    ? `The service does not return the ${missing}; it keeps the current one.`
    : undefined;
}

/** A program of these parts, a line apart: a new one begins with its head, and one that is there goes on. */
export function assembleProgram(before: string, head: string, parts: readonly string[]): string {
  const first = before.trim() === "" ? head : `${before.trimEnd()}\n`;
  return [first, ...parts].filter((part) => part !== "").join("\n");
}
