import type * as yaml from "yaml";
import type { Diagnostic } from "../diagnostics";
import { isBlank, type KnownNames, type Repair } from "./repair";
import { repairsOf } from "./repairs";
import { RepairedText } from "./text";

/** A file as far as it can be read, and what had to be repaired for that. */
export interface Recovered {
  readonly documents: readonly yaml.Document.Parsed[];
  readonly text: RepairedText;
  readonly repairs: readonly Diagnostic[];
  /** What could not be repaired. */
  readonly fault?: yaml.YAMLError;
}

/** How a text is parsed, and how far what it says is from what a file of declarations can say. */
export interface RecoveryParser {
  parse(text: string): readonly yaml.Document.Parsed[];
  /** How many mistakes there are in what a text of the right shape says. */
  diagnosticsIn(documents: readonly yaml.Document.Parsed[], text: string): number;
}

/** More mistakes than these are told once these are put right. */
const MOST_REPAIRS = 30;
/** Each try is one more parse of the whole text. */
const LONGEST = 200_000;
/** The parser notices a mistake a few lines late, where it is not a quote or a bracket. */
const LINES_BEFORE = 4;

/**
 * Repairs what keeps a text from being read, a line at a time: of all ways, the one after which the parser, and then
 * the reader of declarations, has the least to say. So each mistake is told where it is, and with it those of
 * the rest of the file.
 */
export function recover(source: string, names: KnownNames, parser: RecoveryParser): Recovered {
  let text = RepairedText.of(source);
  const repairs: Diagnostic[] = [];
  const touched = new Set<number>();
  const take = ({ line, becomes, column, text: says, mild }: Repair): void => {
    text = text.with(line, becomes);
    // A line with a tab is often not indented as it should be, either; one thing to put right is enough.
    if (!touched.has(line))
      repairs.push({ at: text.offsetOf(line, column), text: says, ...(mild && { mild }) });
  };
  for (const repair of untabbed(text.lines)) {
    take(repair);
    touched.add(repair.line);
  }
  const untouched = text;
  for (;;) {
    const documents = parser.parse(text.text);
    const faults = faultsIn(documents);
    if (faults.length === 0) return { documents, text, repairs };
    const isHopeless = repairs.length > MOST_REPAIRS || source.length > LONGEST;
    const best = isHopeless ? undefined : bestRepair(text, faults, names, parser);
    if (best === undefined) return givenUp(untouched, repairs.slice(0, touched.size), parser);
    take(best);
  }
}

/** What was tried did not lead to anything, and would be told for nothing. */
function givenUp(text: RepairedText, repairs: readonly Diagnostic[], parser: RecoveryParser): Recovered {
  const documents = parser.parse(text.text);
  const [fault] = faultsIn(documents);
  return { documents, text, repairs, ...(fault && { fault }) };
}

/** What makes a text's shape doubtful; the rest is told beside other mistakes. */
function faultsIn(documents: readonly yaml.Document.Parsed[]): yaml.YAMLError[] {
  return documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].filter(({ code }) => !SHAPELY.has(code)),
  );
}

const SHAPELY: ReadonlySet<yaml.ErrorCode> = new Set(["BAD_ALIAS", "TAG_RESOLVE_FAILED", "MULTIPLE_DOCS"]);

function bestRepair(
  text: RepairedText,
  faults: readonly yaml.YAMLError[],
  names: KnownNames,
  parser: RecoveryParser,
): Repair | undefined {
  const line = Math.min(...faults.map(({ pos }) => text.placeOf(pos[0]).line));
  const reached = reach(text.lines, line);
  const tried = suspects(text.lines, line)
    .flatMap((each) => repairsOf(text.lines, each, names))
    .map((repair) => {
      const next = text.with(repair.line, repair.becomes);
      const repaired = next.text;
      const documents = parser.parse(repaired);
      const left = faultsIn(documents);
      const first = Math.min(...left.map(({ pos }) => next.placeOf(pos[0]).line));
      return { repair, repaired, documents, left: left.length, first: reach(next.lines, first) };
    })
    .filter(({ left, first }) => left < faults.length || first > reached);
  // One mistake can make many faults, and hide others: what counts is how far the parser gets.
  const furthest = Math.max(
    ...tried.map(({ left, first }) => (left === 0 ? Number.POSITIVE_INFINITY : first)),
  );
  const ranked = tried
    .filter(({ left, first }) => (left === 0 ? Number.POSITIVE_INFINITY : first) === furthest)
    .map((each) => ({ ...each, count: parser.diagnosticsIn(each.documents, each.repaired) }))
    .sort((a, b) => a.left - b.left || a.count - b.count);
  return ranked[0]?.repair;
}

/** Lines on which the mistake may be: those around, and those before with half a pair of quotes or brackets. */
function suspects(lines: readonly string[], line: number): number[] {
  const around: number[] = [];
  for (let at = line; at >= 0 && around.length < LINES_BEFORE; at -= 1)
    if (!isBlank(lines[at] ?? "")) around.push(at);
  const halves = [...lines.keys()].filter((at) => at < line && isHalf(lines[at] ?? "")).slice(-8);
  return [...new Set([...around, line + 1, ...halves])];
}

/** How far a text was read: a quote without an end hides all that comes after it. */
function reach(lines: readonly string[], fault: number): number {
  const open = lines.findIndex((line, at) => at < fault && !isBlank(line) && hasOpenQuote(line));
  return open < 0 ? fault : open;
}

function hasOpenQuote(line: string): boolean {
  const count = (text: string) => line.split(text).length - 1;
  // Within a word it is an apostrophe.
  return count('"') % 2 === 1 || (/[\s[{,]'/.test(line) && count("'") % 2 === 1);
}

function isHalf(line: string): boolean {
  const count = (text: string) => line.split(text).length - 1;
  return (
    count('"') % 2 === 1 || count("'") % 2 === 1 || count("[") !== count("]") || count("{") !== count("}")
  );
}

function untabbed(lines: readonly string[]): Repair[] {
  return lines.flatMap((line, at) => {
    const [indent = ""] = /^\s*/.exec(line) ?? [];
    if (!indent.includes("\t") || isBlank(line)) return [];
    return {
      line: at,
      becomes: indent.replaceAll("\t", "  ") + line.slice(indent.length),
      column: 0,
      text: "a tab can't indent; use spaces",
    };
  });
}
