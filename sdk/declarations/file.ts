import { sanitize } from "../../provider/api/redact";
import { noun, pluralName, type Resource } from "../../provider/schema/resource";
import type { Violation } from "../../provider/schema/validate";
import { inDependencyOrder } from "./dependency-order";
import { type Place, type Report, readDocument } from "./document";
import { entryOf, ruleMistakes, type YamlEntry } from "./entry";
import { argumentsOf, namesOf, optionsOf } from "./fields";
import { LISTS, listExpander } from "./lists";
import { contentMistakes, type DeferredMistake } from "./sentences";
import type { Mistake } from "./syntax";

/** A file that can't be taken; the message says everything that is wrong with it, a line each. */
export class DeclarationError extends Error {}

/** So many mistakes are reported; the rest is counted. */
const MAX_LINES = 50;

/** What the reader of a file has to know. */
export interface ReadContext {
  /** The file's name, for messages. */
  readonly file: string;
  readonly catalogue: readonly Resource[];
  /** Whether the stack's config has a key. */
  isConfigured(key: string): boolean;
}

/** A resource of a file without mistakes. */
export interface ValidEntry extends YamlEntry {
  /** What to report if the provider's `check` refuses a doubtful value, since the record does not have it already. */
  readonly refusals: readonly (Omit<Violation, "text"> & { readonly line: string })[];
  /** The lines of the file's other resources. */
  readonly otherRefusals: readonly string[];
}

/**
 * Reads the text of a file: what it declares, each after what it depends on.
 *
 * @throws {DeclarationError} with all that is wrong; what can't be read as YAML comes first
 */
export function readDeclarations(text: string, context: ReadContext): readonly ValidEntry[] {
  const { catalogue, file, isConfigured } = context;
  const mistakes: Mistake[] = [];
  const report: Report = (at, text) => void mistakes.push({ at, text });
  const flags = namesOf("boolean", ...catalogue.flatMap((each) => [argumentsOf(each), optionsOf(each)]));
  const { root, place } = readDocument(text, (name) => flags.has(name), report);
  if (mistakes.length > 0) throw failure(file, mistakes, place);
  const expand = listExpander(root.members?.get(LISTS)?.node.members, report);
  const entries = catalogue.flatMap((resource) => {
    const section = root.members?.get(pluralName(resource))?.node.members ?? [];
    const lists = namesOf("array", resource.inputs);
    return [...section].map(([name, member]) =>
      entryOf(resource, name, member, lists, expand, isConfigured, report),
    );
  });
  const paths = entries.map(({ path }) => path);
  const found = contentMistakes(root, catalogue, paths);
  const deferred = once([...found.filter((each) => "argument" in each), ...entries.flatMap(ruleMistakes)]);
  mistakes.push(...found.filter((each) => !("argument" in each)));
  reportDuplicates(entries, report, place);
  const sorted = inDependencyOrder(entries, report);
  if (mistakes.length > 0) throw failure(file, [...mistakes, ...deferred], place);
  return withRefusals(sorted, deferred, (mistake) => lineOf(mistake, file, place));
}

/** Reports resources that would be one record: two websites of one domain, two pixels of one name. */
function reportDuplicates(entries: readonly YamlEntry[], report: Report, place: Place): void {
  const first = new Map<string, YamlEntry>();
  for (const each of entries) {
    const { resource, path, values } = each;
    const { key, type, inputs } = resource;
    if (typeof values[key] !== "string") continue;
    const name = `${type} ${inputs[key]?.canonical(values[key])}`;
    const before = first.get(name);
    first.set(name, before ?? each);
    if (before === undefined) continue;
    const keyAt = (entry: YamlEntry) => entry.node.members?.get(key)?.node.at ?? entry.at;
    report(
      // What an anchor lends stands there for both.
      keyAt(each) === keyAt(before) ? each.at : keyAt(each),
      `${path}: ${before.path} in line ${place(keyAt(before)).line} has the same ${key}, ` +
        `and two resources can't be one ${noun(resource)}: take one of them out, or change its ${key}`,
    );
  }
}

function withRefusals(
  entries: readonly YamlEntry[],
  deferred: readonly DeferredMistake[],
  line: (mistake: Mistake) => string,
): ValidEntry[] {
  const all = deferred.map((each) => ({ ...each, line: line(each) }));
  const own = new Map<string, typeof all>();
  for (const each of all) own.set(each.path, [...(own.get(each.path) ?? []), each]);
  return entries.map((entry) => {
    const refusals = own.get(entry.path) ?? [];
    // The engine stops at the first resource that is refused: that refusal names the others too.
    const near = refusals.length === 0 ? [] : all.slice(0, MAX_LINES + refusals.length);
    const otherRefusals = near.filter(({ path }) => path !== entry.path).map((each) => each.line);
    return {
      ...entry,
      refusals: refusals.map(({ argument, breaks, line }) => ({ argument, breaks, line })),
      otherRefusals: otherRefusals.slice(0, MAX_LINES),
    };
  });
}

/** Mistakes in the order of the file, each once: two resources that share a list or an anchor share its mistakes. */
function once<T extends Mistake>(mistakes: readonly T[]): T[] {
  const known = new Map(mistakes.map((each) => [`${each.at} ${each.text}`, each]));
  return [...known.values()].sort((a, b) => a.at - b.at);
}

/** All that is wrong with a file. */
function failure(file: string, mistakes: readonly Mistake[], place: Place): DeclarationError {
  const sorted = once(mistakes);
  const lines = sorted.slice(0, MAX_LINES).map((each) => lineOf(each, file, place));
  if (sorted.length === 1) return new DeclarationError(lines[0]);
  if (sorted.length > MAX_LINES) lines.push(`and ${sorted.length - MAX_LINES} more`);
  return new DeclarationError([`${sanitize(file)}: ${sorted.length} mistakes`, ...lines].join("\n"));
}

/** `file:line:column: what is wrong` */
function lineOf({ at, text }: Mistake, file: string, place: Place): string {
  const { line, col } = place(at);
  return sanitize(`${file}:${line}:${col}: ${text}`);
}
