import type * as yaml from "yaml";

const QUOTES = "a text with such a character needs quotes";

/** What to do about what the parser found; its own words quote the file, which may hold a secret. */
const WORDS: Readonly<Record<yaml.ErrorCode, string>> = {
  ALIAS_PROPS: "an alias (*name) takes no anchor and no tag of its own: take them out",
  BAD_ALIAS: "a name has to follow the *; a text that begins with * needs quotes",
  BAD_COLLECTION_TYPE: "this tag does not fit what follows it: take it out",
  BAD_DIRECTIVE: "a line that begins with % means something else in YAML: put the text in quotes",
  BAD_DQ_ESCAPE: "there is no such escape in double quotes; single quotes take a text as it stands",
  BAD_INDENT: "this line is indented otherwise than those it belongs to: indent it by as many spaces",
  BAD_PROP_ORDER: "an anchor (&name) stands before what it names: move it there",
  BAD_SCALAR_START: "a text that begins with @ or ` needs quotes",
  BLOCK_AS_IMPLICIT_KEY:
    "a second name with a colon stands here: begin a line of its own for it, or put the text in quotes",
  BLOCK_IN_FLOW:
    "within [ ] and { } entries are separated by commas: write a comma, or end the bracket before",
  DUPLICATE_KEY: "this name is there already: take one of them out",
  IMPOSSIBLE: "this can't be read as YAML",
  KEY_OVER_1024_CHARS: "a name is at most 1024 characters long; is a colon missing?",
  MISSING_CHAR: "something that begins here has no end: a quote, a bracket, or a name without its colon",
  MULTILINE_IMPLICIT_KEY:
    'a name and its colon stand on one line, with a space behind the colon, as in "name: value"',
  MULTIPLE_ANCHORS: "one value takes one anchor (&name): take the other out",
  MULTIPLE_DOCS: "a second document begins here; a file is one document",
  MULTIPLE_TAGS: "one value takes one tag (!name): take the other out",
  NON_STRING_KEY: "a name must be text",
  RESOURCE_EXHAUSTION: "this is nested too deeply to be read",
  TAB_AS_INDENT: "a tab can't indent; use spaces",
  TAG_RESOLVE_FAILED: "this tag has no meaning here; a text that begins with ! needs quotes",
  UNEXPECTED_TOKEN: `this can't stand here; ${QUOTES}`,
};

/** One sentence for a person, whatever the parser calls it. */
export function syntaxMessage({ code }: Pick<yaml.YAMLError, "code">): string {
  return WORDS[code] ?? "this can't be read as YAML";
}
