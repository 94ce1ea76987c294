import type * as yaml from "yaml";

const INDENT =
  "the indentation of this line does not match the lines above: indent it like them, and close each quote and bracket before it";
const COLON = 'write a colon and a space after the name, as in "name: value"';
const QUOTES = "text that begins with this character needs quotes";
const NAME = "a name must be text that is not empty; render a template such as {{ name }} first";

/** The library's faults with their remedies. Its own messages may quote a secret. */
const REMEDIES: Readonly<Partial<Record<yaml.ErrorCode, string>>> = {
  BAD_ALIAS: "a name must follow the *; text that begins with * needs quotes",
  BAD_DIRECTIVE: QUOTES,
  BAD_DQ_ESCAPE: "no such escape exists in double quotes; single quotes keep text as it is",
  BAD_INDENT: INDENT,
  BAD_SCALAR_START: QUOTES,
  BLOCK_AS_IMPLICIT_KEY:
    "a second name with a colon, or a dash, follows where none can: indent each line like those beside it, or put the text in quotes",
  BLOCK_IN_FLOW: "entries in [ ] and { } need commas between them: add a comma, or close the bracket before",
  MISSING_CHAR: "a quote or bracket before this is not closed, or a comma is missing",
  MULTILINE_IMPLICIT_KEY: COLON,
  MULTIPLE_DOCS: "a second document begins here, but the file must be one document",
  NON_STRING_KEY: NAME,
  TAB_AS_INDENT: "indent with spaces, not with a tab",
  TAG_RESOLVE_FAILED: "tags are not supported here; text that begins with ! needs quotes",
  UNEXPECTED_TOKEN:
    "this is not allowed here: remove it, or put text that contains it in quotes; if a quote before it is not closed, close it",
};

/** The first fault that makes a text unreadable. The others may follow from it. */
export function firstFault(text: string, { errors, warnings }: Pick<yaml.Document, "errors" | "warnings">) {
  const [first] = [...errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (first === undefined) return undefined;
  const [begin] = first.pos;
  // Some begin with the spaces before a word.
  const at = begin + Math.max(text.slice(begin).search(/[^ ]/), 0);
  return { at, text: REMEDIES[first.code] ?? "this can't be read as YAML" };
}
