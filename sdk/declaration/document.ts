import type * as yaml from "yaml";
import { Mistakes } from "./mistakes";
import { Reader } from "./reader";
import { mend } from "./syntax/mend";
import type { KnownNames } from "./syntax/repair";
import { wordsFor } from "./syntax/words";

/** A value of a file; `at` is its offset into the text, for messages. */
export type Node = Scalar | Sequence | Mapping;

/** A number is its text as written: `0123` and `1e5` name pixels as well as words do. */
export interface Scalar {
  readonly at: number;
  readonly value: string | boolean | null;
  /** It was meant otherwise, and that has been told. */
  readonly broken?: true;
  /** It stands in quotes. */
  readonly quoted?: true;
  /** It begins with `*`, and there is no anchor of that name. */
  readonly lost?: true;
}

export interface Sequence {
  readonly at: number;
  readonly entries: readonly Node[];
}

export interface Mapping {
  readonly at: number;
  readonly members: ReadonlyMap<string, Member>;
}

export interface Member {
  /** The place of its name. */
  readonly at: number;
  readonly name: string;
  readonly node: Node;
}

/** What tells which of several readings of a text was meant. */
export interface Expected {
  readonly names: KnownNames;
  /** How many mistakes there are in a text that says this. */
  mistakesIn(root: Node | undefined): number;
}

const EMPTY = "the file is empty; to declare nothing, write {}";

/** Reads the text of a YAML 1.2 file: its one document, or nothing where it can't be read. */
export function parse(source: string, mistakes: Mistakes, { names, mistakesIn }: Expected): Node | undefined {
  // Loaded here, so that a program which declares nothing from a file never does.
  const library: typeof yaml = require("yaml");
  const read = (text: string) => {
    const documents = library.parseAllDocuments(text, {
      ...{ schema: "core", prettyErrors: false, uniqueKeys: false },
    });
    return "empty" in documents ? [] : documents;
  };
  const rootOf = (
    [document]: readonly yaml.Document.Parsed[],
    text: string,
    found: Mistakes,
    origin = (at: number) => at,
  ) =>
    document?.contents
      ? new Reader(library, document, found, names, text, origin).read(document.contents, 0)
      : undefined;
  const { documents, text, repairs, fault } = mend(source, names, {
    parse: read,
    mistakesIn: (documents, text) => {
      const found = new Mistakes();
      return mistakesIn(rootOf(documents, text, found)) + found.count;
    },
  });
  const [document, second] = documents;
  if (document === undefined || document.contents === null || isNothing(library, document)) {
    mistakes.add(0, EMPTY);
    return undefined;
  }
  for (const repair of repairs) mistakes.take(repair);
  // Of a text whose shape is in doubt, everything else that could be said is too.
  if (fault !== undefined) {
    mistakes.add(text.origin(fault.pos[0]), wordsFor(fault));
    return undefined;
  }
  const at = (offset: number) => text.origin(offset);
  if (second !== undefined) mistakes.add(at(second.range[0]), wordsFor({ code: "MULTIPLE_DOCS" }));
  for (const each of [...document.errors, ...document.warnings])
    mistakes.add(at(each.pos[0]), wordsFor(each));
  return rootOf(documents, text.text, mistakes, at);
}

function isNothing(library: typeof yaml, { contents, errors }: yaml.Document.Parsed): boolean {
  return errors.length === 0 && library.isScalar(contents) && contents.value === null;
}

/** The members of what may be left out, or left empty. */
export function membersOf(
  node: Node | undefined,
  owner: string,
  mistakes: Mistakes,
  example = "",
): Mapping["members"] {
  if (node === undefined || ("value" in node && (node.value === null || node.broken))) return new Map();
  if ("members" in node) return node.members;
  mistakes.add(
    node.at,
    `${owner} must be a mapping: names, each with a value${example && `, such as ${example}`}`,
  );
  return new Map();
}
