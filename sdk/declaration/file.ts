import type { Resource } from "../../provider/schema/resource";
import { type Member, membersOf, parse } from "./document";
import { type Declaration, Entries } from "./entry";
import { Lists } from "./lists";
import { lineOf, type Mistake, Mistakes } from "./mistakes";
import { near } from "./near";
import { ordered } from "./references";
import { section } from "./section";
import { Values } from "./values";

/** What the reader of a file has to be told. */
export interface Surroundings {
  /** The file's name, for messages. */
  readonly file: string;
  readonly catalogue: readonly Resource[];
  /** Whether the stack's config has a key. */
  isConfigured(key: string): boolean;
}

/** A declaration of a file without mistakes. */
export interface Sound extends Omit<Declaration, "doubts"> {
  /** What to say instead of a sentence of `check`'s, where the record does not have a doubtful value already. */
  readonly refusals: Readonly<Record<string, string>>;
}

/** A file that can't be taken; the message says everything that is wrong with it, a line each. */
export class Mistaken extends Error {}

/** Sections of this kind are for anchors, and otherwise not looked at. */
export const FREE = /^x-/;

/**
 * Reads the text of a file: what it declares, each after what it depends on.
 *
 * @throws {Mistaken} with all that is wrong
 */
export function readDeclarations(
  text: string,
  { file, catalogue, isConfigured }: Surroundings,
): readonly Sound[] {
  const mistakes = new Mistakes();
  const sections = new Map(catalogue.map((resource) => [section(resource), resource]));
  const root = membersOf(parse(text, mistakes), "the file", mistakes);
  const rest = [...root.values()].filter(({ name }) => name !== "lists" && !FREE.test(name));
  const entries = rest.flatMap((member) => entriesOf(member, [...sections.keys()], mistakes));

  const lists = new Lists(membersOf(root.get("lists")?.node, "lists", mistakes), mistakes);
  const values = new Values(mistakes, lists, isConfigured);
  const reader = new Entries(
    mistakes,
    values,
    entries.map(({ path }) => path),
  );
  const declarations = entries.flatMap(({ from, path, member }) => {
    const resource = sections.get(from);
    return resource === undefined ? [] : [reader.read(path, resource, member)];
  });
  const sorted = ordered(declarations, mistakes);
  if (mistakes.count === 0) return sorted.map((each) => sound(each, (doubt) => lineOf(doubt, file, text)));
  for (const { doubts } of declarations) for (const { at, text } of doubts) mistakes.add(at, text);
  throw new Mistaken(mistakes.message(file, text));
}

function sound({ doubts, ...rest }: Declaration, line: (doubt: Mistake) => string): Sound {
  return { ...rest, refusals: Object.fromEntries(doubts.map((each) => [each.sentence, line(each)])) };
}

/** What stands in one section; one that does not exist is a mistake. */
function entriesOf({ name: from, at, node }: Member, known: readonly string[], mistakes: Mistakes) {
  if (known.includes(from))
    return [...membersOf(node, from, mistakes).values()].map((member) => ({
      from,
      path: `${from}.${member.name}`,
      member,
    }));
  const names = ["lists", ...known];
  mistakes.add(
    at,
    `there is no ${JSON.stringify(from)}${near(from, names) || `; a file has ${names.join(", ")}`}`,
  );
  return [];
}
