import type * as yaml from "yaml";

const INDENT = "the indentation of this line does not match the lines above: indent it like them";
const CONTINUED =
  "this line continues the text above, because it is indented further: indent it like the line above";
const COLON = 'write a colon and a space after the name, as in "name: value"; a comment begins with #';
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
    "a second colon, or a dash, is not allowed here: indent each line like those beside it, or put the text in quotes",
  BLOCK_IN_FLOW: "entries in [ ] and { } need commas between them: add a comma, or close the bracket before",
  MISSING_CHAR: "a quote, bracket or comma is missing before this",
  MULTILINE_IMPLICIT_KEY: COLON,
  MULTIPLE_DOCS: "a second document begins here, but the file must be one document",
  NON_STRING_KEY: NAME,
  RESOURCE_EXHAUSTION: "lists and mappings are nested too deeply here",
  TAB_AS_INDENT: "indent with spaces, not with a tab",
  TAG_RESOLVE_FAILED: "tags are not supported here; text that begins with ! needs quotes",
  UNEXPECTED_TOKEN:
    "this is not allowed here: remove it, or put text that contains it in quotes; if a quote before it is not closed, close it",
};

/** The first fault that makes a text unreadable. The others may follow from it. */
export function firstFault({ visit }: typeof yaml, text: string, document: yaml.Document.Parsed) {
  const [first, second] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (first === undefined) return undefined;
  const { code, pos } = first;
  const isUnclosed = code === "MISSING_CHAR" || code === "BAD_INDENT";
  const open = isUnclosed ? openerOf(visit, text, document, pos[0]) : undefined;
  if (open !== undefined)
    return { at: open, text: `the ${text[open]} here is not closed: close it where it should end` };
  // Some begin with the spaces before a word.
  const wordFrom = (at: number) => at + Math.max(text.slice(at).search(/[^ ]/), 0);
  if (second?.code === "MULTILINE_IMPLICIT_KEY" && second.pos[0] === pos[0])
    return { at: wordFrom(text.lastIndexOf("\n", second.pos[1] - 1) + 1), text: CONTINUED };
  return { at: wordFrom(pos[0]), text: REMEDIES[code] ?? "this can't be read as YAML" };
}

/** Where the quote or bracket stands whose text lasts until a fault. */
function openerOf(visit: typeof yaml.visit, text: string, document: yaml.Document.Parsed, fault: number) {
  let opener: number | undefined;
  visit(document, {
    Value(_, { range }) {
      if (range?.[1] === fault && /["'[{]/.test(text.charAt(range[0]))) [opener] = range;
    },
  });
  return opener;
}
