import type { Resource, Values } from "../../provider/schema/resource";
import { defaultArgs } from "./import-entry";

/** A record under its name in the program. */
export interface NamedRecord {
  readonly resource: Resource;
  readonly name: string;
  readonly id: string;
  /** What state will hold of it. */
  readonly state: Values;
}

/** What a program has to say: what differs from the defaults. */
export function nonDefaultArgs({ resource, state }: Pick<NamedRecord, "resource" | "state">): Values {
  const defaults = defaultArgs(resource);
  return Object.fromEntries(
    Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name])),
  );
}

/**
 * Lists that several records share, each by its text, with a name that none of their values is mistaken for.
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

/** Where the password is needed, it has to be added by hand. */
export function lacksPassword({ state }: Pick<NamedRecord, "state">): boolean {
  return state.privacy === "password";
}
