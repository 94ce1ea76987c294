import * as pulumi from "@pulumi/pulumi";
import { sanitize } from "../../provider/api/redact";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { adoptField, validate } from "../../provider/schema/validate";
import { type Declaration, declarationReader } from "./declaration";
import {
  type FileMistake,
  MAX_LINES,
  type Member,
  type Members,
  membersOf,
  type Node,
  type Report,
  readDocument,
} from "./document";
import { LISTS, listExpander } from "./lists";
import { located } from "./located";
import { inOrder } from "./order";

/** The section of what each declaration of a section has, unless it says otherwise. */
export const DEFAULTS = "defaults";

/** Sections of this kind are for anchors, and otherwise ignored. */
export const EXTENSION_SECTION = /^x-/;

/** A file's name, for messages, and its text. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Reads files that share their lists, their defaults and the names of their resources.
 *
 * @param secretOf the value of a key of the stack's config, if it has the key
 * @returns what it declares, sorted by dependencies
 * @throws {pulumi.RunError} with all mistakes, which the engine shows without a stack; errors of YAML itself come first
 */
export function readDeclarations(
  files: readonly TextFile[],
  catalogue: readonly Resource[],
  secretOf: (key: string) => unknown,
): readonly Declaration[] {
  const mistakes: FileMistake[] = [];
  const doubts: FileMistake[] = [];
  const report: Report = (at, text) => void mistakes.push({ at, text });
  const doubt: Report = (at, text) => void doubts.push({ at, text });
  let start = 0;
  const documents = files.map(({ file, text }) => {
    const document = { file, start, ...readDocument(text, start, report) };
    start += text.length + 1;
    return document;
  });
  const positionOf = (at: number) => {
    const { file, positionOf } = documents.findLast((each) => each.start <= at) ?? {
      file: "",
      positionOf: undefined,
    };
    const { line, col } = positionOf?.(at) ?? { line: 1, col: 1 };
    return `${file}:${line}:${col}`;
  };
  const lineOf = ({ at, text }: FileMistake) => sanitize(`${positionOf(at)}: ${text}`);
  const what = files.length === 1 ? String(files[0]?.file) : `${files.length} files`;
  if (mistakes.length > 0) throw failure(what, mistakes, lineOf);
  const tops = documents.map(({ root, start }) => sectionsIn(root, start, catalogue, report));
  /** A section's members in all files. */
  const together = (holders: readonly Members[], name: string, path: string, such: string): Members => {
    const all = new Map<string, Member>();
    for (const [each, member] of holders.flatMap((held) => [
      ...membersOf(held.get(name)?.node, path, such, report),
    ])) {
      const before = all.get(each);
      if (before === undefined) all.set(each, member);
      else
        report(
          member.at,
          `${path}.${each} is in ${positionOf(before.at)} already: remove or rename one of them`,
        );
    }
    return all;
  };
  const lists = together(tops, LISTS, LISTS, "office: [192.0.2.0/24]");
  const defaults = tops.map((top) => defaultsIn(top, catalogue, report));
  const sections = catalogue.map((resource) => {
    const name = pluralName(resource);
    const members = together(tops, name, name, `shop: { ${resource.key}: … }`);
    const defaultsPath = `${DEFAULTS}.${name}`;
    const usual = together(defaults, name, defaultsPath, "{ options: { protect: false } }");
    return { resource, name, members, reading: { defaultsPath, defaults: usual } };
  });
  const reading = {
    ...{ report, doubt, secretOf, lists: [...lists.keys()], expand: listExpander(lists, report) },
    paths: sections.flatMap(({ name, members }) => [...members.keys()].map((each) => `${name}.${each}`)),
  };
  const declared = sections.flatMap(({ resource, members, reading: own }) => {
    const read = declarationReader(resource, { ...reading, ...own });
    return [...members].map(([name, member]) => read(name, member));
  });
  const byPath = new Map(declared.map((each) => [each.path, each]));
  const order = inOrder(
    byPath.keys(),
    (path) => [byPath.get(path)?.options.dependsOn ?? []].flat().map(String),
    (path, circle) => report(byPath.get(path)?.at ?? 0, `${path}: dependsOn is circular: ${circle}`),
  );
  if (mistakes.length > 0) throw failure(what, [...mistakes, ...doubts], lineOf);
  return order.flatMap((path) => byPath.get(path) ?? []);
}

/** The sections of a file. */
function sectionsIn(root: Node, start: number, catalogue: readonly Resource[], report: Report): Members {
  const such = "websites:, or {} to declare nothing";
  // Not even an empty file declares nothing without saying so.
  const all = membersOf(root.text === null ? { at: start } : root, "the file", such, report);
  const sections = new Map([...all].filter(([name]) => !EXTENSION_SECTION.test(name)));
  const names = [LISTS, DEFAULTS, ...catalogue.map(pluralName), "x-… for anchors"];
  reportOthers(sections, names, start, report);
  return sections;
}

/** A file's defaults by section. */
function defaultsIn(top: Members, catalogue: readonly Resource[], report: Report): Members {
  const sections = membersOf(top.get(DEFAULTS)?.node, DEFAULTS, "websites: { emailReports: true }", report);
  reportOthers(sections, catalogue.map(pluralName), 0, report, DEFAULTS);
  return sections;
}

/** Reports names that no section has. */
function reportOthers(
  sections: Members,
  known: readonly string[],
  holder: number,
  report: Report,
  path = "",
): void {
  const names = Object.fromEntries(known.map((name) => [name, adoptField]));
  const given = Object.fromEntries([...sections.keys()].map((name) => [name, true]));
  const { mistakes } = validate(path || "the file", names, given, {}, "section");
  for (const { at, text } of located(mistakes, sections, names, holder, path)) report(at, text);
}

/** Mistakes in the order of the file, each once: two resources that share a list or an anchor share its mistakes. */
function once<T extends FileMistake>(mistakes: readonly T[]): T[] {
  const known = new Map(mistakes.map((each) => [`${each.at} ${each.text}`, each]));
  return [...known.values()].sort((a, b) => a.at - b.at);
}

/** The error for all mistakes in these files. */
function failure(
  what: string,
  mistakes: readonly FileMistake[],
  lineOf: (mistake: FileMistake) => string,
): pulumi.RunError {
  const sorted = once(mistakes);
  const lines = sorted.slice(0, MAX_LINES).map(lineOf);
  if (sorted.length === 1) return new pulumi.RunError(lines.join());
  if (sorted.length > MAX_LINES) lines.push(`and ${sorted.length - MAX_LINES} more`);
  return new pulumi.RunError([`${sanitize(what)}: ${sorted.length} mistakes`, ...lines].join("\n"));
}
