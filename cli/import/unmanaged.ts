import { existsSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord, IMPORT } from "../../provider/lifecycle/errors";
import { lackingArgument, type RemoteRecord } from "../../provider/schema/codec";
import { format } from "../../provider/schema/format";
import { canonicalKey } from "../../provider/schema/identity";
import type { Resource, Values } from "../../provider/schema/resource";
import { countOf } from "../alike";
import { CommandFailure } from "../failure";
import {
  baseUrlFor,
  explicitProvider,
  formOfStack,
  type HeldRecord,
  heldRecords,
  providersIn,
  type ResourceForm,
  resourceOfType,
  scopedId,
} from "../look/held";
import { freeName, writeNewFile } from "../new-file";
import { createFilter } from "../patterns";
import { isShown } from "../pulumi/program";
import { isModuleFile, mainFile, type Project, usesPlugin } from "../pulumi/project";
import { importDeclared } from "./declared";
import { importedState, toImportEntry } from "./import-entry";
import { compareHeld } from "./match-declared";
import { previewAfterImport } from "./preview-after-import";
import { importEntries } from "./pulumi-import";
import { type Format, type ImportOptions, type ImportRun, type Inventory, takeInventory } from "./run";
import { entryOf, generateScript } from "./script";
import { byDomain, uniqueNames, type WrittenRecord } from "./written-record";
import { generateYaml, unfitForYaml } from "./yaml";

/**
 * Imports every unmanaged record: under the program's names what it declares already; for the others, unless only that is
 * imported, it writes a program.
 */
export async function importRecords(run: ImportRun): Promise<void> {
  const { options, print } = run;
  const read = await takeInventory(run);
  if (options.declared) return importDeclared(run, read);
  const language = formatFor(options, read.project);
  refuseUnseen(read);
  await refuseOtherAccount(read);
  const declared = declaredReasons(read);
  const isSelected = createFilter(options);
  const isDeclared = [...read.lists].some(([resource, records]) =>
    records.some(
      ({ values }) => isSelected(String(values[resource.key] ?? "")) && declared.has(keyOf(resource, values)),
    ),
  );
  // First, since it refuses while the stack has what the program does not declare.
  if (options.apply && isDeclared)
    await importDeclared(run, {
      ...read,
      isSelected: (resource, key) => read.lists.has(resource) && isSelected(key),
    });
  const deployment = options.apply && isDeclared ? await run.stack.deployment() : read.deployment;
  const records = byDomain(selectRecords(run, { ...read, deployment }, declared, language === "yaml"));
  if (records.length === 0) {
    print("Nothing to import: each record that matches, if any does, is in the stack or in the program.");
    return options.apply ? previewAfterImport(run) : undefined;
  }
  const form = formOfStack(deployment) ?? (usesPlugin(read.project) ? "native" : "dynamic");
  // Before the import: the next `up` would delete every record that is in state but not declared.
  const { out, missing } = await writeProgram(run, read.project, records, language, form);
  const resources = records.map(({ resource, name, state, ...record }) =>
    toImportEntry(resource, { name }, record, state, form),
  );
  if (!(await importEntries({ resources }, run, out))) return print(`Then add ${missing}`);
  print(`${records.length} imported.`);
  await previewAfterImport(run, missing);
}

/** Throws if the stack has none of its records in the account that was read. */
async function refuseOtherAccount({ deployment, settings, service, lists }: Inventory): Promise<void> {
  const held = heldRecords(deployment, settings).filter(
    ({ resource, provider, isLeaving }) => lists.has(resource) && provider === undefined && !isLeaving,
  );
  await compareHeld(held, () => ({ source: settings, service }));
}

