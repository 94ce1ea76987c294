import type { Resource, Values } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";
import { defaultArgs } from "./import-entry";

/** A record that a program is to declare. */
export interface WrittenRecord {
  readonly resource: Resource;
  /** Its resource's name. */
  readonly name: string;
  readonly id: string;
  /** Its inputs and outputs in state. */
  readonly state: Values;
}

/** The arguments that a program must state: those that differ from the defaults. */
export function nonDefaultArgs({ resource, state }: WrittenRecord): Values {
  const defaults = defaultArgs(resource);
  return Object.fromEntries(
    Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name])),
  );
}

/** Names for lists that several records share, by the list's JSON; no name is also a value of a list. */
export function sharedLists(records: readonly WrittenRecord[]): ReadonlyMap<string, string> {
  const values = records.flatMap((each) => Object.values(nonDefaultArgs(each)));
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const list of values) {
    if (!Array.isArray(list) || list.length === 0) continue;
    const text = JSON.stringify(list);
    if (seen.has(text)) shared.add(text);
    seen.add(text);
  }
  const taken = new Set(values.flat());
  const names = [...shared, ...taken]
    .map((_, at) => `sharedList${at + 1}`)
    .filter((name) => !taken.has(name));
  return new Map([...shared].map((text, at) => [text, names[at] ?? ""]));
}

/** Comments on what a reader of the program would miss: a secret, and a value that only an existing record may have. */
export function comments({ resource, state }: WrittenRecord): string[] {
  return validateResource(resource, {}, state).mistakes.map(({ argument, text }) =>
    resource.inputs[argument]?.secret
      ? `The service does not return the ${argument}; it keeps the current one.`
      : escapeInvisible(`A new record could not have this: ${text}.`),
  );
}

/** Characters that turn, join or hide text, or end a line for some readers of it and not for others. */
const INVISIBLE = /[\p{Cf}\u2028\u2029]/gu;

/** Replaces characters that a reader of the program could not see by escapes, as text in double quotes has them. */
export function escapeInvisible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(INVISIBLE, (character) => character.split("").map(escaped).join(""));
}

/** A name for the resource of each domain or name: its letters and digits, and single hyphens, and each only once. */
export function uniqueNames(taken: Iterable<string>): (key: string) => string {
  const used = new Set(taken);
  const counts = new Map<string, number>();
  return (key) => {
    const plain = key
      .normalize("NFKD")
      // Of other scripts, marks are part of the word.
      .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
      .normalize("NFC")
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .toLowerCase();
    const wanted = [...plain].slice(0, 60).join("") || "record";
    let count = counts.get(wanted) ?? 1;
    let name = wanted;
    for (; used.has(name); name = `${wanted}-${count}`) count += 1;
    counts.set(wanted, count);
    used.add(name);
    return name;
  };
}
