import { dirname, relative, resolve } from "node:path";
import { catalogue } from "../../provider/resources";
import { canonicalKey } from "../../provider/schema/identity";
import { noun, pluralName } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";
import { ChangedFiles } from "../../sdk/declarations/changed-files";
import type { Source } from "../../sdk/declarations/declare";
import type { TextFile } from "../../sdk/declarations/document";
import { idOf } from "../../sdk/declarations/edit";
import { countOf, groupsBy } from "../alike";
import { survey } from "../import/survey";
import { unmanagedRows } from "../import/unmanaged-rows";
import { byDomain, type WrittenRecord } from "../import/written-record";
import { generateYaml } from "../import/yaml";
import { baseUrlFor, placeOf, providersIn, providerUrn, resourceOfType, scopedId } from "../look/held";
import { recordsBy } from "../look/service";
import { freeName } from "../new-file";
import { selectionOf } from "../patterns";
import type { FinishedPreview } from "../pulumi/preview";
import { settingsIn } from "../pulumi/stack";
import { shellQuote } from "../shell-quote";
import { declaredIn, editOrFail, readText } from "./files";
import type { AcceptRun } from "./run";

/** Records that nothing declares: a file for them, and what is left to do. */
export interface NewRecords {
  readonly file?: { readonly path: string; readonly text: string };
  readonly left: readonly string[];
}

const IMPORT = 'run "npx pulumi-tracking import --declared --apply" before the next "pulumi up"';

/** The files that are read with a new one: those of its folder, since `declareFrom` reads a whole folder, else of any. */
function filesBeside(file: string, sources: readonly Source[]): TextFile[] {
  const groups = groupsBy(sources, ({ files }) => JSON.stringify(files)).map(([{ files }]) => files);
  const others = groups.find((files) => files.some((each) => dirname(each) === dirname(file))) ?? groups[0];
  return (others ?? []).filter((each) => each !== file).map((each) => ({ file: each, text: readText(each) }));
}

/** A file of the importer, with what the defaults of the other files would change; and what is declared then. */
function withDefaults(file: TextFile, records: readonly WrittenRecord[], others: readonly TextFile[]) {
  const before = declaredIn([...others, file]);
  const edits = records.map((record) => {
    const { resource, name, state } = record;
    const { values: inherited = {} } = before.get(idOf(record)) ?? {};
    const values = Object.entries(resource.inputs).flatMap(([input, { clearsTo, writeOnly, secret }]) => {
      if (state[input] !== undefined) return [[input, state[input]]];
      // A list that the service shows as empty is not in the file, and so the defaults would fill it.
      return inherited[input] === undefined || writeOnly || secret ? [] : [[input, clearsTo]];
    });
    return { resource, name, values: Object.fromEntries(values) };
  });
  const { texts } = editOrFail([...others, file], edits);
  return { text: texts.at(-1)?.text ?? file.text, declared: declaredIn(texts) };
}

/** What the service does not show of new records, so that no file can say it. */
function unseenOf(records: readonly WrittenRecord[], declared: ReturnType<typeof declaredIn>): string[] {
  const unseen = records.map((record) => {
    const { resource, state } = record;
    const { values = {} } = declared.get(idOf(record)) ?? {};
    const inherited = Object.keys(values).filter((input) => {
      const field = resource.inputs[input];
      return (field?.writeOnly || field?.secret) && !(input in state);
    });
    const { mistakes } = validateResource(resource, {}, values);
    const missing = mistakes.filter(({ argument }) => resource.inputs[argument]?.secret);
    return { resource, record, inherited, missing: missing.map(({ argument }) => argument) };
  });
  const nameOf = (group: readonly (typeof unseen)[number][]) => {
    const [{ resource, record }] = group as [(typeof unseen)[number]];
    return group.length === 1 ? `${noun(resource)} "${record.name}"` : countOf(resource, group);
  };
  const inheriting = unseen.filter(({ inherited }) => inherited.length > 0);
  const groups = groupsBy(inheriting, ({ resource, inherited }) =>
    JSON.stringify([resource.type, inherited]),
  );
  return [
    ...groups.map(
      (group) =>
        `${nameOf(group)}: "pulumi up" sets ${group[0].inherited.join(" and ")} of the defaults, which the service does not show`,
    ),
    ...unseen.flatMap((each) =>
      each.missing.map(
        (argument) =>
          `${nameOf([each])}: until it is imported, a preview needs "${argument}: { config: NAME }" there`,
      ),
    ),
  ];
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
  const path = freeName(resolve(run.folder, out));
  const others = filesBeside(path, sources);
  const usedLists = new ChangedFiles(others, catalogue).listNames();
  const written = await generateYaml(records, path, [], usedLists);
  const { text, declared } = withDefaults({ file: path, text: written }, records, others);
  const name = relative(run.folder, path);
  const isRead = sources.some(({ folders }) => folders.includes(dirname(path)));
  return {
    file: { path, text },
    left: [
      ...left,
      ...unseenOf(records, declared).map((line) => `${name}: ${line}`),
      `${name} is new: ${isRead ? "" : "have declareFrom read it, and "}${IMPORT}`,
    ],
  };
}

/** Says how many there are in the stack's own account. */
async function count(run: AcceptRun, { steps }: FinishedPreview): Promise<NewRecords> {
  const { stack, options } = run;
  const settings = settingsIn(await stack.config());
  const records = recordsBy(settings, { warn: run.notify, debug: run.notify });
  const states = steps.flatMap(({ oldState, newState }) => [oldState ?? [], newState ?? []].flat());
  const { explicit } = providersIn({ resources: states });
  const [ids, keys] = [new Set<string>(), new Set<string>()];
  for (const state of states) {
    const resource = resourceOfType(state.type);
    if (resource === undefined) continue;
    // Two installations, as of two customers, may both have the id 7.
    const baseUrl = baseUrlFor(resource, explicit.get(providerUrn(state)) ?? settings);
    ids.add(placeOf({ resource, baseUrl, id: state.id }));
    keys.add(scopedId(resource, baseUrl, canonicalKey(resource, state.inputs ?? {})));
  }
  const isSelected = selectionOf(options);
  // Without a request for a kind that is not selected.
  const kinds = catalogue.filter(
    (resource) => baseUrlFor(resource, settings) !== undefined && isSelected(resource, undefined),
  );
  const left: string[] = [];
  for (const resource of kinds) {
    const list = await records.list(resource);
    const baseUrl = baseUrlFor(resource, settings);
    const found = list.records.filter(
      ({ id, values }) =>
        !ids.has(placeOf({ resource, baseUrl, id })) &&
        !keys.has(scopedId(resource, baseUrl, canonicalKey(resource, values))) &&
        isSelected(resource, values[resource.key]),
    );
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

/** What someone made on the service. */
export function newRecords(
  run: AcceptRun,
  preview: FinishedPreview,
  sources: readonly Source[],
): Promise<NewRecords> {
  const { new: out } = run.options;
  return out === undefined ? count(run, preview) : write(run, out, sources);
}
