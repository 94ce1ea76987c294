import type { Resource } from "../../provider/schema/resource";
import type { Violation } from "../../provider/schema/validate";
import { type Node, parse } from "./document";
import { tellDuplicates } from "./duplicates";
import { argumentsOf, type Declaration, Entries } from "./entry";
import { Lists } from "./lists";
import { lineOf, type Mistake, Mistakes, MOST_LINES } from "./mistakes";
import { optionsOf } from "./options";
import { ordered } from "./references";
import { Sections } from "./sections";
import type { KnownNames } from "./syntax/repair";
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
export interface Sound extends Omit<Declaration, "doubts" | "places"> {
  /** What to say where the provider's `check` refuses a doubtful value, since the record does not have it already. */
  readonly refusals: readonly (Omit<Violation, "text"> & { readonly line: string })[];
  /** The lines of the file's other resources. */
  readonly otherRefusals: readonly string[];
}

/** A file that can't be taken; the message says everything that is wrong with it, a line each. */
export class Mistaken extends Error {}

/**
 * Reads the text of a file: what it declares, each after what it depends on.
 *
 * @throws {Mistaken} with all that is wrong
 */
export function readDeclarations(text: string, surroundings: Surroundings): readonly Sound[] {
  const mistakes = new Mistakes();
  const { catalogue, file } = surroundings;
  const root = parse(text, mistakes, {
    names: knownNames(catalogue),
    mistakesIn: (node) => {
      const found = new Mistakes();
      const read = declarationsIn(node, found, surroundings);
      return found.count + read.flatMap(({ doubts }) => doubts).length;
    },
  });
  const declarations = declarationsIn(root, mistakes, surroundings);
  if (mistakes.count === 0) return sound(declarations, (doubt) => lineOf(doubt, file, text));
  for (const { doubts } of declarations) for (const { at, text } of doubts) mistakes.add(at, text);
  throw new Mistaken(mistakes.message(file, text));
}

function declarationsIn(
  root: Node | undefined,
  mistakes: Mistakes,
  { catalogue, isConfigured }: Surroundings,
): readonly Declaration[] {
  const { lists, places } = new Sections(catalogue, mistakes).read(root);
  const values = new Values(mistakes, new Lists(lists, mistakes), isConfigured);
  const paths = places.map(({ path }) => path);
  const entries = new Entries(mistakes, values, paths);
  const declarations = places.map(({ path, resource, member }) => entries.read(path, resource, member));
  tellDuplicates(declarations, mistakes);
  return ordered(declarations, mistakes);
}

/** Every name that means something in a file. */
function knownNames(catalogue: readonly Resource[]): KnownNames {
  let names: ReadonlySet<string> | undefined;
  // Collected with the first mistake that needs them.
  return {
    has: (name) => {
      names ??= namesOf(catalogue);
      return names.has(name);
    },
  };
}

function namesOf(catalogue: readonly Resource[]): ReadonlySet<string> {
  const own = catalogue.flatMap((each) => [
    ...Object.keys(argumentsOf(each)),
    ...Object.keys(optionsOf(each)),
  ]);
  return new Set([...new Sections(catalogue, new Mistakes()).names, ...own, "options", "config"]);
}

function sound(declarations: readonly Declaration[], line: (doubt: Mistake) => string): Sound[] {
  const all = declarations.flatMap(({ path, doubts }) => doubts.map((each) => ({ path, line: line(each) })));
  return declarations.map(({ doubts, places: _, ...rest }) => ({
    ...rest,
    refusals: doubts.map((each) => ({ argument: each.argument, breaks: each.breaks, line: line(each) })),
    otherRefusals:
      doubts.length === 0
        ? []
        : all.flatMap((each) => (each.path === rest.path ? [] : each.line)).slice(0, MOST_LINES),
  }));
}
