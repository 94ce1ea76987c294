import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { sanitize } from "../../provider/api/redact";
import { DECLARATIONS } from "../../provider/config";
import { format } from "../../provider/schema/format";
import { fieldOf, noun, type Values } from "../../provider/schema/resource";
import type { Source } from "../../sdk/declarations/declare";
import { groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import { resourceOfType } from "../look/held";
import { writeOrFail } from "../new-file";
import { type IsSelected, selectionOf } from "../patterns";
import { explainFailure } from "../pulumi/explain-failure";
import { type FinishedPreview, runPreview } from "../pulumi/preview";
import { withTemporaryFolder } from "../pulumi/process";
import { type Project, requireProject } from "../pulumi/project";
import { type Drift, driftIn } from "./drift";
import { type Change, diffOf, editOrFail, readText, writeChanges } from "./files";
import { type NewRecords, newRecords } from "./new-records";
import type { AcceptRun } from "./run";

/** What the program declares in files, and what someone changed on the service. */
async function look({ stack }: AcceptRun): Promise<{ preview: FinishedPreview; sources: Source[] }> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, "declarations");
    appendFileSync(file, "");
    const args = ["--refresh=true", "--run-program"];
    const preview = await runPreview(stack, { args, env: { [DECLARATIONS]: file } });
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    return { preview, sources: lines.map((line): Source => JSON.parse(line)) };
  });
}

/** A preview that failed has not come to all resources. */
function requireWhole({ code, failure, diagnostics, stderr }: FinishedPreview): void {
  if (failure !== undefined) throw failure;
  if (code === 0) return;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const stdout = errors.map(({ message }) => message).join(" ");
  throw explainFailure(["preview", "--json"], { stdout, stderr });
}

/** What is left for a person: lines, with their place. */
function linesFor(
  { resource, name, declared, values, contested, dropped, isDeleted }: Drift,
  place: string | undefined,
): string[] {
  const what = `${place === undefined ? "" : `${place}: `}${noun(resource)} "${name}"`;
  const where = place === undefined ? "in the program" : "there";
  if (isDeleted) {
    const way = place === undefined ? "remove it from the program" : "--deleted removes these lines";
    return [`${what}: someone deleted it: ${way}, or "pulumi up --refresh --run-program" creates it again`];
  }
  const quote = (argument: string, of: Values) => format(fieldOf(resource, argument), of[argument]);
  const set = Object.keys(values).map((argument) => `${argument}: ${quote(argument, values)}`);
  const both = Object.keys(contested).map(
    (argument) =>
      `${what}: set ${argument}: ${quote(argument, contested)} ${where}, or "pulumi up" sets ${quote(argument, declared)}: both sides changed it`,
  );
  return [
    ...(set.length > 0 ? [`${what}: set ${set.join(", ")} ${where}`] : []),
    ...both,
    ...dropped.map((argument) => `${what}: remove ${argument} ${where}`),
  ];
}

/** The changes of files that share their lists and defaults, and what is left to do. */
function editFiles(
  files: readonly string[],
  drifts: readonly Drift[],
  { folder, options }: AcceptRun,
): { changes: Change[]; left: string[] } {
  const texts = files.map((file) => ({ file: relative(folder, file), text: readText(file) }));
  const edits = drifts.filter(({ isDeleted }) => options.deleted || !isDeleted);
  const edited = editOrFail(texts, edits);
  const changes = files.flatMap((file, at) => {
    const [before = "", after = ""] = [texts[at]?.text, edited.texts[at]?.text];
    return before === after ? [] : [{ file, before, after }];
  });
  const unfit = new Map(edited.unfit.map((drift) => [drift.urn, drift]));
  const open = drifts.map((drift) => {
    const done = { ...drift, values: {}, isDeleted: false };
    return edits.includes(drift) ? (unfit.get(drift.urn) ?? done) : drift;
  });
  return { changes, left: open.flatMap((drift) => linesFor(drift, edited.placeOf(drift))) };
}

/**
 * Throws if a file with a change is read by two calls of `declareFrom`, as of one list of sites for two accounts: what one of them
 * accepts would change what the other declares.
 */
