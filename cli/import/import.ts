import type { Resource } from "../../provider/schema/resource";
import { countOf } from "../alike";
import { CommandFailure } from "../failure";
import { providerUrn, resourceOfType } from "../look/held";
import { naturalOrder } from "../natural-order";
import { selectionOf } from "../patterns";
import { withProgress } from "../progress";
import type { ImportEntry } from "../pulumi/json-output";
import { previewProgram } from "../pulumi/program";
import { declaredRows } from "./declared-rows";
import { withAncestors } from "./import-file";
import { describeNextUp, refuseGone, refuseLosses } from "./next-up";
import { pulumiImport } from "./pulumi-import";
import { refuseRedeclared } from "./redeclared";
import { type PlanRow, printRows } from "./row";
import type { Format, ImportOptions, ImportRun } from "./run";
import { type Survey, survey } from "./survey";
import { unmanagedRows } from "./unmanaged-rows";
import { verifyAccounts } from "./verify";
import { formatFor, writeImportFile, writeProgram } from "./write-program";
import { byDomain, type WrittenRecord } from "./written-record";

/**
 * Returns a row for each record that the import is about, and for each declared resource that the stack lacks; and the URNs of
 * what the stack holds, though it is gone from the service. Writes nothing.
 */
async function planImport(
  { options, print }: ImportRun,
  surveyed: Survey,
  language: Format | undefined,
): Promise<{ readonly rows: PlanRow[]; readonly gone: ReadonlySet<string> }> {
  const { accounts, held, program, lists } = surveyed;
  const isSelected = selectionOf(options);
  // The records that the stack has. A service without a base URL in the stack's settings is not asked; with `--declared` it is,
  // so that the missing setting is an error.
  const isAsked = (resource: Resource, provider?: string) =>
    options.declared || lists.has(resource) || accounts.of(provider) !== accounts.own;
  const staying = held.filter(
    (record) => !record.isPendingDelete && isAsked(record.resource, record.provider),
  );
  const { differing, unreadAccounts } = await verifyAccounts(staying, accounts);
  const gone = differing.filter(({ standing }) => standing?.status === "missing");
  const { length: count } = differing;
  if (count > 0)
    print(
      `${count} of the stack ${count === 1 ? "is" : "are"} gone or changed on the service: "npx pulumi-tracking doctor" says what became of each.`,
    );

  // The resources that the program declares and the stack lacks, and then the records that neither has.
  const creates = program.creates.filter((planned) => {
    const resource = resourceOfType(planned.type);
    if (resource === undefined || !isAsked(resource, providerUrn(planned))) return false;
    return isSelected(resource, planned.inputs?.[resource.key]);
  });
  const { importFile } = program;
  const declared = await declaredRows(creates, { importFile, held, accounts, unreadAccounts });
  const rows = [
    // The engine's order changes from run to run.
    ...declared.toSorted((one, other) => naturalOrder(one.text, other.text)),
    ...unmanagedRows(surveyed, { isSelected, isYaml: language === "yaml" }),
  ];
  return { rows, gone: new Set(gone.map(({ held: { urn } }) => urn)) };
}

/** Returns the reason why a plan imports nothing. */
function describeNothing(rows: readonly PlanRow[], { declared }: ImportOptions): string {
  if (rows.some(({ isUsual }) => !isUsual)) return "Nothing is imported, for the reasons above.";
  return declared
    ? "Nothing to import: the stack has every declared record that can be imported."
    : "Nothing to import: each record that matches, if any does, is in the stack.";
}

/** Imports what the program declares, under its names. Returns what the stack and the program are then. */
async function importDeclared(
  run: ImportRun,
  { program, deployment: held }: Survey,
  entries: readonly ImportEntry[],
): Promise<Pick<Survey, "deployment" | "program">> {
  const { stack, print } = run;
  if (entries.length === 0) return { program, deployment: held };
  print(`Importing ${entries.length} ...`);
  await pulumiImport(withAncestors(program.importFile ?? { resources: [] }, entries), run);
  print(`${entries.length} imported. Running a preview to see what is left ...`);
  return { deployment: await stack.deployment(), program: await previewProgram(stack) };
}

/** What a plan leaves to a person. */
interface Left {
  /** How many rows tell of something to do first. */
  readonly open: number;
  /** How many records are imported once the program declares them, and what to do for that. */
  readonly undeclared: number;
  readonly toDeclare: string | undefined;
}

/** Writes the program for records that nothing declares. Returns what to do with it. */
async function writeMissing(
  run: ImportRun,
  surveyed: Survey,
  { written, language }: { readonly written: WrittenRecord[]; readonly language: Format | undefined },
): Promise<string | undefined> {
  if (written.length === 0) return undefined;
  if (language === undefined) return writeImportFile(run, surveyed.project, written);
  return writeProgram(run, surveyed, written, language);
}

/** Says what to do next. Throws if something is left that `--apply` was to import. */
function sayWhatIsLeft({ options, print, command }: ImportRun, { open, undeclared, toDeclare }: Left): void {
  const few = `${undeclared} ${undeclared === 1 ? "is" : "are"} imported once the program declares ${undeclared === 1 ? "it" : "them"}`;
  if (toDeclare !== undefined && (open > 0 || !options.apply)) print(`${few}: ${toDeclare}.`);
  if (open > 0)
    throw new CommandFailure(`${open} can't be imported`, "Do what the lines above say, and run this again");
  if (!options.apply) print(`To import, run: ${command} --apply`);
  else if (toDeclare !== undefined) throw new CommandFailure(few, `${toDeclare}, and run this again`);
}

/**
 * Brings existing records under management, in four steps. The stack never holds what no program declares: what neither has
 * gets a program first, and only what the program declares is imported, under its names. Without `--apply`, the state is left
 * alone.
 */
export async function importRecords(run: ImportRun): Promise<void> {
  const { options, print } = run;
  // 1. Read.
  const surveyed = await survey(run);
  const { deployment, program, lists } = surveyed;
  const language = options.declared ? undefined : formatFor(options, surveyed.project);
  refuseRedeclared(surveyed.held, program);

  // 2. Plan, and print the plan.
  const { rows, gone } = await withProgress("Comparing the stack and the program with the service", () =>
    planImport(run, surveyed, language),
  );
  printRows(rows, run);
  const entries = rows.flatMap(({ entry }) => entry ?? []);
  const written = byDomain(rows.flatMap((row) => row.written ?? []));
  for (const resource of lists.keys()) {
    const alike = entries.filter(({ type }) => resourceOfType(type) === resource);
    print(`${countOf(resource, alike)} to import.`);
  }
  const isNothing = entries.length === 0 && written.length === 0;
  if (isNothing) print(describeNothing(rows, options));
  // The engine's import file alone names parents and providers; a preview that ended at a protected resource wrote none.
  const needsFile = rows.some(({ kind }) => kind === "declared");
  if (program.importFile === undefined && needsFile) {
    refuseLosses(deployment, program, gone);
    refuseGone(program, gone);
  }

  // 3. Write the program for what neither has.
  const toDeclare = await writeMissing(run, surveyed, { written, language });

  // 4. Import what the program declares, and say what is left.
  const after = options.apply ? await importDeclared(run, surveyed, entries) : surveyed;
  refuseLosses(after.deployment, after.program, gone);
  const open = rows.filter(({ isOpen }) => isOpen).length;
  if (options.apply) for (const line of describeNextUp(after.program, open > 0)) print(line);
  if (!isNothing || open > 0) sayWhatIsLeft(run, { open, undeclared: written.length, toDeclare });
}
