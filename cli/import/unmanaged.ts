import { extname } from "node:path";
import { noun } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import type { ResourceForm } from "../pulumi/resource-forms";
import { ServiceRecords } from "../service-records";
import type { Terminal } from "../terminal";
import { Filter, parsePatterns, readPatterns } from "./filter";
import type { Format } from "./formats";
import type { NamedRecord } from "./generated-program";
import { toImportEntry } from "./import-entry";
import type { ImportRun } from "./import-run";
import { type ListedRecords, listRecords, openSource } from "./import-source";
import { baseUrlFor, ManagedRecords } from "./managed-records";
import type { ImportOptions } from "./options";
import { type ProgramSource, previewAfterImport } from "./preview-after-import";
import { type OutputFile, programFiles, renderFile } from "./program-file";
import { importEntries, requireImportSupport } from "./pulumi-import";
import { replaceFile } from "./text-file";
import { UniqueNames } from "./unique-names";
import {
  describeDeleted,
  type SelectionContext,
  selectUnmanaged,
  type UnmanagedRecords,
} from "./unmanaged-records";
import { detectProgram, type UserProgram } from "./user-program";

/**
 * Writes a program for every unmanaged record, and imports them. The program comes first: what the stack holds and no
 * program declares is what the next `up` would delete.
 */
export async function importUnmanaged(run: ImportRun): Promise<void> {
  const { options, stack } = run;
  const { print } = run.terminal;
  const filter = filterFrom(options);
  const program = await detectProgram(process.cwd());
  const format = formatFor(options, program);
  const source = await openSource(stack, options.apply === true);
  if (options.apply) await requireImportSupport(stack);
  const service = new ServiceRecords(source.settings, { warn: print, debug: print });
  const lists = await listRecords(options.only, service, source, print);
  // The stack is read after the service: what a run creates meanwhile is in it, or among its pending operations.
  const managed = new ManagedRecords(await source.deployment(), source.settings);
  const out = options.out ?? defaultOut(format, program);
  const { existing, target } = await programFiles(out, format, program, options.force === true);
  const names = existing.flatMap(({ declared }) => declared.map(({ name }) => name));
  const { undeclared, declared } = selectAll(lists, print, {
    managed,
    filter,
    existingFiles: existing,
    baseUrl: (resource) => baseUrlFor(resource, source.settings),
    names: new UniqueNames([...managed.names, ...names]),
    isYaml: format === "yaml",
  });
  reportUnusedPatterns(filter, print);
  const written = { importLine: target.importLine, declared: undeclared.map(toDeclaration) };
  const sources: ProgramSource[] = [...existing, written].filter((each) => each.declared.length > 0);
  const records = [...declared, ...undeclared];
  if (records.length === 0) {
    print("Nothing to import: the stack already manages every matching record.");
    if (options.apply) await previewAfterImport(stack, sources, print);
    return;
  }
  const form = managed.form ?? program.form;
  if (undeclared.length > 0) await writeProgram(target, undeclared, form, run);
  const entries = records.map((each) =>
    toImportEntry(each.resource, { name: each.name }, each.id, each.state, form),
  );
  if (!(await importEntries({ resources: entries }, run))) {
    for (const line of importLinesOf(sources, records)) print(`Then add this line to the program: ${line}`);
    return;
  }
  print(`${records.length} imported.`);
  for (const note of await describeDeleted(service, records)) print(note);
  await previewAfterImport(stack, sources, print);
}

async function writeProgram(
  target: OutputFile,
  records: readonly NamedRecord[],
  form: ResourceForm,
  run: ImportRun,
): Promise<void> {
  const text = await renderFile(target, records, form);
  run.programWritten(target.file, replaceFile(target.file, target.before, text));
  const more = target.before === undefined ? "" : " more";
  run.terminal.print(`${target.file}: ${records.length}${more} declared.`);
}

/** The lines that add these records' files to the program, each once. */
function importLinesOf(sources: readonly ProgramSource[], records: readonly NamedRecord[]): Set<string> {
  const names = new Set(records.map(({ name }) => name));
  const needed = sources.filter(({ declared }) => declared.some(({ name }) => names.has(name)));
  return new Set(needed.map((each) => each.importLine));
}

function selectAll(
  lists: readonly ListedRecords[],
  print: Terminal["print"],
  context: SelectionContext,
): UnmanagedRecords {
  const selections = lists.map(([resource, records]) => {
    const selection = selectUnmanaged(resource, records, context);
    for (const note of selection.notes) print(note);
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
      "Give domains and names as the service shows them; * matches any text",
    );
  for (const note of filter.unusedPatterns) print(`${note}.`);
}

/** The requested format, or that of the file's name, or the program's language. */
function formatFor({ format, out = "" }: ImportOptions, { language }: UserProgram): Format {
  if (format !== undefined) return format;
  const extension = extname(out);
  if (/^\.ya?ml$/.test(extension)) return language === "pulumi-yaml" ? language : "yaml";
  if (extension === ".py") return "python";
  if (/^\.[mc]?ts$/.test(extension)) return "ts";
  return /^\.[mc]?js$/.test(extension) ? "js" : language;
}

function defaultOut(format: Format, { language, extension }: UserProgram): string {
  // A module of the package's own name would hide the package.
  if (format === "python") return "tracking_records.py";
  if (format === "pulumi-yaml") return "tracking.yaml";
  return `tracking${format === language ? extension : `.${format}`}`;
}
