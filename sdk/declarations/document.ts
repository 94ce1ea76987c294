import type * as yaml from "yaml";
import { Diagnostics } from "./diagnostics";
import type { Node } from "./node";
import { NodeReader } from "./node-reader";
import { syntaxMessage } from "./syntax/messages";
import { recover } from "./syntax/recover";
import type { KnownNames } from "./syntax/repair";

/** What tells which of several readings of a text was meant. */
export interface Expected {
  readonly names: KnownNames;
  /** How many mistakes there are in a text that says this. */
  diagnosticsIn(root: Node | undefined): number;
}

const EMPTY = "the file is empty; to declare nothing, write {}";

/** Reads the text of a YAML 1.2 file: its one document, or nothing where it can't be read. */
export function parse(
  source: string,
  diagnostics: Diagnostics,
  { names, diagnosticsIn }: Expected,
): Node | undefined {
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
    found: Diagnostics,
    origin = (at: number) => at,
  ) =>
    document?.contents
      ? new NodeReader(library, document, found, names, text, origin).read(document.contents, 0)
      : undefined;
  const { documents, text, repairs, fault } = recover(source, names, {
    parse: read,
    diagnosticsIn: (documents, text) => {
      const found = new Diagnostics();
      return diagnosticsIn(rootOf(documents, text, found)) + found.count;
    },
  });
  const [document, second] = documents;
  if (document === undefined || document.contents === null || isNothing(library, document)) {
    diagnostics.add(0, EMPTY);
    return undefined;
  }
  for (const repair of repairs) diagnostics.take(repair);
  // Of a text whose shape is in doubt, everything else that could be said is too.
  if (fault !== undefined) {
    diagnostics.add(text.origin(fault.pos[0]), syntaxMessage(fault));
    return undefined;
  }
  const at = (offset: number) => text.origin(offset);
  if (second !== undefined) diagnostics.add(at(second.range[0]), syntaxMessage({ code: "MULTIPLE_DOCS" }));
  for (const each of [...document.errors, ...document.warnings])
    diagnostics.add(at(each.pos[0]), syntaxMessage(each));
  return rootOf(documents, text.text, diagnostics, at);
}

function isNothing(library: typeof yaml, { contents, errors }: yaml.Document.Parsed): boolean {
  return errors.length === 0 && library.isScalar(contents) && contents.value === null;
}
