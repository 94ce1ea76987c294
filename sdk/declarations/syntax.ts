import type * as yaml from "yaml";

/** A mistake at an offset into the file's text. */
export interface Mistake {
  readonly at: number;
  readonly text: string;
}

const INDENT = "the indentation of this line does not match the lines above: indent it like them";
export const DEEPER =
  "this line continues the text above, because it is indented further: indent it like the line above";
const DASH =
  "no list goes on here: remove this dash, write a space after it, or indent it like the entries above";
const COLON = 'write a colon and a space after the name, as in "name: value"';
const QUOTES = "text that begins with this character needs quotes";

/** Remedies for faults that cause no others, since the library ignores them. Its own messages may quote a secret. */
const HARMLESS: Readonly<Partial<Record<yaml.ErrorCode, string>>> = {
  BAD_ALIAS: "a name must follow the *; text that begins with * needs quotes",
  BAD_DQ_ESCAPE: "no such escape exists in double quotes; single quotes keep text as it is",
  BAD_SCALAR_START: QUOTES,
  MULTIPLE_DOCS: "a second document begins here, but the file must be one document",
  NON_STRING_KEY: "a name must be text that is not empty; render a template such as {{ name }} first",
  TAB_AS_INDENT: "indent with spaces, not with a tab",
  TAG_RESOLVE_FAILED: "tags are not supported here; text that begins with ! needs quotes",
};

/** Remedies for faults of which any may cause all that follow. */
const WORDS: Readonly<Partial<Record<yaml.ErrorCode, string>>> = {
  BAD_DIRECTIVE: QUOTES,
  BAD_INDENT: INDENT,
  BLOCK_AS_IMPLICIT_KEY:
    "this line has a second name with a colon: start a new line for it, put both in { } with a comma between them, or put the text in quotes",
  BLOCK_IN_FLOW: "entries in [ ] and { } need commas between them: add a comma, or close the bracket before",
  MISSING_CHAR: COLON,
  MULTILINE_IMPLICIT_KEY: COLON,
  UNEXPECTED_TOKEN: "this is not allowed here: remove it, or put text that contains it in quotes",
};

/** The faults that make a text unreadable, in plain words, without those that follow from another. */
export function syntaxMistakes(
  text: string,
  { contents, errors, warnings }: Pick<yaml.Document, "contents" | "errors" | "warnings">,
  library: typeof yaml,
): Mistake[] {
  const faults = [...errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const conflict = /^(<{7}|={7}|>{7})(?=\s|$)/m.exec(faults.length > 0 ? text : "");
  if (conflict !== null)
    return [{ at: conflict.index, text: "resolve the merge conflict here, and remove its markers" }];
  const [first, second] = faults.filter(({ code }) => !(code in HARMLESS));
  const cause = first && (openPair(text, first, contents, library) ?? explained(text, first, second));
  const before = faults.filter(({ code, pos }) => code in HARMLESS && (!cause || pos[0] < cause.at));
  if (cause && before.length === 0) return [cause];
  return before.map(({ code, pos }) => ({ at: pos[0], text: HARMLESS[code] ?? "" }));
}

/** A fault in plain words, at the place to change. */
function explained(text: string, { code, pos }: yaml.YAMLError, next?: yaml.YAMLError): Mistake {
  const at = afterBlanks(text, pos[0]);
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const begin = line + (/^[ \t]*(- )?/.exec(text.slice(line, at + 1))?.[0].length ?? 0);
  if (/^["']?[\w.-]+["']?:[^\s/:]/.test(text.slice(begin, begin + 100)))
    return { at: begin, text: 'write a space after the colon, as in "name: value"' };
  if (/^-[\s\w]/.test(text.slice(at, at + 2))) return { at, text: DASH };
  // The library reports the beginning of the text, not the line that continues it.
  if (code === "BLOCK_AS_IMPLICIT_KEY" && next?.code === "MULTILINE_IMPLICIT_KEY" && next.pos[0] === pos[0])
    return { at: afterBlanks(text, text.indexOf("\n", at)), text: DEEPER };
  if (code === "UNEXPECTED_TOKEN" && at === begin) return { at, text: INDENT };
  return { at, text: WORDS[code] ?? "this can't be read as YAML" };
}

function afterBlanks(text: string, at: number): number {
  return at + (/^\s*/.exec(text.slice(at, at + 200))?.[0].length ?? 0);
}

/** The unclosed quote or bracket that causes a fault. */
function openPair(
  text: string,
  { code, pos: [fault] }: yaml.YAMLError,
  contents: yaml.Node | null,
  library: typeof yaml,
): Mistake | undefined {
  let open: Mistake | undefined;
  library.visit(contents, (_, node) => {
    const isFlow = library.isCollection(node) && node.flow === true;
    const isText = library.isScalar(node) && node.type?.startsWith("QUOTE") === true;
    if (!(isFlow || isText) || !node.range) return;
    const [at, end] = node.range;
    const isCut = end === fault && (code === "MISSING_CHAR" || code === "BAD_INDENT");
    // An unclosed quote ends at the next one, in another line or in the middle of what follows.
    const quoted = isText ? text.slice(at, end) : "";
    const runsOn = quoted.includes("\n")
      ? end <= fault && !text.slice(end, fault).includes("\n")
      : end === fault && /[,:] /.test(quoted);
    // An unclosed bracket may seem to end where an inner one ends. An unclosed quote in it comes first.
    if (isFlow && open !== undefined) return;
    if (isCut || runsOn)
      open = { at, text: `the ${text[at]} here is not closed: close it where it should end` };
  });
  return open;
}