/** Writes the program, or says where the engine is to write it. `missing` is what to add to the main file then. */
async function writeProgram(
  { options, folder, print }: ImportRun,
  project: Project,
  records: readonly WrittenRecord[],
  language: Format | undefined,
  form: ResourceForm,
): Promise<{ out?: string; missing: string }> {
  const wanted = resolve(folder, options.out ?? defaultOut(project, language));
  if (language === undefined) {
    const out = relative(folder, freeName(wanted));
    return { out, missing: `what ${out} declares to the program.` };
  }
  const style = {
    language: language === "ts" ? language : "js",
    isModule: isModuleFile(wanted),
    form,
  } as const;
  const text = language === "yaml" ? await generateYaml(records, wanted) : generateScript(records, style);
  const file = writeNewFile(wanted, text);
  print(`${relative(folder, file)}: ${records.length} declared.`);
  return { missing: `this line to the program: ${importLineFor(project, file, language, form)}` };
}

/** A record's type and its domain or name, in any spelling. */
function keyOf(resource: Resource, values: Values): string {
  return scopedId(resource, undefined, canonicalKey(resource, values));
}

/** Throws if the program declares a record by a key that a preview does not show: it could be written once more. */
function refuseUnseen({ program, lists }: Inventory): void {
  for (const { type, urn, inputs = {} } of program.creates) {
    const resource = resourceOfType(type);
    if (resource === undefined || !lists.has(resource) || isShown(inputs[resource.key])) continue;
    throw new CommandFailure(
      `Nothing is imported: a preview does not show the ${resource.key} of "${parseUrn(urn).name}", which the program declares, so its record could be written a second time`,
      `Give it adopt: true, run "pulumi up" for it, and run this again`,
    );
  }
}

/** Why records that the program declares there are not written, by their keys. */
function declaredReasons({ program, settings }: Inventory): ReadonlyMap<string, string> {
  const { explicit } = providersIn({ resources: program.planned });
  return new Map(
    [...program.creates, ...program.imports].flatMap((each) => {
      const { type, urn, inputs = {} } = each;
      const resource = resourceOfType(type);
      if (resource === undefined || canonicalKey(resource, inputs) === undefined) return [];
      const source = explicit.get(explicitProvider(each, explicit) ?? "") ?? settings;
      if (baseUrlFor(resource, source) !== baseUrlFor(resource, settings)) return [];
      const why = `the program declares it as "${parseUrn(urn).name}"; to import it so, run "${IMPORT}"`;
      return [[keyOf(resource, inputs), why]];
    }),
  );
}

/** Selects and names the records that the stack does not manage. Prints which ones are skipped. */
function selectRecords(
  { options, print }: ImportRun,
  read: Inventory,
  declared: ReadonlyMap<string, string>,
  isYaml: boolean,
): readonly WrittenRecord[] {
  const isSelected = createFilter(options);
  const taken = [...(read.deployment.resources ?? []), ...read.program.planned];
  const nameFor = uniqueNames(taken.map(({ urn }) => parseUrn(urn).name));
  const all = heldRecords(read.deployment, read.settings);
  const selected: WrittenRecord[] = [];
  for (const [resource, records] of read.lists) {
    const before = selected.length;
    const baseUrl = baseUrlFor(resource, read.settings);
    const known = all.filter((each) => each.resource === resource && each.baseUrl === baseUrl);
    const ids = new Set<string | undefined>(known.map(({ id }) => id));
    const isHeld = ({ id }: RemoteRecord) => ids.has(id);
    const reasons = new Map([
      ...declared,
      ...known.map(heldReason),
      ...records.filter(isHeld).map(sameReason(resource)),
    ]);
    for (const found of records) {
      const { id, values, createdAt } = found;
      const key = String(values[resource.key] ?? "");
      if (isHeld(found) || !isSelected(key)) continue;
      const why = whySkipped(resource, found, reasons.get(keyOf(resource, values)), isYaml);
      if (why === undefined && id !== undefined) {
        reasons.set(...sameReason(resource)(found));
        const state = importedState(resource, found);
        selected.push({ resource, id, createdAt, name: nameFor(key), state });
      } else print(`${describeRecord({ resource, values, id })} is skipped: ${why}.`);
    }
    print(`${countOf(resource, selected.slice(before))} to import.`);
  }
  return selected;
}

