import { clean } from "../api/redact";

/** What a file of declarations says of a resource's doubtful values, where `check` refuses them. */
export interface Refusals {
  /** The file's name. */
  readonly file?: string;
  /** A line for each sentence of `check`'s. */
  readonly lines?: Readonly<Record<string, string>>;
  /** The same of the file's other resources. */
  readonly others?: readonly string[];
}

/**
 * The engine stops at the first resource that is refused. So that a file does not have to be put right one mistake
 * at a time, the refusal tells of the others too, but for those that have passed: their records have the value.
 */
export class RefusedLines {
  private readonly passed = new Set<string>();

  /** One reason for each sentence, or one for all where the file has more to say. */
  reasonsFor(sentences: readonly string[], { file = "", lines = {}, others = [] }: Refusals = {}): string[] {
    if (sentences.length === 0) {
      for (const line of Object.values(lines)) this.passed.add(line);
      return [];
    }
    const told = sentences.map((each) => clean(lines[each] ?? each));
    const rest = others.filter((each) => !this.passed.has(each)).map(clean);
    if (rest.length === 0 || !sentences.some((each) => lines[each] !== undefined)) return told;
    const head = `${clean(file)}: ${told.length + rest.length} mistakes (a value that its record has already is none)`;
    return [[head, ...[...told, ...rest].sort(byLine)].join("\n")];
  }
}

/** `file:line:column: …`, in the order of the file. */
function byLine(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
