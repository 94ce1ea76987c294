import type { Resource } from "../../provider/schema/resource";
import { countOf } from "../alike";
import { CommandFailure } from "../failure";
import { formOfStack, type HeldRecord, providerUrn, resourceOfType } from "../look/held";
import { naturalOrder } from "../natural-order";
import { previewProgram } from "../pulumi/program";
import { usesPlugin } from "../pulumi/project";
import { declaredRows } from "./declared-rows";
import { heldRows } from "./held-rows";
import { toImportEntry } from "./import-entry";
import { withAncestors } from "./import-file";
import { deletedByNextUp, deletedByNextUpFailure, sayWhatIsLeft } from "./preview-after-import";
import { importOrWriteFile } from "./pulumi-import";
import { refuseRedeclared } from "./redeclared";
import { type PlanRow, printRows } from "./row";
import type { Format, ImportOptions, ImportRun } from "./run";
import { type Survey, selectionOf, survey } from "./survey";
import { unmanagedRows } from "./unmanaged-rows";
import { formatFor, writeProgram } from "./write-program";
import { byDomain } from "./written-record";

/** Returns a row for each record that the import is about, and for each declared resource that the stack lacks. Writes nothing. */
async function planImport(
  { options }: ImportRun,
  surveyed: Survey,
  language: Format | undefined,
): Promise<PlanRow[]> {
  const { accounts, held, program, lists } = surveyed;
  const isSelected = selectionOf(options);
  // The records that the stack has. A service without a base URL in the stack's settings is not asked; with `--declared` it is,
  // so that the missing setting is an error.
  const isAsked = (resource: Resource, provider?: string) =>
    options.declared || lists.has(resource) || accounts.of(provider) !== accounts.own;
  const staying = held.filter(
    (record) => !record.isPendingDelete && isAsked(record.resource, record.provider),
  );
  const isReported = ({ urn, resource, values }: HeldRecord) =>
    program.keeps(urn) && isSelected(resource, values[resource.key]);
  const { rows, unreadAccounts } = await heldRows(staying, accounts, isReported);

  // The resources that the program declares and the stack lacks, and then the records that neither has.
  const creates = program.creates.filter((planned) => {
    const resource = resourceOfType(planned.type);
    if (resource === undefined || !isAsked(resource, providerUrn(planned))) return false;
    return isSelected(resource, planned.inputs?.[resource.key]);
  });
  const declared = await declaredRows(creates, {
    importFile: program.importFile,
    held,
    accounts,
    unreadAccounts,
  });
  return [
    ...rows,
    // The engine's order changes from run to run.
    ...declared.toSorted((one, other) => naturalOrder(one.text, other.text)),
    ...unmanagedRows(surveyed, { isSelected, isYaml: language === "yaml" }),
  ];
}

/** Returns the reason why a plan imports nothing. */
function describeNothing(rows: readonly PlanRow[], { declared }: ImportOptions): string {
  if (rows.some(({ isUsual }) => !isUsual)) return "Nothing is imported, for the reasons above.";
  return declared
    ? "Nothing to import: the stack has every declared record that can be imported."
    : "Nothing to import: each record that matches, if any does, is in the stack or in the program.";
}

/**
 * Imports what the plan says, or writes the files for it. Returns how many records, and what to add to the program then
 * (`toAdd`), as the end of a sentence: `this line to the program: import "./tracking";`.
 */
async function carryOut(
  run: ImportRun,
  { project, deployment, program, lists }: Survey,
  rows: readonly PlanRow[],
  language: Format | undefined,
): Promise<{ count: number; toAdd?: string | undefined }> {
  const { options, print } = run;
  // What the rows import: under the program's names, and under new ones.
  const declaredEntries = rows.flatMap(({ entry }) => entry ?? []);
  const written = byDomain(rows.flatMap((row) => row.written ?? []));
  const form = formOfStack(deployment) ?? (usesPlugin(project) ? "native" : "dynamic");
  const newEntries = written.map(({ resource, name, state, ...record }) =>
    toImportEntry(resource, { name }, record, state, form),
  );
  const allEntries = [...declaredEntries, ...newEntries];
  for (const resource of lists.keys()) {
    const alike = allEntries.filter(({ type }) => resourceOfType(type) === resource);
    print(`${countOf(resource, alike)} to import.`);
  }
  if (allEntries.length === 0) {
    print(describeNothing(rows, options));
    return { count: 0 };
  }

  // Before the import, the program: if that is interrupted, its records are in state, and the next `up` deletes what no program
  // declares.
  const added = written.length > 0 ? await writeProgram(run, project, written, language, form) : undefined;

  // The import itself.
  const declaredFile = withAncestors(program.importFile ?? { resources: [] }, declaredEntries);
  // In other languages the engine writes a program for all that an import file has. What the program declares already is in a
  // second file, for which it writes none.
  const isApart = added?.out !== undefined && declaredEntries.length > 0;
  if (isApart) await importOrWriteFile(declaredFile, run);
  const resources = isApart ? newEntries : [...declaredFile.resources, ...newEntries];
  await importOrWriteFile({ ...declaredFile, resources }, run, added?.out);
  if (options.apply) print(`${allEntries.length} imported.`);
  else if (added !== undefined) print(`Then add ${added.toAdd}`);
  return { count: allEntries.length, toAdd: added?.toAdd };
}

/** Previews the program with the state as it is after the import, and says what is left. */
async function previewAgain(run: ImportRun, left: Parameters<typeof sayWhatIsLeft>[2]): Promise<void> {
  const { toAdd } = left;
  const deployment = await run.stack.deployment();
  const program = await previewProgram(run.stack).catch((error: unknown) => {
    if (toAdd !== undefined) run.print(`If the program does not have it yet, add ${toAdd}`);
    throw error;
  });
  sayWhatIsLeft(run, { deployment, program }, left);
}

/**
 * Imports records that the stack does not manage, in four steps: reads all there is, plans a row for each, prints the plan, and
 * carries it out. What the program declares is imported under its names; the others, unless only that is wanted, under new
 * names, in a program that is written. Without `--apply`, it writes that program and the import file, prints the command, and
 * leaves the state alone.
 */
export async function importRecords(run: ImportRun): Promise<void> {
  const { options } = run;
  // 1. Read.
  const surveyed = await survey(run);
  const { deployment, program } = surveyed;
  const language = options.declared ? undefined : formatFor(options, surveyed.project);
  refuseRedeclared(surveyed.held, program);

  // 2. and 3. Plan, and print the plan.
  const rows = await planImport(run, surveyed, language);
  printRows(rows, run);
  // The engine's import file alone names parents and providers; a preview that ended at a protected resource wrote none.
  const needsFile = options.declared || rows.some(({ kind }) => kind === "declared");
  if (program.importFile === undefined && needsFile)
    throw deletedByNextUpFailure(deletedByNextUp(deployment, program));

  // 4. Carry it out, and say what is left.
  const { count, toAdd } = await carryOut(run, surveyed, rows, language);
  const openRows = rows.filter(({ isOpen }) => isOpen).length;
  const left = { isOpen: openRows > 0, toAdd };
  if (options.apply && count > 0) await previewAgain(run, left);
  else if (surveyed.programFailure === undefined) sayWhatIsLeft(run, surveyed, left);
  else if (options.apply) throw surveyed.programFailure;
  if (openRows > 0)
    throw new CommandFailure(
      `${openRows} can't be imported`,
      "Do what the lines above say, and run this again",
    );
}
