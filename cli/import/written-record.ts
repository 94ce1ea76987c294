import type { Resource, Values } from "../../provider/schema/resource";
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
  const texts = values
    .filter((value) => Array.isArray(value) && value.length > 0)
    .map((list) => JSON.stringify(list));
  const shared = new Set(texts.filter((text, at) => texts.indexOf(text) !== at));
  const taken = new Set(values.flat());
  const names = [...shared, ...taken]
    .map((_, at) => `sharedList${at + 1}`)
    .filter((name) => !taken.has(name));
  return new Map([...shared].map((text, at) => [text, names[at] ?? ""]));
}

/** A comment on a secret that the record has and the service does not return. */
export function secretComment({ resource, state }: WrittenRecord): string | undefined {
  const missing = resource.validateCreate?.(state)?.field;
  return missing !== undefined && resource.inputs[missing]?.secret
    ? `The service does not return the ${missing}; it keeps the current one.`
    : undefined;
}

/** Characters that turn, join or hide text, or end a line for some readers of it and not for others. */
const INVISIBLE = /[\p{Cf}\u2028\u2029]/gu;

/** Whether a text has characters that a reader of the program could not see. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/** Replaces these characters by escapes, which are only valid inside double quotes. */
export function escapeInvisible(text: string, escapeCode: (code: number) => string): string {
  return text.replace(INVISIBLE, (character) => escapeCode(character.codePointAt(0) ?? 0));
}

/** A name for the resource of each domain or name: letters, digits and single hyphens, and each only once. */
export function uniqueNames(taken: Iterable<string>): (key: string) => string {
  const used = new Set(taken);
  return (key) => {
    const plain = key
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .toLowerCase()
      .slice(0, 60);
    const wanted = plain === "" ? "record" : plain;
    let name = wanted;
    for (let count = 2; used.has(name); count += 1) name = `${wanted}-${count}`;
    used.add(name);
    return name;
  };
}
