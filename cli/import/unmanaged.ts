import { rmSync, statSync } from "node:fs";
import { extname, relative, resolve } from "node:path";
import { noun } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import type { ImportEntry } from "../pulumi/json-output";
import { formOfStack } from "../pulumi/resource-forms";
import type { Stack } from "../pulumi/stack";
import { nameOf } from "../pulumi/urn";
import { ServiceRecords } from "../service-records";
import { Filter, parsePattern, readPatterns } from "./filter";
import { toImportEntry } from "./import-entry";
import { listRecords, openSource } from "./import-source";
import { baseUrlFor, ManagedRecords } from "./managed-records";
import type { Format, ImportOptions, ImportRun } from "./options";
import { previewAfterImport } from "./preview-after-import";
import { importEntries, requireImportSupport } from "./pulumi-import";
import { generateScript } from "./script";
import { selectUnmanaged } from "./selection";
import { existingNames, writeNewFile } from "./text-file";
import { findProgram, importLineFor, isModuleFile, type UserProgram } from "./user-program";
import { uniqueNames, type WrittenRecord } from "./written-record";
import { generateYaml } from "./yaml";

/**
 * Imports every unmanaged record, and writes a program for them. Our own program is written first, since the next `up`
 * would delete what the stack holds and no program declares.
 */
export async function importUnmanaged(run: ImportRun): Promise<void> {
  const { options, stack, folder } = run;
  const { print } = run.terminal;
  const filter = filterFrom(options);
  const program = await findProgram(folder);
  const format = formatFor(options, program);
  const source = await openSource(run);
  if (options.apply) await requireImportSupport(stack);
  const service = new ServiceRecords(source.settings, { warn: print, debug: print });
  const lists = await listRecords(options.only, service, source, print);
  // The stack is read after the service: what a run creates meanwhile is in it, or among its pending operations.
  const deployment = await source.deployment();
  const managed = new ManagedRecords(deployment, source.settings);
  const nameFor = uniqueNames(managed.names);
  const records = lists.flatMap(([resource, listed]) => {
    const baseUrl = baseUrlFor(resource, source.settings);
    const selection = { managed, baseUrl, filter, nameFor, isYaml: format === "yaml", print };
    const selected = selectUnmanaged(resource, listed, selection);
    print(`${selected.length} ${noun(resource)}${selected.length === 1 ? "" : "s"} to import.`);
    return selected;
  });
  reportUnusedPatterns(filter, print);
  const wanted = resolve(folder, options.out ?? defaultOut(program, format));
  const earlier =
    format === undefined
      ? []
      : existingNames(wanted).taken.map((each) => importLineFor(program, each, format));
  if (records.length === 0) {
    print("Nothing to import: the stack already manages every matching record.");
    if (options.apply) await previewAfterImport(run, undefined, earlier);
    return;
  }
  const form = formOfStack(deployment) ?? program.form;
  const entries = records.map((each) =>
    toImportEntry(each.resource, { name: each.name }, each.id, each.state, form),
  );
  if (format === undefined) return letEngineWrite(run, wanted, records, entries);
  const script = { language: format === "ts" ? format : "js", isModule: isModuleFile(wanted), form } as const;
  const text = format === "yaml" ? await generateYaml(records) : generateScript(records, script);
  const file = writeNewFile(wanted, text);
  print(`${relative(folder, file)}: ${records.length} declared.`);
  const line = importLineFor(program, file, format);
  const written = { missing: `this line to the program: ${line}`, records };
  if (!(await importEntries({ resources: entries }, run))) return print(`Then add ${written.missing}`);
  print(`${records.length} imported.`);
  await previewAfterImport(run, written, earlier);
}

/** Lets the engine write the program, in the project's language. */
async function letEngineWrite(
  run: ImportRun,
  wanted: string,
  records: readonly WrittenRecord[],
  resources: readonly ImportEntry[],
): Promise<void> {
  const { print } = run.terminal;
  const file = existingNames(wanted).free;
  const out = relative(run.folder, file);
  let missing = `what ${out} declares to the program.`;
  try {
    if (!(await importEntries({ resources: [...resources] }, run, out))) return print(`Then add ${missing}`);
  } catch (error) {
    // The engine writes the program last: if the language's host can't, the records are imported all the same.
    if (!(error instanceof CommandFailure) || !(await holdsAll(run.stack, resources))) throw error;
    if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file);
    print(`The records are imported, but the engine could not write their program. ${error.problem}.`);
    missing = `resources of these names to the program: ${records.map(({ name }) => name).join(", ")}.`;
  }
  print(`${records.length} imported.`);
  await previewAfterImport(run, { missing, records });
}

async function holdsAll(stack: Stack, resources: readonly ImportEntry[]): Promise<boolean> {
  const held = await stack.resources();
  return resources.every(({ type, name, id }) =>
    held.some((each) => each.type === type && each.id === id && nameOf(each.urn) === name),
  );
}

function filterFrom({ match, exclude, from }: ImportOptions): Filter {
  const listed = from === undefined ? [] : readPatterns(from);
  const given = (option: string, texts: readonly string[] = []) =>
    texts.map((each) => parsePattern(option, each));
  return new Filter([...given("--match", match), ...listed], given("--exclude", exclude));
}

function reportUnusedPatterns(filter: Filter, print: (line: string) => void): void {
  if (filter.matchesNothing)
    throw new CommandFailure(
      `Nothing to import: ${filter.unusedPatterns.join("; ")}`,
      "Give domains and names as the service shows them; * matches any text",
    );
  for (const note of filter.unusedPatterns) print(`${note}.`);
}

/** The requested format, or that of the file's name, or the program's language; nothing if the engine writes it. */
function formatFor({ format, out = "" }: ImportOptions, program: UserProgram): Format | undefined {
  const { otherRuntime, extension } = program;
  if (otherRuntime === undefined) {
    if (format !== undefined) return format;
    const kind = extname(out);
    if (/^\.ya?ml$/.test(kind)) return "yaml";
    return (/^\.[mc]?[jt]s$/.test(kind) ? kind : extension).endsWith("ts") ? "ts" : "js";
  }
  if (format === undefined) return undefined;
  throw new CommandFailure(
    `--format ${format} is for programs for Node.js, and this project's runtime is ${otherRuntime}`,
    "Omit it, and the program is written in the project's own language",
  );
}

/** The extensions of languages whose programs the engine writes. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  python: ".py",
  go: ".go",
  dotnet: ".cs",
  java: ".java",
  yaml: ".yaml",
};

function defaultOut({ extension, otherRuntime }: UserProgram, format: Format | undefined): string {
  // In Python, a module of the package's own name would hide the package.
  if (format === undefined) return `tracking_records${EXTENSIONS[otherRuntime ?? ""] ?? ".txt"}`;
  return `tracking${extension.endsWith(format) ? extension : `.${format}`}`;
}
