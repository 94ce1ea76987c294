import * as pulumi from "@pulumi/pulumi";
import { sanitize } from "../../provider/api/redact";
import { noun, pluralName, type Resource } from "../../provider/schema/resource";
import { type Place, type Report, readDocument } from "./document";
import { entriesOf, type YamlEntry } from "./entry";
import { listExpander } from "./lists";
import { inOrder } from "./order";
import { argumentsOf, fileField, isKind, LISTS, optionsOf } from "./schema";
import { contentMistakes, type DeferredMistake } from "./sentences";
import type { Mistake } from "./syntax";

/** How many mistakes are reported; the others are counted. */
export const MAX_LINES = 50;

/** A mistake in a value that the provider's `check` accepts if the record has it already. */
export type Refusal = Omit<DeferredMistake, keyof Mistake> & { readonly line: string };

/**
 * Reads the text of a file.
 *
 * @param file its name, for messages
 * @param secretOf the value of a key of the stack's config, if it has the key
 * @returns what it declares, sorted by dependencies, and the mistakes that `check` decides
 * @throws {pulumi.RunError} with all mistakes, which the engine shows without a stack; errors of YAML itself come first
 */
export function readDeclarations(
  text: string,
  file: string,
  catalogue: readonly Resource[],
  secretOf: (key: string) => unknown,
): { entries: readonly YamlEntry[]; refusals: readonly Refusal[] } {
  const mistakes: Mistake[] = [];
  const report: Report = (at, text) => void mistakes.push({ at, text });
  const fields = catalogue.flatMap((each) => Object.entries({ ...argumentsOf(each), ...optionsOf(each) }));
  const flags = new Set(fields.flatMap(([name, field]) => (isKind("boolean", field) ? name : [])));
  const { root, place } = readDocument(text, (name) => flags.has(name), report);
  const lists = root.members?.get(LISTS)?.node.members;
  const expand = listExpander(lists, report);
  const sections = [LISTS, ...catalogue.map(pluralName)];
  for (const { node } of root.members?.values() ?? [])
    for (const name of sections) {
      const inner = node.members?.get(name);
      const values = [...(inner?.node.members?.values() ?? [])];
      // If only its first line is indented, it is empty.
      if (inner && values.every((each) => each.node.members ?? each.node.entries))
        report(inner.at, `${name} is a section: start this line without spaces`);
    }
  if (mistakes.length > 0) throw failure(file, mistakes, place);
  const declared = catalogue.flatMap((resource) =>
    entriesOf(resource, root.members?.get(pluralName(resource))?.node, expand, secretOf, report),
  );
  const byPath = new Map(declared.map((each) => [each.path, each]));
  const names = { paths: [...byPath.keys()], lists: [...(lists?.keys() ?? [])] };
  const found = contentMistakes(root, fileField(catalogue, names));
  const deferred = once(found.filter((each) => "argument" in each));
  mistakes.push(...found.filter((each) => !("argument" in each)));
  reportDuplicates(declared, report, place);
  const needs = (entry?: YamlEntry) => [entry?.options.dependsOn ?? []].flat().map(String);
  const order = inOrder(byPath, needs, (path) => `${path}: dependsOn is circular`, report);
  if (mistakes.length > 0) throw failure(file, [...mistakes, ...deferred], place);
  const refusals = deferred.map(({ at, text, ...each }) => ({
    ...each,
    line: lineOf({ at, text }, file, place),
  }));
  return { entries: order.flatMap((path) => byPath.get(path) ?? []), refusals };
}

/** Reports resources that would share a record: two websites with one domain, two pixels with one name. */
function reportDuplicates(entries: readonly YamlEntry[], report: Report, place: Place): void {
  const first = new Map<string, YamlEntry>();
  for (const each of entries) {
    const { resource, path, values } = each;
    const { key, type, inputs } = resource;
    if (typeof values[key] !== "string") continue;
    const record = `${type} ${inputs[key]?.canonical(values[key])}`;
    const before = first.get(record);
    first.set(record, before ?? each);
    if (before === undefined) continue;
    const keyAt = ({ node }: YamlEntry) => node.members?.get(key)?.node.at;
    // Both may get the key from one anchor.
    const isShared = keyAt(each) === keyAt(before);
    const placeOf = (entry: YamlEntry) => (isShared ? entry.at : (keyAt(entry) ?? entry.at));
    report(
      placeOf(each),
      `${path}: ${before.path} in line ${place(placeOf(before)).line} has the same ${key}, ` +
        `and two resources can't manage one ${noun(resource)}: remove one of them, or change its ${key}`,
    );
  }
}

/** Mistakes in the order of the file, each once: two resources that share a list or an anchor share its mistakes. */
function once<T extends Mistake>(mistakes: readonly T[]): T[] {
  const known = new Map(mistakes.map((each) => [`${each.at} ${each.text}`, each]));
  return [...known.values()].sort((a, b) => a.at - b.at);
}

/** The error for all mistakes in a file. */
function failure(file: string, mistakes: readonly Mistake[], place: Place): pulumi.RunError {
  const sorted = once(mistakes);
  const lines = sorted.slice(0, MAX_LINES).map((each) => lineOf(each, file, place));
  if (sorted.length === 1) return new pulumi.RunError(lines.join());
  if (sorted.length > MAX_LINES) lines.push(`and ${sorted.length - MAX_LINES} more`);
  return new pulumi.RunError([`${sanitize(file)}: ${sorted.length} mistakes`, ...lines].join("\n"));
}

/** `file:line:column: what is wrong` */
function lineOf({ at, text }: Mistake, file: string, place: Place): string {
  const { line, col } = place(at);
  return sanitize(`${file}:${line}:${col}: ${text}`);
}
