import { domainToASCII, domainToUnicode } from "node:url";
import { pluralName, type Resource } from "../provider/schema/resource";
import { CommandFailure } from "./failure";
import { isShown } from "./pulumi/hidden";
import { parseFile } from "./pulumi/project";

/** Adds a value to those of an option that can be repeated. */
export const collect = (value: string, before: string[] = []) => [...before, value];

/** The pattern of a name: `@team` would be a file. */
export const patternOf = (key: string) => key.replace(/^@/, "@@");

/** The lines of `@FILE` that have a pattern, or the text itself; `@@team` is the name `@team`. */
function readPatterns(text: string): string[] {
  if (text.startsWith("@@")) return [text.slice(1)];
  if (!text.startsWith("@")) return [text];
  const lines = parseFile(text.slice(1), (content) => content.split(/\r?\n/));
  return lines.filter((line) => !/^\s*(#|$)/.test(line));
}

function folded(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}

/**
 * Domains and names, whatever their case, in which * is any text; a domain in its ASCII or its Unicode form. `@FILE` has one
 * on each line; blank lines and those that begin with `#` are ignored.
 */
export class Patterns {
  /** A set: a file of 1,000 names costs each record one look. */
  private readonly names = new Set<string>();
  private readonly globs: RegExp[] = [];

  /** Throws a `CommandFailure` if one is empty. */
  constructor(option: string, texts: readonly string[]) {
    for (const text of texts.flatMap(readPatterns).map(folded)) {
      if (text === "")
        throw new CommandFailure(`${option} is empty`, "Write a domain or a name; * is any text");
      const parts = text.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
      if (parts.length > 1) this.globs.push(new RegExp(`^${parts.join(".*")}$`, "s"));
      this.names.add(text);
    }
  }

  match(key: string): boolean {
    const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))].map(folded).filter(Boolean);
    return forms.some((form) => this.names.has(form) || this.globs.some((glob) => glob.test(form)));
  }
}

/** Selects records by domain or name. Throws a `CommandFailure` if a pattern is empty. */
export function createFilter({ match, exclude = [] }: { match?: string[]; exclude?: string[] }) {
  const included = match && new Patterns("--match", match);
  const excluded = new Patterns("--exclude", exclude);
  return (key: string): boolean => (included?.match(key) ?? true) && !excluded.match(key);
}

/** The options that select records: of one kind, such as `websites`, and by domain or name. */
interface SelectionOptions {
  readonly only?: string;
  readonly match?: string[];
  readonly exclude?: string[];
}

/** Whether a record is selected. A domain or name that a preview does not show may be any, so it is not left out. */
export type IsSelected = (resource: Resource, key: unknown) => boolean;

/** The selection of a command's options. Throws a `CommandFailure` if a pattern is empty. */
export function selectionOf({ only, ...patterns }: SelectionOptions): IsSelected {
  const matches = createFilter(patterns);
  return (resource, key) =>
    (only === undefined || pluralName(resource) === only) &&
    (typeof key !== "string" || !isShown(key) || matches(key));
}
