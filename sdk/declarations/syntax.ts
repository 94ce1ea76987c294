import type * as yaml from "yaml";

const QUOTES = "this is not allowed here: remove it, or put text that contains it in quotes";

/** Faults whose words in the library would quote the text, which may be a secret, or would not say what to write. */
const REMEDIES: Readonly<Partial<Record<yaml.ErrorCode, string>>> = {
  BAD_DIRECTIVE: QUOTES,
  BAD_DQ_ESCAPE: QUOTES,
  BLOCK_AS_IMPLICIT_KEY:
    "a second colon, or a dash, is not allowed here: indent each line like those beside it, or put the text in quotes",
  MULTIPLE_DOCS: "a file holds one document: remove this line, or put what follows it into another file",
  MULTILINE_IMPLICIT_KEY: 'write a colon and a space after the name, as in "name: value"',
  TAG_RESOLVE_FAILED: QUOTES,
  UNEXPECTED_TOKEN: QUOTES,
};

/** The first fault that makes a text unreadable. The others may follow from it. */
export function firstFault({ errors, warnings }: yaml.Document.Parsed) {
  const [first] = [...errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  return first && { at: first.pos[0], text: REMEDIES[first.code] ?? first.message };
}
