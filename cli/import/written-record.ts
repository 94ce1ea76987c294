import { domainToUnicode } from "node:url";
import type { Resource, Values } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";
import { groupsBy } from "../alike";
import { naturalOrder } from "../natural-order";
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

/**
 * Names for lists that several records share, by the list's JSON: `excludeIps1`. The one that most records have comes first.
 *
 * @param used names that other files have for lists
 */
export function sharedLists(
  records: readonly WrittenRecord[],
  used: readonly string[] = [],
): ReadonlyMap<string, string> {
  const lists = records.flatMap((record) =>
    Object.entries(nonDefaultArgs(record)).flatMap(([argument, list]) =>
      Array.isArray(list) && list.length > 0 ? { record, argument, list } : [],
    ),
  );
  const groups = groupsBy(lists, ({ list }) => JSON.stringify(list));
  const shared = groups.filter((group) => new Set(group.map(({ record }) => record)).size > 1);
  // In YAML a name stands for its list, so a parameter that is really called `excludeParams1` must not be one.
  const taken = new Set<unknown>([...used, ...lists.flatMap(({ list }) => list)]);
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

/** Orders records by domain: `example.com`, and then `shop.example.com`. */
export function byDomain(records: readonly WrittenRecord[]): WrittenRecord[] {
  const reversed = ({ resource, state }: WrittenRecord) =>
    String(state[resource.key]).split(".").reverse().join(".");
  return records.toSorted(
    (a, b) => naturalOrder(b.resource.type, a.resource.type) || naturalOrder(reversed(a), reversed(b)),
  );
}

/**
 * Characters that turn or hide text (U+202E shows it backwards), or end a comment of JavaScript though no line seems to end
 * (U+2028).
 */
const INVISIBLE = /[\p{Cf}\u2028\u2029]/gu;

/** Replaces characters that a reader of the program could not see by escapes, as a text in double quotes has them. */
export function escapeInvisible(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(INVISIBLE, (character) => character.split("").map(escaped).join(""));
}

/** Comments on what a reader of the program would miss: a password, or a name that only an existing record may have. */
export function comments({ resource, state }: WrittenRecord): string[] {
  return validateResource(resource, {}, state).mistakes.map(({ argument, text }) =>
    resource.inputs[argument]?.secret
      ? `The service does not return the ${argument}; it keeps the current one.`
      : escapeInvisible(`A new record could not have this: ${text}.`),
  );
}

/** Makes names for resources from domains and names: letters, digits and single hyphens, each name only once. */
export function uniqueNames(taken: Iterable<string>): (key: string) => string {
  const used = new Set(taken);
  // Where the search for each goes on: of ten thousand with one stem, each would try the names of all before it.
  const counts = new Map<string, number>();
  return (key) => {
    const simplified = (/xn--/i.test(key) ? domainToUnicode(key) || key : key)
      .normalize("NFKD")
      // "é" becomes "e". In Hindi and other scripts, marks are vowels, and stay.
      .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
      .normalize("NFC")
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .toLowerCase();
    const stem = [...simplified].slice(0, 60).join("") || "record";
    let count = counts.get(stem) ?? 1;
    let name = stem;
    for (; used.has(name); name = `${stem}-${count}`) count += 1;
    counts.set(stem, count);
    used.add(name);
    return name;
  };
}
