// All of `@pulumi/pulumi` would bring TypeScript into the plugin with the command line, as three quarters of its file.
import { RunError } from "@pulumi/pulumi/errors";
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

/** Reports names that no section has. */
function reportUnknown(sections: Members, allowed: readonly string[], report: Report, path = ""): void {
  const names = Object.fromEntries(allowed.map((name) => [name, adoptField]));
  const values = Object.fromEntries([...sections.keys()].map((name) => [name, true]));
  const { mistakes } = validate(path || "the file", names, values, {}, "section");
  for (const { at, text } of located(mistakes, sections, names, path)) report(at, text);
}

/** The sections of a file. */
function sectionsIn(root: Node, catalogue: readonly Resource[], report: Report): Members {
  // Not even an empty file declares nothing without saying so.
  const top = root.text === null ? { at: root.at } : root;
  const sections = membersOf(top, "the file", "websites:, or {} to declare nothing", report);
  reportUnknown(sections, [LISTS, DEFAULTS, ...catalogue.map(pluralName)], report);
  return sections;
}

/** A file's defaults by section. */
function defaultsIn(top: Members, catalogue: readonly Resource[], report: Report): Members {
  const sections = membersOf(top.get(DEFAULTS)?.node, DEFAULTS, "websites: { emailReports: true }", report);
  reportUnknown(sections, catalogue.map(pluralName), report, DEFAULTS);
  return sections;
}

/** A section's members in all files. */
function mergedSection(
  files: readonly Members[],
  section: string,
  path: string,
  example: string,
  report: Report,
): Members {
  const merged = new Map<string, Member>();
  for (const file of files)
    for (const [name, member] of membersOf(file.get(section)?.node, path, example, report)) {
      const before = merged.get(name);
      if (before === undefined) merged.set(name, member);
      else
        report(member.at, `${path}.${name} is in ${nameOf(before.at)} already: remove or rename one of them`);
    }
  return merged;
}

/** Mistakes in the order of the files, each once: two resources may share a list. */
function linesOf(mistakes: readonly FileMistake[]): string[] {
  const sorted = mistakes.toSorted((a, b) => a.at.index - b.at.index || a.at.offset - b.at.offset);
  return [...new Set(sorted.map(({ at, text }) => sanitize(`${nameOf(at)}: ${text}`)))];
}

/** The error for all mistakes in these files. */
function failure(files: readonly TextFile[], mistakes: readonly FileMistake[]): RunError {
  const lines = linesOf(mistakes);
  if (lines.length === 1) return new RunError(lines.join());
  const what = files.length === 1 ? String(files[0]?.file) : `${files.length} files`;
  return new RunError([`${sanitize(what)}: ${lines.length} mistakes`, ...lines].join("\n"));
}

/**
 * Reads files that share their lists, their defaults and the names of their resources.
 *
 * @param secretOf the value of a key of the stack's config, if it has the key
 * @param warn takes what is wrong unless the record has it already, which only the provider's `check` knows
 * @throws {RunError} with all mistakes, which the engine shows without a stack
 */
export function readDeclarations(
  files: readonly TextFile[],
  catalogue: readonly Resource[],
  secretOf: (key: string) => unknown,
  warn: (text: string) => void,
): readonly Declaration[] {
  // The files' text.
  const mistakes: FileMistake[] = [];
  const doubts: FileMistake[] = [];
  const unreadable = new Set<string>();
  const documents = files.map((file, index) =>
    readDocument(file, index, (at, text) => {
      mistakes.push({ at, text });
      unreadable.add(nameOf(at));
    }),
  );
  // What could not be read at a place is all that is wrong there.
  const reportTo = (found: FileMistake[]): Report => {
    return (at, text) => void (unreadable.has(nameOf(at)) || found.push({ at, text }));
  };
  const [report, doubt] = [reportTo(mistakes), reportTo(doubts)];

  // What they share.
  const roots = documents.filter((root) => root !== undefined);
  const tops = roots.map((root) => sectionsIn(root, catalogue, report));
  const defaultsOfFiles = tops.map((top) => defaultsIn(top, catalogue, report));
  const lists = mergedSection(tops, LISTS, LISTS, "office: [192.0.2.0/24]", report);
  const [names, expand] = [[...lists.keys()], listExpander(lists, report)];
  const shared = { report, doubt, secretOf, lists: names, isWhole: roots.length === files.length, expand };

  // The declarations of each resource.
  const declared = catalogue.flatMap((resource) => {
    const name = pluralName(resource);
    const defaultsPath = `${DEFAULTS}.${name}`;
    const defaults = mergedSection(
      defaultsOfFiles,
      name,
      defaultsPath,
      "{ options: { protect: false } }",
      report,
    );
    const declarationOf = declarationReader(resource, { ...shared, defaults, defaultsPath });
    const members = mergedSection(tops, name, name, `shop: { ${resource.key}: … }`, report);
    return [...members].map(([name, member]) => declarationOf(name, member));
  });
  if (mistakes.length > 0) throw failure(files, [...mistakes, ...doubts]);
  for (const line of linesOf(doubts)) warn(`${line}; refused unless the record has this value already`);
  return declared;
}
