import * as pulumi from "@pulumi/pulumi";
import { sanitize } from "../../provider/api/redact";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { adoptField, validate } from "../../provider/schema/validate";
import { type Declaration, declarationReader } from "./declaration";
import {
  type FileMistake,
  type Member,
  type Members,
  membersOf,
  type Node,
  nameOf,
  type Report,
  readDocument,
  type TextFile,
} from "./document";
import { LISTS, listExpander } from "./lists";
import { located } from "./located";

/** The section of what each declaration of a section has, unless it says otherwise. */
export const DEFAULTS = "defaults";

/**
 * Reads files that share their lists, their defaults and the names of their resources.
 *
 * @param secretOf the value of a key of the stack's config, if it has the key
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

  const roots = files.map((file, index) => readDocument(file, index, report));
  if (mistakes.length > 0) throw failure(files, mistakes);

  const tops = roots.map((root) => sectionsIn(root, catalogue, report));
  const usual = tops.map((top) => defaultsIn(top, catalogue, report));
  const lists = together(tops, LISTS, LISTS, "office: [192.0.2.0/24]", report);
  const shared = { report, doubt, secretOf, lists: [...lists.keys()], expand: listExpander(lists, report) };
  const declared = catalogue.flatMap((resource) => {
    const name = pluralName(resource);
    const defaultsPath = `${DEFAULTS}.${name}`;
    const defaults = together(usual, name, defaultsPath, "{ options: { protect: false } }", report);
    const read = declarationReader(resource, { ...shared, defaults, defaultsPath });
    const members = together(tops, name, name, `shop: { ${resource.key}: … }`, report);
    return [...members].map(([each, member]) => read(each, member));
  });
  if (mistakes.length > 0) throw failure(files, [...mistakes, ...doubts]);
  return declared;
}

/** The sections of a file. */
function sectionsIn(root: Node, catalogue: readonly Resource[], report: Report): Members {
  // Not even an empty file declares nothing without saying so.
  const top = root.text === null ? { at: root.at } : root;
  const sections = membersOf(top, "the file", "websites:, or {} to declare nothing", report);
  reportOthers(sections, [LISTS, DEFAULTS, ...catalogue.map(pluralName)], report);
  return sections;
}

/** A file's defaults by section. */
function defaultsIn(top: Members, catalogue: readonly Resource[], report: Report): Members {
  const sections = membersOf(top.get(DEFAULTS)?.node, DEFAULTS, "websites: { emailReports: true }", report);
  reportOthers(sections, catalogue.map(pluralName), report, DEFAULTS);
  return sections;
}

/** Reports names that no section has. */
function reportOthers(sections: Members, known: readonly string[], report: Report, path = ""): void {
  const names = Object.fromEntries(known.map((name) => [name, adoptField]));
  const given = Object.fromEntries([...sections.keys()].map((name) => [name, true]));
  const { mistakes } = validate(path || "the file", names, given, {}, "section");
  for (const { at, text } of located(mistakes, sections, names, path)) report(at, text);
}

/** A section's members in all files. */
function together(
  files: readonly Members[],
  section: string,
  path: string,
  such: string,
  report: Report,
): Members {
  const all = new Map<string, Member>();
  for (const file of files)
    for (const [name, member] of membersOf(file.get(section)?.node, path, such, report)) {
      const before = all.get(name);
      if (before === undefined) all.set(name, member);
      else
        report(member.at, `${path}.${name} is in ${nameOf(before.at)} already: remove or rename one of them`);
    }
  return all;
}

/** The error for all mistakes in these files, in their order, each once: two resources may share a list. */
function failure(files: readonly TextFile[], mistakes: readonly FileMistake[]): pulumi.RunError {
  const sorted = mistakes.toSorted((a, b) => a.at.index - b.at.index || a.at.offset - b.at.offset);
  const all = [...new Set(sorted.map(({ at, text }) => sanitize(`${nameOf(at)}: ${text}`)))];
  if (all.length === 1) return new pulumi.RunError(all.join());
  const what = files.length === 1 ? String(files[0]?.file) : `${files.length} files`;
  return new pulumi.RunError([`${sanitize(what)}: ${all.length} mistakes`, ...all].join("\n"));
}
