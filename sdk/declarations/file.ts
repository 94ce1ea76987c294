import * as pulumi from "@pulumi/pulumi";
import { sanitize } from "../../provider/api/redact";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { adoptField, validate } from "../../provider/schema/validate";
import { type Declaration, declarationReader } from "./declaration";
import {
  type FileMistake,
  MAX_LINES,
  type Members,
  membersOf,
  type Node,
  type Report,
  readDocument,
} from "./document";
import { LISTS, listExpander } from "./lists";
import { located } from "./located";
import { inOrder } from "./order";

/** Sections of this kind are for anchors, and otherwise ignored. */
export const EXTENSION_SECTION = /^x-/;

/**
 * Reads the text of a file.
 *
 * @param file its name, for messages
 * @param secretOf the value of a key of the stack's config, if it has the key
 * @returns what it declares, sorted by dependencies
 * @throws {pulumi.RunError} with all mistakes, which the engine shows without a stack; errors of YAML itself come first
 */
export function readDeclarations(
  text: string,
  file: string,
  catalogue: readonly Resource[],
  secretOf: (key: string) => unknown,
): readonly Declaration[] {
  const mistakes: FileMistake[] = [];
  const doubts: FileMistake[] = [];
  const report: Report = (at, text) => void mistakes.push({ at, text });
  const doubt: Report = (at, text) => void doubts.push({ at, text });
  const { root, place } = readDocument(text, report);
  const lineOf = ({ at, text }: FileMistake) => {
    const { line, col } = place(at);
    return sanitize(`${file}:${line}:${col}: ${text}`);
  };
  if (mistakes.length > 0) throw failure(file, mistakes, lineOf);
  const top = sectionsIn(root, catalogue, report);
  const lists = membersOf(top.get(LISTS)?.node, LISTS, "office: [192.0.2.0/24]", report);
  const sections = catalogue.map((resource) => {
    const name = pluralName(resource);
    return {
      resource,
      name,
      members: membersOf(top.get(name)?.node, name, `shop: { ${resource.key}: … }`, report),
    };
  });
  const reading = {
    ...{ report, doubt, secretOf, lists: [...lists.keys()], expand: listExpander(lists, report) },
    paths: sections.flatMap(({ name, members }) => [...members.keys()].map((each) => `${name}.${each}`)),
  };
  const declared = sections.flatMap(({ resource, members }) => {
    const read = declarationReader(resource, reading);
    return [...members].map(([name, member]) => read(name, member));
  });
  const byPath = new Map(declared.map((each) => [each.path, each]));
  const order = inOrder(
    byPath.keys(),
    (path) => [byPath.get(path)?.options.dependsOn ?? []].flat().map(String),
    (path, circle) => report(byPath.get(path)?.at ?? 0, `${path}: dependsOn is circular: ${circle}`),
  );
  if (mistakes.length > 0) throw failure(file, [...mistakes, ...doubts], lineOf);
  return order.flatMap((path) => byPath.get(path) ?? []);
}

/** The sections of a file. */
function sectionsIn(root: Node, catalogue: readonly Resource[], report: Report): Members {
  const such = "websites:, or {} to declare nothing";
  // Not even an empty file declares nothing without saying so.
  const all = membersOf(root.text === null ? { at: 0 } : root, "the file", such, report);
  const sections = new Map([...all].filter(([name]) => !EXTENSION_SECTION.test(name)));
  const names = Object.fromEntries(
    [LISTS, ...catalogue.map(pluralName), "x-… for anchors"].map((name) => [name, adoptField]),
  );
  const given = Object.fromEntries([...sections.keys()].map((name) => [name, true]));
  const { mistakes } = validate("the file", names, given, {}, "section");
  for (const { at, text } of located(mistakes, sections, names, 0, "")) report(at, text);
  return sections;
}

/** Mistakes in the order of the file, each once: two resources that share a list or an anchor share its mistakes. */
function once<T extends FileMistake>(mistakes: readonly T[]): T[] {
  const known = new Map(mistakes.map((each) => [`${each.at} ${each.text}`, each]));
  return [...known.values()].sort((a, b) => a.at - b.at);
}

/** The error for all mistakes in a file. */
function failure(
  file: string,
  mistakes: readonly FileMistake[],
  lineOf: (mistake: FileMistake) => string,
): pulumi.RunError {
  const sorted = once(mistakes);
  const lines = sorted.slice(0, MAX_LINES).map(lineOf);
  if (sorted.length === 1) return new pulumi.RunError(lines.join());
  if (sorted.length > MAX_LINES) lines.push(`and ${sorted.length - MAX_LINES} more`);
  return new pulumi.RunError([`${sanitize(file)}: ${sorted.length} mistakes`, ...lines].join("\n"));
}
