import { domainToUnicode } from "node:url";
import type { Resource, Values } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";
import { groupsBy } from "../alike";
import { defaultArgs } from "./import-entry";

/** A record that a program is to declare. */
export interface WrittenRecord {
  readonly resource: Resource;
  /** Its resource's name. */
  readonly name: string;
  readonly id: string;
  readonly createdAt?: string | undefined;
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

/** Names for lists that several records share, by the list's JSON. The one that most of them have comes first. */
export function sharedLists(records: readonly WrittenRecord[]): ReadonlyMap<string, string> {
  const lists = records.flatMap((record) =>
    Object.entries(nonDefaultArgs(record)).flatMap(([argument, list]) =>
      Array.isArray(list) && list.length > 0 ? { record, argument, list } : [],
    ),
  );
  const groups = groupsBy(lists, ({ list }) => JSON.stringify(list));
  const shared = groups.filter((group) => new Set(group.map(({ record }) => record)).size > 1);
  // A name that is a value would stand for the list.
  const taken = new Set<unknown>(lists.flatMap(({ list }) => list));
  const nameFor = (argument: string) => {
    let count = 1;
    while (taken.has(`${argument}${count}`)) count += 1;
    taken.add(`${argument}${count}`);
    return `${argument}${count}`;
  };
  return new Map(
    shared
      .sort((one, other) => other.length - one.length)
      .map(([{ argument, list }]) => [JSON.stringify(list), nameFor(argument)]),
  );
}

/** A domain's records are together: `com.example` and then `com.example.shop`. */
export function byDomain(records: readonly WrittenRecord[]): WrittenRecord[] {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const reversed = ({ resource, state }: WrittenRecord) =>
    String(state[resource.key]).split(".").reverse().join(".");
  return records.toSorted(
    (a, b) => compare(b.resource.type, a.resource.type) || compare(reversed(a), reversed(b)),
  );
}

/** Characters that turn, join or hide text, or end a line for some readers of it and not for others. */
const INVISIBLE = /[\p{Cf}\u2028\u2029]/gu;

/** Replaces characters that a reader of the program could not see by escapes, as text in double quotes has them. */
export function escapeInvisible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(INVISIBLE, (character) => character.split("").map(escaped).join(""));
}

/** Comments on what a reader of the program would miss: a secret, and a value that only an existing record may have. */
export function comments({ resource, state }: WrittenRecord): string[] {
  return validateResource(resource, {}, state).mistakes.map(({ argument, text }) =>
    resource.inputs[argument]?.secret
      ? `The service does not return the ${argument}; it keeps the current one.`
      : escapeInvisible(`A new record could not have this: ${text}.`),
  );
}

/** A name for the resource of each domain or name: its letters and digits, and single hyphens, and each only once. */
export function uniqueNames(taken: Iterable<string>): (key: string) => string {
  const used = new Set(taken);
  const counts = new Map<string, number>();
  return (key) => {
    const plain = (/xn--/i.test(key) ? domainToUnicode(key) || key : key)
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
