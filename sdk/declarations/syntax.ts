import type * as yaml from "yaml";

/** A mistake at an offset into the file's text. */
export interface Mistake {
  readonly at: number;
  readonly text: string;
}

const INDENT = "this line is indented otherwise than those it belongs to: indent it by as many spaces";
export const DEEPER =
  "this line is indented further than the one above, and so goes on with its text: indent it as that one";
const COLON = 'write a colon and a space after the name, as in "name: value"';
const QUOTES = "a text that begins with this character needs quotes";

/** A remedy for each fault that the library finds. Its own messages quote the file, which may contain a secret. */
const WORDS: Readonly<Partial<Record<yaml.ErrorCode, string>>> = {
  BAD_ALIAS: "a name has to follow the *; a text that begins with * needs quotes",
  BAD_DIRECTIVE: QUOTES,
  BAD_DQ_ESCAPE: "no such escape exists in double quotes; single quotes take a text as it stands",
  BAD_INDENT: INDENT,
  BAD_SCALAR_START: QUOTES,
  BLOCK_AS_IMPLICIT_KEY:
    "a second name with a colon stands on this line: begin a line for it, put both in { } with a comma between them, or put the text in quotes",
  BLOCK_IN_FLOW:
    "within [ ] and { } entries are separated by commas: write a comma, or end the bracket before",
  MISSING_CHAR: COLON,
  MULTILINE_IMPLICIT_KEY: COLON,
  MULTIPLE_DOCS: "a second document begins here; a file is one document",
  NON_STRING_KEY:
    "a name must be text that is not empty; a template, as in {{ name }}, has to be rendered first",
  TAB_AS_INDENT: "a tab can't indent; use spaces",
  TAG_RESOLVE_FAILED: "this tag has no meaning here; a text that begins with ! needs quotes",
  UNEXPECTED_TOKEN: "this can't stand here; a text with such a character needs quotes",
};

/** Faults that cause no others, since the library ignores them. Any other may cause all that follow. */
const HARMLESS: ReadonlySet<yaml.ErrorCode> = new Set([
  ...(["BAD_ALIAS", "BAD_DQ_ESCAPE", "BAD_SCALAR_START", "MULTIPLE_DOCS"] as const),
  ...(["NON_STRING_KEY", "TAB_AS_INDENT", "TAG_RESOLVE_FAILED"] as const),
]);

/** The faults that make a text unreadable, in plain words, without those that follow from another. */
export function syntaxMistakes(
  text: string,
  { contents, errors, warnings }: Pick<yaml.Document, "contents" | "errors" | "warnings">,
  library: typeof yaml,
): Mistake[] {
  const faults: readonly yaml.YAMLError[] = [...errors, ...warnings];
  if (faults.length === 0) return [];
  const conflict = /^(<{7}|={7}|>{7})(?=\s|$)/m.exec(text);
  if (conflict !== null)
    return [{ at: conflict.index, text: "a merge conflict stands here: resolve it, and take its marks out" }];
  const sorted = [...faults].sort((a, b) => a.pos[0] - b.pos[0]);
  const [first, second] = sorted.filter(({ code }) => !HARMLESS.has(code));
  const cause = first && (openPair(text, first, contents, library) ?? explained(text, first, second));
  const before = sorted.filter(
    ({ code, pos }) => HARMLESS.has(code) && (cause === undefined || pos[0] < cause.at),
  );
  const follows = before.some(
    ({ code, pos }) => code === "TAB_AS_INDENT" || !text.slice(pos[0], cause?.at).includes("\n"),
  );
  return [...before.map((each) => explained(text, each)), ...(cause === undefined || follows ? [] : [cause])];
}

/** A fault in plain words, at the place to change. */
function explained(text: string, { code, pos }: yaml.YAMLError, next?: yaml.YAMLError): Mistake {
  const at = afterBlanks(text, pos[0]);
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const begin = line + (/^[ \t]*(- )?/.exec(text.slice(line, at + 1))?.[0].length ?? 0);
  const rest = text.slice(at, at + 100);
  if (HARMLESS.has(code)) return { at: pos[0], text: WORDS[code] ?? "" };
  if (/^["']?[\w.-]+["']?:[^\s/:]/.test(text.slice(begin, begin + 100)))
    return { at: begin, text: 'write a space after the colon, as in "name: value"' };
  if (/^-\w/.test(rest)) return { at, text: "write a space after the dash" };
  if (/^-\s/.test(rest))
    return {
      at,
      text: "a list begins here among names: take the dash out, or indent it as the entries above",
    };
  // The library reports the text that continues, not the line that continues it.
  if (code === "BLOCK_AS_IMPLICIT_KEY" && next?.code === "MULTILINE_IMPLICIT_KEY" && next.pos[0] === pos[0])
    return { at: afterBlanks(text, text.indexOf("\n", at)), text: DEEPER };
  if (code === "UNEXPECTED_TOKEN" && /^[\]},]/.test(rest))
    return { at, text: `one ${rest[0]} too many stands here: take it out` };
  if (code === "UNEXPECTED_TOKEN" && at === begin) return { at, text: INDENT };
  return { at, text: WORDS[code] ?? "this can't be read as YAML" };
}

function afterBlanks(text: string, at: number): number {
  return at + (/^\s*/.exec(text.slice(at, at + 200))?.[0].length ?? 0);
}

const PARTNERS: Readonly<Record<string, string>> = { "[": "]", "{": "}", '"': '"', "'": "'" };

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
    const partner = PARTNERS[text[at] ?? ""];
    const isCut = end === fault && (code === "MISSING_CHAR" || code === "BAD_INDENT");
    // Of two quotes without partners, each is the other's.
    const isLong = isText && end <= fault && text.slice(at, end).includes("\n");
    // A bracket may end where one within it does; a quote in it is open before it is.
    if (isFlow && open !== undefined) return;
    if (isCut || (isLong && !text.slice(end, fault).includes("\n")))
      open = { at, text: `the ${text[at]} here has no partner: write a ${partner} where it ends` };
  });
  return open;
}
