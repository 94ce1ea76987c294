import { extname } from "node:path";
import { noun } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import type { Stack } from "../pulumi/stack";
import { ServiceRecords } from "../service-records";
import type { Terminal } from "../terminal";
import type { ImportOptions } from "./command";
import { Filter, parsePatterns, readPatterns } from "./filter";
import type { NamedRecord } from "./generated-program";
import { toImportEntry } from "./import-entry";
import { type ListedRecords, listRecords, openSource } from "./import-source";
import type { ImportStatus } from "./import-status";
import { baseUrlFor, ManagedRecords } from "./managed-records";
import { type ProgramSource, previewAfterImport } from "./preview-after-import";
import { type OutputFile, programFiles, renderFile } from "./program-file";
import { requireImportSupport, writeAndImport } from "./run-import";
import { replaceFile } from "./text-file";
import { UniqueNames } from "./unique-names";
import {
  describeDeleted,
  type SelectionContext,
  selectUnmanaged,
  type UnmanagedRecords,
} from "./unmanaged-records";
import { detectProgram, type Format, type UserProgram } from "./user-program";

/**
 * Writes the selection of the account as a program, and brings it under management. The program comes first: what the
 * stack holds and no program declares is what the next `up` would delete.
 */
export async function importUnmanaged(
  options: ImportOptions,
  stack: Stack,
  status: ImportStatus,
  terminal: Terminal,
): Promise<void> {
  const { print } = terminal;
  const filter = filterFrom(options);
  const program = await detectProgram(process.cwd());
  const format = formatFor(options, program);
  const source = await openSource(stack, options.apply === true);
  if (options.apply) await requireImportSupport(stack);
  const account = new ServiceRecords(source.settings, { warn: print, debug: print });
  const lists = await listRecords(options.only, account, source, print);
  // The stack is read after the service: what a run makes in the meantime is in it, or among what is pending source.
  const managed = new ManagedRecords(await source.deployment(), source.settings);
  const out = options.out ?? defaultOut(format, program);
  const { existing, target } = await programFiles(out, format, program, options.force === true);
  const known = existing.flatMap(({ declared }) => declared.map(({ name }) => name));
  const { undeclared, declared } = selectAll(lists, print, {
    managed,
    filter,
    existingFiles: existing,
    baseUrl: (resource) => baseUrlFor(resource, source.settings),
    names: new UniqueNames([...managed.names, ...known]),
    isYaml: format === "yaml",
  });
  reportUnusedPatterns(filter, print);
  const sources: ProgramSource[] = [
    ...existing,
    { importLine: target.importLine, declared: undeclared.map(toDeclaration) },
  ].filter((each) => each.declared.length > 0);
  const records = [...declared, ...undeclared];
  if (records.length === 0) {
    print("There is nothing to import: the stack already manages every matching record.");
    if (options.apply) await previewAfterImport(stack, sources, print);
    return;
  }
  if (undeclared.length > 0) await writeProgram(target, undeclared, status, print);
  const entries = records.map((each) =>
    toImportEntry(each.resource, { name: each.name }, each.id, each.state),
  );
  if (!(await writeAndImport(stack, { resources: entries }, options, status, terminal))) {
    const needed = sources.filter((file) =>
      file.declared.some(({ name }) => records.some((each) => each.name === name)),
    );
    for (const line of new Set(needed.map((each) => each.importLine)))
      print(`Then add this line to the program: ${line}`);
    return;
  }
  print(`${records.length} imported.`);
  for (const gone of await describeDeleted(account, records)) print(gone);
  await previewAfterImport(stack, sources, print);
}

async function writeProgram(
  target: OutputFile,
  records: readonly NamedRecord[],
  status: ImportStatus,
  print: Terminal["print"],
): Promise<void> {
  const text = await renderFile(target, records);
  status.programWritten(target.file, replaceFile(target.file, target.before, text));
  print(`${target.file}: ${records.length} declared${target.before === undefined ? "" : " more"}.`);
}

function selectAll(
  lists: readonly ListedRecords[],
  print: Terminal["print"],
  context: SelectionContext,
): UnmanagedRecords {
  const selections = lists.map(([resource, records]) => {
    const selection = selectUnmanaged(resource, records, context);
    for (const line of selection.notes) print(line);
    const count = selection.undeclared.length + selection.declared.length;
    print(`${count} ${noun(resource)}${count === 1 ? "" : "s"} to import.`);
    return selection;
  });
  return {
    undeclared: selections.flatMap((each) => each.undeclared),
    declared: selections.flatMap((each) => each.declared),
    notes: [],
  };
}

function toDeclaration({ resource, name, state }: NamedRecord): { type: string; name: string; key: string } {
  return { type: resource.type, name, key: String(state[resource.key]) };
}

function filterFrom({ match, exclude, from }: ImportOptions): Filter {
  const listed = from === undefined ? [] : readPatterns(from);
  return new Filter([...parsePatterns("--match", match), ...listed], parsePatterns("--exclude", exclude));
}

function reportUnusedPatterns(filter: Filter, print: Terminal["print"]): void {
  if (filter.matchesNothing)
    throw new CommandFailure(
      `Nothing to import: ${filter.unusedPatterns.join("; ")}`,
      "Give domains and names as the service shows them; * stands for any text.",
    );
  for (const line of filter.unusedPatterns) print(`${line}.`);
}

/** What was asked for, or what the file's name says, or what the program is. */
function formatFor({ format, out = "" }: ImportOptions, { language }: UserProgram): Format {
  if (format !== undefined) return format;
  const kind = extname(out);
  if (/^\.ya?ml$/.test(kind)) return "yaml";
  if (/^\.[mc]?ts$/.test(kind)) return "ts";
  return /^\.[mc]?js$/.test(kind) ? "js" : language;
}

function defaultOut(format: Format, { language, extension }: UserProgram): string {
  return `tracking${format === language ? extension : `.${format}`}`;
}
