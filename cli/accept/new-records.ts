import { dirname, relative, resolve } from "node:path";
import { catalogue } from "../../provider/resources";
import { noun, pluralName, type Resource } from "../../provider/schema/resource";
import type { Source } from "../../sdk/declarations/declare";
import { countOf, groupsBy } from "../alike";
import { survey } from "../import/survey";
import { unmanagedRows } from "../import/unmanaged-rows";
import { byDomain, type WrittenRecord } from "../import/written-record";
import { generateYaml } from "../import/yaml";
import { baseUrlFor, resourceOfType } from "../look/held";
import { recordsBy } from "../look/service";
import { freeName } from "../new-file";
import { selectionOf } from "../patterns";
import type { FinishedPreview } from "../pulumi/preview";
import { settingsIn } from "../pulumi/stack";
import { shellQuote } from "../shell-quote";
import { editOrFail, readText } from "./files";
import type { AcceptRun } from "./run";

/** Records that nothing declares: a file for them, and what is left to do. */
export interface NewRecords {
  readonly file?: { readonly path: string; readonly text: string };
  readonly left: readonly string[];
}

const IMPORT = 'run "npx pulumi-tracking import --declared --apply" before the next "pulumi up"';

/**
 * The importer's file, with what the defaults of the other files would change: those of its folder, since `declareFrom` reads a
 * whole folder, else of any.
 */
function besideOthers(
  text: string,
  file: string,
  records: readonly WrittenRecord[],
  sources: readonly Source[],
) {
  const groups = groupsBy(sources, ({ files }) => JSON.stringify(files)).map(([{ files }]) => files);
  const others = groups.find((files) => files.some((each) => dirname(each) === dirname(file))) ?? groups[0];
  if (others === undefined) return text;
  const all = [...others.filter((each) => each !== file), file];
  const texts = all.map((each) => ({ file: each, text: each === file ? text : readText(each) }));
  const edits = records.map(({ resource, name, state }) => {
    const shown = Object.keys(resource.inputs).filter((input) => !resource.inputs[input]?.secret);
    return { resource, name, values: Object.fromEntries(shown.map((input) => [input, state[input]])) };
  });
  return editOrFail(texts, edits).texts.at(-1)?.text ?? text;
}

/** Has the importer write them. */
async function write(run: AcceptRun, out: string, sources: readonly Source[]): Promise<NewRecords> {
  const { apply: _, deleted: _deleted, new: _new, ...selection } = run.options;
  const options = { ...selection, format: "yaml" } as const;
  const surveyed = await survey({ ...run, options, print: run.notify });
  const rows = unmanagedRows(surveyed, { isSelected: selectionOf(options), isYaml: true });
  const records = byDomain(rows.flatMap((row) => row.written ?? []));
  const left = rows.flatMap(({ text, isUsual, written }) =>
    isUsual || written ? [] : text.replace(/\.$/, ""),
  );
  if (records.length === 0) return { left };
  const wanted = resolve(run.folder, out);
  const path = freeName(wanted);
  const text = besideOthers(await generateYaml(records, path), path, records, sources);
  const name = relative(run.folder, path);
  return {
    file: { path, text },
    left: [...left, `${name} is new: have declareFrom read it, and ${IMPORT}`],
  };
}

/** Says how many there are in the stack's own account. */
async function count(run: AcceptRun, { steps }: FinishedPreview): Promise<NewRecords> {
  const { stack, options } = run;
  const settings = settingsIn(await stack.config());
  const records = recordsBy(settings, { warn: run.notify, debug: run.notify });
  const known = new Set(
    steps.flatMap(({ oldState, newState }) =>
      [oldState, newState].flatMap((state) => {
        const resource = state && resourceOfType(state.type);
        return resource ? [`${resource.type} ${state.id}`, keyOf(resource, state.inputs)] : [];
      }),
    ),
  );
  const isSelected = selectionOf(options);
  const isUnknown = (resource: Resource, id: string | undefined, values: Readonly<Record<string, unknown>>) =>
    !known.has(`${resource.type} ${id}`) &&
    !known.has(keyOf(resource, values)) &&
    isSelected(resource, values[resource.key]);
  // By its kind alone.
  const kinds = catalogue.filter(
    (resource) => baseUrlFor(resource, settings) !== undefined && isSelected(resource, undefined),
  );
  const left: string[] = [];
  for (const resource of kinds) {
    const list = await records.list(resource);
    const found = list.records.filter(({ id, values }) => isUnknown(resource, id, values));
    if (found.length === 0) continue;
    const [first] = found;
    const only = `--only ${pluralName(resource)}`;
    const one = found.length === 1 ? ` --match ${shellQuote(String(first?.values[resource.key]))}` : "";
    const names =
      found.length === 1
        ? `${noun(resource)} ${JSON.stringify(first?.values[resource.key])} is`
        : `${countOf(resource, found)} are`;
    left.push(
      `${names} in no program of this stack: give --new FILE.yaml, or run "npx pulumi-tracking import --format yaml ${only}${one} --out FILE.yaml"`,
    );
  }
  return { left };
}

function keyOf(resource: Resource, values: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify([resource.type, values[resource.key]]);
}

/** What someone made on the service. */
export function newRecords(
  run: AcceptRun,
  preview: FinishedPreview,
  sources: readonly Source[],
): Promise<NewRecords> {
  const { new: out } = run.options;
  return out === undefined ? count(run, preview) : write(run, out, sources);
}