function requireOneReader(drifts: readonly Drift[], sources: readonly Source[]): void {
  const filesOf = new Map(sources.map(({ urn, files }) => [urn, files]));
  const changed = new Set(drifts.flatMap(({ urn }) => filesOf.get(urn) ?? []));
  const calls = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const { type, name, files } of new Map(sources.map((source) => [source.urn, source])).values()) {
    const call = JSON.stringify(files);
    const declaration = `${call} ${type} ${name}`;
    const reader = seen.has(declaration) ? `${call} again` : call;
    seen.add(declaration);
    for (const file of files) calls.set(file, (calls.get(file) ?? new Set()).add(reader));
  }
  const shared = [...changed].find((file) => (calls.get(file)?.size ?? 0) > 1);
  if (shared !== undefined)
    throw new CommandFailure(
      `${shared} is read by two calls of declareFrom, so a change of it would be one of both`,
      "Edit it by hand, or have one call read it",
    );
}

/** What to write, and what is left for a person. Writes nothing. */
function plan(drifts: readonly Drift[], sources: readonly Source[], run: AcceptRun) {
  const sourceOf = new Map(sources.map((source) => [source.urn, source]));
  const groupOf = ({ urn }: Drift) => {
    const source = sourceOf.get(urn);
    return source && JSON.stringify(source.files);
  };
  const inFiles = groupsBy(drifts, groupOf).map((group) =>
    editFiles(sourceOf.get(group[0].urn)?.files ?? [], group, run),
  );
  const byProgram = drifts.filter((drift) => groupOf(drift) === undefined);
  return {
    changes: inFiles.flatMap(({ changes }) => changes),
    left: [
      ...inFiles.flatMap(({ left }) => left),
      ...byProgram.flatMap((drift) => linesFor(drift, undefined)),
    ],
  };
}

/** Whether the next `up` changes no website and no pixel. What a refresh has taken into the state looks like the program's change. */
function isAsDeclared({ steps }: FinishedPreview, isSelected: IsSelected): boolean {
  return steps.every(({ op, oldState, newState }) => {
    const state = newState ?? oldState;
    const resource = state && resourceOfType(state.type);
    return op === "same" || resource === undefined || !isSelected(resource, state?.inputs?.[resource.key]);
  });
}

/** Prints the changes of files and the new file, or writes them. */
async function carryOut(
  changes: readonly Change[],
  { file: added }: NewRecords,
  project: Project,
  { options, folder, print }: AcceptRun,
): Promise<void> {
  if (!options.apply) {
    const all = added ? [...changes, { file: added.path, before: "", after: added.text }] : changes;
    for (const change of all) print(await diffOf(change, folder));
    return;
  }
  // Before the changes, which no later failure may leave alone.
  if (added) writeOrFail(added.path, added.text, "wx");
  try {
    writeChanges(changes, project.folder);
  } catch (error) {
    if (added) rmSync(added.path);
    throw error;
  }
  for (const { file } of changes) print(`${relative(folder, file)}: changed.\n`);
  if (added) print(`${relative(folder, added.path)}: written.\n`);
}

/**
 * Takes what someone changed on the service into the files that declare it. Without `--apply`, it prints the diff. Returns
 * whether all is done.
 */
export async function accept(run: AcceptRun): Promise<boolean> {
  const { options, print } = run;
  const project = await requireProject(run.folder);
  const { preview, sources } = await look(run);
  requireWhole(preview);
  const isSelected = selectionOf(options);
  const drifts = driftIn(preview).filter(({ resource, declared }) =>
    isSelected(resource, declared[resource.key]),
  );
  requireOneReader(drifts, sources);
  const { changes, left } = plan(drifts, sources, run);
  const added = await newRecords(run, preview, sources);

  await carryOut(changes, added, project, run);
  for (const line of [...left, ...added.left]) print(`${sanitize(line)}.\n`);
  const isDone = left.length + added.left.length === 0;
  const isPlan = !options.apply && (changes.length > 0 || added.file !== undefined);
  if (isDone && changes.length === 0 && added.file === undefined)
    print(
      isAsDeclared(preview, isSelected)
        ? "Nothing to accept: the service has what the program declares.\n"
        : 'Nothing to accept: what differs, the program or the state says so, and "pulumi preview" shows it.\n',
    );
  return isDone && !isPlan;
}
