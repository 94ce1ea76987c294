import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sanitize } from "../../provider/api/redact";
import { DECLARATIONS } from "../../provider/config";
import { format } from "../../provider/schema/format";
import { fieldOf, noun, pluralName } from "../../provider/schema/resource";
import type { Source } from "../../sdk/declarations/declare";
import { groupsBy } from "../alike";
import { createFilter } from "../patterns";
import { explainFailure } from "../pulumi/explain-failure";
import { type FinishedPreview, runPreview } from "../pulumi/preview";
import { withTemporaryFolder } from "../pulumi/process";
import { type Project, requireProject } from "../pulumi/project";
import { type Drift, driftIn } from "./drift";
import { type Change, diffOf, editOrFail, readText, writeChanges } from "./files";
import { newRecords } from "./new-records";
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

/** What is left for a person: a line, with its place. */
function lineFor({ resource, name, values, isDeleted }: Drift, place: string | undefined): string {
  const what = `${place === undefined ? "" : `${place}: `}${noun(resource)} "${name}"`;
  const where = place === undefined ? "in the program" : "there";
  if (isDeleted) {
    const way = place === undefined ? "remove it from the program" : "--deleted removes these lines";
    return `${what}: someone deleted it: ${way}, or "pulumi up" creates it again`;
  }
  const set = Object.entries(values).map(
    ([argument, value]) => `${argument}: ${format(fieldOf(resource, argument), value)}`,
  );
  return `${what}: set ${set.join(", ")} ${where}`;
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
  const open = drifts.filter((drift) => !edits.includes(drift) || edited.unfit.includes(drift));
  return { changes, left: open.map((drift) => lineFor(drift, edited.placeOf(drift))) };
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
    left: [...inFiles.flatMap(({ left }) => left), ...byProgram.map((drift) => lineFor(drift, undefined))],
  };
}

function selected(drifts: readonly Drift[], { options }: AcceptRun): Drift[] {
  const matches = createFilter(options);
  return drifts.filter(
    ({ resource, declared }) =>
      (options.only === undefined || pluralName(resource) === options.only) &&
      matches(String(declared[resource.key])),
  );
}

/** Prints the changes of files, or writes them. */
async function carryOut(changes: readonly Change[], project: Project, run: AcceptRun): Promise<void> {
  if (run.options.apply) writeChanges(changes, project.folder);
  for (const change of changes)
    if (run.options.apply) run.print(`${relative(run.folder, change.file)}: changed.\n`);
    else run.print(await diffOf(change, run.folder));
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
  const { changes, left } = plan(selected(driftIn(preview), run), sources, run);
  const added = await newRecords(run, preview, sources);

  await carryOut(changes, project, run);
  if (added.file !== undefined && options.apply) {
    writeFileSync(added.file.path, added.file.text, { flag: "wx" });
    print(`${relative(run.folder, added.file.path)}: written.\n`);
  } else if (added.file !== undefined)
    print(await diffOf({ file: added.file.path, before: "", after: added.file.text }, run.folder));
  for (const line of [...left, ...added.left]) print(`${sanitize(line)}.\n`);
  const isDone = left.length + added.left.length === 0;
  const isPlan = !options.apply && (changes.length > 0 || added.file !== undefined);
  if (isDone && changes.length === 0 && added.file === undefined)
    print("Nothing to accept: the service has what the program declares.\n");
  return isDone && !isPlan;
}
