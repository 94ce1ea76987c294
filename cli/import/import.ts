import type { Resource } from "../../provider/schema/resource";
import { countOf } from "../alike";
import { CommandFailure } from "../failure";
import { formOfStack, providerUrn, resourceOfType } from "../look/held";
import { previewProgram } from "../pulumi/program";
import { usesPlugin } from "../pulumi/project";
import { compareHeld } from "./compare-held";
import { declaredRows } from "./declared-rows";
import { toImportEntry } from "./import-entry";
import { withAncestors } from "./import-file";
import { endangered, endangeredFailure, sayWhatIsLeft } from "./preview-after-import";
import { importEntries } from "./pulumi-import";
import { refuseRedeclared } from "./redeclared";
import { printRows, type Row } from "./row";
import type { Format, ImportRun } from "./run";
import { type Survey, selectionOf, survey } from "./survey";
import { unmanagedRows } from "./unmanaged-rows";
import { formatFor, writeProgram } from "./write-program";
import { byDomain } from "./written-record";

async function previewAgain(run: ImportRun, missing: string | undefined): Promise<void> {
  const deployment = await run.stack.deployment();
  const program = await previewProgram(run.stack).catch((error: unknown) => {
    if (missing !== undefined) run.print(`If the program does not have it yet, add ${missing}`);
    throw error;
  });
  sayWhatIsLeft(run, { deployment, program }, missing);
}

/** What becomes of each record, and of each declared resource that the stack lacks. Nothing is written. */
async function planImport(
  { options }: ImportRun,
  read: Survey,
  language: Format | undefined,
): Promise<Row[]> {
  const { accounts, held, program, lists } = read;
  const isSelected = selectionOf(options);
  // Without an address, the stack's own provider does not use a service.
  const isUsed = (resource: Resource, provider?: string) =>
    options.declared || lists.has(resource) || accounts.of(provider) !== accounts.own;
  const staying = held.filter((each) => !each.isLeaving && isUsed(each.resource, each.provider));
  const compared = await compareHeld(
    staying,
    accounts,
    ({ urn, resource, values }) => program.keeps(urn) && isSelected(resource, values[resource.key]),
  );
  const creates = program.creates.filter((each) => {
    const resource = resourceOfType(each.type);
    if (resource === undefined || !isUsed(resource, providerUrn(each))) return false;
    return isSelected(resource, each.inputs?.[resource.key]);
  });
  const declared = await declaredRows(creates, program.file, held, accounts, compared.unread);
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [
    ...compared.rows,
    // The engine's order changes from run to run.
    ...declared.toSorted((one, other) => compare(one.text, other.text)),
    ...unmanagedRows(read, isSelected, language === "yaml"),
  ];
}

function nothingOf(rows: readonly Row[], isDeclared = false): string {
  if (rows.some(({ isUsual }) => !isUsual)) return "Nothing is imported, for the reasons above.";
  return isDeclared
    ? "Nothing to import: the stack has every declared record that can be imported."
    : "Nothing to import: each record that matches, if any does, is in the stack or in the program.";
}

/** Imports what the plan says, or writes the files for it. Returns how many, and what the program then lacks. */
async function carryOut(
  run: ImportRun,
  { project, deployment, program, lists }: Survey,
  rows: readonly Row[],
  language: Format | undefined,
): Promise<{ count: number; missing?: string | undefined }> {
  const { options, print } = run;
  const declared = rows.flatMap(({ entry }) => entry ?? []);
  const written = byDomain(rows.flatMap((row) => row.written ?? []));
  const form = formOfStack(deployment) ?? (usesPlugin(project) ? "native" : "dynamic");
  const entries = written.map(({ resource, name, state, ...record }) =>
    toImportEntry(resource, { name }, record, state, form),
  );
  const total = [...declared, ...entries];
  for (const resource of lists.keys()) {
    const alike = total.filter(({ type }) => resourceOfType(type) === resource);
    print(`${countOf(resource, alike)} to import.`);
  }
  if (total.length === 0) {
    print(nothingOf(rows, options.declared));
    return { count: 0 };
  }
  // Before the import: the next `up` would delete every record that is in state but not declared.
  const added = written.length > 0 ? await writeProgram(run, project, written, language, form) : undefined;
  const file = withAncestors(program.file ?? { resources: [] }, declared);
  // A program that the engine writes has all of a file.
  const isApart = added?.out !== undefined && declared.length > 0;
  if (isApart) await importEntries(file, run);
  const resources = isApart ? entries : [...file.resources, ...entries];
  await importEntries({ ...file, resources }, run, added?.out);
  if (options.apply) print(`${total.length} imported.`);
  else if (added !== undefined) print(`Then add ${added.missing}`);
  return { count: total.length, missing: added?.missing };
}

/**
 * Imports records that the stack does not manage: under the program's names what it declares, and, unless only that is
 * wanted, the others under new names, in a program that it writes. What becomes of each is printed first.
 */
export async function importRecords(run: ImportRun): Promise<void> {
  const { options, print } = run;
  const read = await survey(run);
  const { deployment, program } = read;
  const language = options.declared ? undefined : formatFor(options, read.project);
  refuseRedeclared(read.held, program);
  const rows = await planImport(run, read, language);
  printRows(rows, options.verbose === true, print);
  // A preview that ends at what it may not delete does not say where a declared resource belongs.
  const needsPlaces = options.declared || rows.some(({ kind }) => kind === "declared");
  if (program.file === undefined && needsPlaces) throw endangeredFailure(endangered(deployment, program));
  const { count, missing } = await carryOut(run, read, rows, language);
  if (options.apply && count > 0) await previewAgain(run, missing);
  else if (read.failure === undefined) sayWhatIsLeft(run, read, missing);
  else if (options.apply) throw read.failure;
  const open = rows.filter(({ isOpen }) => isOpen).length;
  if (open > 0)
    throw new CommandFailure(`${open} can't be imported`, "Do what the lines above say, and run this again");
}
