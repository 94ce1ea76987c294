import type { Resource } from "../../provider/schema/resource";
import type { Violation } from "../../provider/schema/validate";
import { inDependencyOrder } from "./dependency-order";
import { type Diagnostic, Diagnostics, lineOf, MAX_LINES } from "./diagnostics";
import { parse } from "./document";
import { reportDuplicates } from "./duplicates";
import { argumentsOf, type Declaration, Entries } from "./entry";
import { Lists } from "./lists";
import type { Node } from "./node";
import { optionsOf } from "./options";
import { Sections } from "./sections";
import type { KnownNames } from "./syntax/repair";
import { Values } from "./values";

/** What the reader of a file has to be told. */
export interface ReadContext {
  /** The file's name, for messages. */
  readonly file: string;
  readonly catalogue: readonly Resource[];
  /** Whether the stack's config has a key. */
  isConfigured(key: string): boolean;
}

/** A declaration of a file without mistakes. */
export interface ValidDeclaration extends Omit<Declaration, "deferred" | "places"> {
  /** What to say where the provider's `check` refuses a doubtful value, since the record does not have it already. */
  readonly refusals: readonly (Omit<Violation, "text"> & { readonly line: string })[];
  /** The lines of the file's other resources. */
  readonly otherRefusals: readonly string[];
}

/** A file that can't be taken; the message says everything that is wrong with it, a line each. */
export class DeclarationError extends Error {}

/**
 * Reads the text of a file: what it declares, each after what it depends on.
 *
 * @throws {DeclarationError} with all that is wrong
 */
export function readDeclarations(text: string, context: ReadContext): readonly ValidDeclaration[] {
  const diagnostics = new Diagnostics();
  const { catalogue, file } = context;
  const root = parse(text, diagnostics, {
    names: knownNames(catalogue),
    diagnosticsIn: (node) => {
      const found = new Diagnostics();
      const read = declarationsIn(node, found, context);
      return found.count + read.flatMap(({ deferred }) => deferred).length;
    },
  });
  const declarations = declarationsIn(root, diagnostics, context);
  if (diagnostics.count === 0) return validDeclarations(declarations, (issue) => lineOf(issue, file, text));
  for (const { deferred } of declarations) for (const { at, text } of deferred) diagnostics.add(at, text);
  throw new DeclarationError(diagnostics.message(file, text));
}

function declarationsIn(
  root: Node | undefined,
  diagnostics: Diagnostics,
  { catalogue, isConfigured }: ReadContext,
): readonly Declaration[] {
  const { lists, places } = new Sections(catalogue, diagnostics).read(root);
  const values = new Values(diagnostics, new Lists(lists, diagnostics), isConfigured);
  const paths = places.map(({ path }) => path);
  const entries = new Entries(diagnostics, values, paths);
  const declarations = places.map(({ path, resource, member }) => entries.read(path, resource, member));
  reportDuplicates(declarations, diagnostics);
  return inDependencyOrder(declarations, diagnostics);
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
  return new Set([...new Sections(catalogue, new Diagnostics()).names, ...own, "options", "config"]);
}

function validDeclarations(
  declarations: readonly Declaration[],
  line: (issue: Diagnostic) => string,
): ValidDeclaration[] {
  const all = declarations.flatMap(({ path, deferred }) =>
    deferred.map((each) => ({ path, line: line(each) })),
  );
  return declarations.map(({ deferred, places: _, ...rest }) => ({
    ...rest,
    refusals: deferred.map((each) => ({ argument: each.argument, breaks: each.breaks, line: line(each) })),
    otherRefusals:
      deferred.length === 0
        ? []
        : all.flatMap((each) => (each.path === rest.path ? [] : each.line)).slice(0, MAX_LINES),
  }));
}