/** Why a record is not written that the stack has, by its key. */
function heldReason({ resource, values, name, id }: HeldRecord): [key: string, why: string] {
  const why = `the stack has it as "${name}" (id ${id}); "npx pulumi-tracking doctor" says what to do if the service has given it another id`;
  return [keyOf(resource, values), why];
}

/** Why another record with this one's key is not written. */
const sameReason =
  (resource: Resource) =>
  ({ values, id }: RemoteRecord): [key: string, why: string] => [
    keyOf(resource, values),
    `id ${id} has the same ${resource.key}, which a program can declare only once`,
  ];

/** Why a program can't declare a record. */
function whySkipped(
  resource: Resource,
  found: RemoteRecord,
  owner: string | undefined,
  isYaml: boolean,
): string | undefined {
  const lacking = found.id === undefined ? "id" : lackingArgument(resource, found);
  if (lacking !== undefined) return `the service sent no ${lacking} for it`;
  if (owner !== undefined) return owner;
  const unfit = isYaml ? unfitForYaml(resource, importedState(resource, found)) : undefined;
  return (
    unfit &&
    `YAML can't hold its ${unfit} ${format(undefined, found.values[unfit])}; import it with --format ts or js`
  );
}

/** `--format`, else by the extension of `--out` or of the main file; nothing if the engine writes the program. */
function formatFor({ format, out = "" }: ImportOptions, project: Project): Format | undefined {
  const { name } = project.runtime;
  if (name !== "nodejs") {
    if (format === undefined) return undefined;
    throw new CommandFailure(
      `--format ${format} is for programs for Node.js, and this project's runtime is ${name}`,
      "Omit it, and the program is written in the project's own language",
    );
  }
  const main = extname(mainFile(project));
  const extension = [extname(out), main].find((each) => /^\.([mc]?[jt]s|ya?ml)$/.test(each)) ?? "";
  const found = format ?? (/ml$/.test(extension) ? "yaml" : extension.endsWith("ts") ? "ts" : "js");
  if (found !== "ts" || main.endsWith("ts")) return found;
  throw new CommandFailure(
    "The program is in JavaScript, so it can't load a file in TypeScript",
    "Use --format js, and a name such as tracking.js for --out",
  );
}

/** The engine writes a whole program in the project's language. As a second one in the folder, it could break the build. */
function defaultOut(project: Project, format: Format | undefined): string {
  if (format === undefined) return "tracking_records.txt";
  const extension = extname(mainFile(project));
  return `tracking${extension.endsWith(format) ? extension : `.${format}`}`;
}

/** The line that adds a written file to the program's main file. */
export function importLineFor(project: Project, file: string, format: Format, form: ResourceForm): string {
  const main = mainFile(project);
  const path = relative(dirname(main), file).split(sep).join("/");
  const isModule = isModuleFile(main);
  const requires = !main.endsWith("ts") && !isModule;
  if (format === "yaml") {
    const declares = `declareFrom(${JSON.stringify(path)});`;
    const entry = JSON.stringify(entryOf(form));
    return requires ? `require(${entry}).${declares}` : `import { declareFrom } from ${entry}; ${declares}`;
  }
  const specifier = path.startsWith("../") ? path : `./${path}`;
  if (requires) return `require(${JSON.stringify(specifier)});`;
  // Without a compiler, Node.js resolves an ES import only by the file's real extension.
  const isCompiled = [dirname(main), project.folder].some((each) => existsSync(join(each, "tsconfig.json")));
  const ending = !isModule ? "" : isCompiled ? ".$1js" : ".$1ts";
  return `import ${JSON.stringify(specifier.replace(/\.([mc]?)ts$/, ending))};`;
}
