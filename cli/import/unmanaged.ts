import { existsSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { environmentName, type SettingsSource } from "../../provider/config";
import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord, IMPORT } from "../../provider/lifecycle/errors";
import { catalogue } from "../../provider/resources";
import { lackingArgument, type RemoteRecord } from "../../provider/schema/codec";
import { pick } from "../../provider/schema/compare";
import { format } from "../../provider/schema/format";
import { canonicalKey } from "../../provider/schema/identity";
import { noun, pluralName, type Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { NoStack } from "../pulumi/explain-failure";
import type { Deployment, StackResource } from "../pulumi/json-output";
import { isModuleFile, mainFile, usesPlugin } from "../pulumi/main-file";
import { previewProgram } from "../pulumi/preview";
import { type Project, requireProject } from "../pulumi/project";
import { settingsIn } from "../pulumi/stack";
import { allOf, countOf, recordsBy } from "../service-records";
import {
  AFTER_KILL,
  baseUrlFor,
  formOfStack,
  heldRecords,
  holders,
  placeOf,
  resourceOfType,
} from "../stack-records";
import { importDeclared } from "./declared";
import { createFilter } from "./filter";
import { importedState, toImportEntry } from "./import-entry";
import { freeName, writeNewFile } from "./new-file";
import { previewAfterImport } from "./preview-after-import";
import { importEntries } from "./pulumi-import";
import type { Format, ImportOptions, ImportRun } from "./run";
import { generateScript } from "./script";
import { uniqueNames, type WrittenRecord } from "./written-record";
import { generateYaml, unfitForYaml } from "./yaml";

/**
 * Imports every unmanaged record: under the program's names what it declares already, and for the others it writes a
 * program; without a stack, it only writes. A program that we generate is written before the import: the next `up` would
 * delete every record that is in state but not declared.
 */
export async function importUnmanaged(run: ImportRun): Promise<void> {
  const { options, folder } = run;
  const { print } = run.terminal;
  const { project, settings, creates, lists, ...read } = await readAll(run);
  let { deployment } = read;
  const language = formatFor(options, project);
  const isDeclared = [...lists].some(([resource, records]) => {
    const names = declaredNames(resource, creates);
    return records.some(({ values }) => names.has(canonicalKey(resource, values)));
  });
  // First, since it refuses while the stack has what the program does not declare.
  if (options.apply && isDeclared) {
    await importDeclared(run);
    deployment = await run.stack.deployment();
  }
  const selection = { isYaml: language === "yaml", options, print };
  const records = selectRecords(lists, deployment, creates, settings, selection);
  const wanted = resolve(folder, options.out ?? defaultOut(project, language));
  if (records.length === 0) {
    print("Nothing to import: the stack or the program has every matching record that can be imported.");
    if (options.apply) await previewAfterImport(run);
    return;
  }
  const form = formOfStack(deployment) ?? (usesPlugin(project) ? "native" : "dynamic");
  const resources = records.map(({ resource, name, id, state }) =>
    toImportEntry(resource, { name }, id, state, form),
  );
  // The engine writes programs in other languages, after the import.
  const out = language === undefined ? relative(folder, freeName(wanted)) : undefined;
  let missing = `what ${out} declares to the program.`;
  if (language !== undefined) {
    const isModule = isModuleFile(wanted);
    const text =
      language === "yaml"
        ? await generateYaml(records, wanted)
        : generateScript(records, { language, isModule, form });
    const file = writeNewFile(wanted, text);
    print(`${relative(folder, file)}: ${records.length} declared.`);
    missing = `this line to the program: ${importLineFor(project, file, language)}`;
  }
  if (!(await importEntries({ resources }, run, out))) return print(`Then add ${missing}`);
  print(`${records.length} imported.`);
  await previewAfterImport(run, missing);
}

/** Everything in the account, and the stack, if there is one. */
async function readAll(run: ImportRun) {
  const { options, stack, folder } = run;
  const { print } = run.terminal;
  const project = await requireProject(folder);
  const config = await stack.config().catch((error: unknown) => {
    if (!(error instanceof NoStack) || options.apply || stack.name !== undefined) throw error;
    print(`No stack was read, so every record counts as new. ${error.message}`);
  });
  const settings = settingsIn(config ?? {});
  if (options.apply) await stack.requireImportSupport();
  const service = recordsBy(settings, { warn: print, debug: print });
  const lists = new Map<Resource, readonly RemoteRecord[]>();
  for (const resource of kindsToImport(run, settings)) lists.set(resource, await allOf(resource, service));
  // The stack is read after the service: what a run creates meanwhile is in it, or among its pending operations.
  const deployment = config === undefined ? {} : await stack.deployment();
  if (deployment.pending_operations?.some((pending) => resourceOfType(pending.resource.type)))
    throw new CommandFailure(
      "Nothing is imported: a run has not ended, and the stack does not know yet which records it created",
      AFTER_KILL,
    );
  // A program that does not run yet may need the file that is to be written.
  const preview =
    config &&
    (await previewProgram(stack, true).catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) throw error;
    }));
  return { project, settings, deployment, creates: preview?.creates ?? [], lists };
}

/** The kinds of record to import. A service without an address is not used, unless none has one. */
function kindsToImport({ options: { only }, terminal }: ImportRun, settings: SettingsSource): Resource[] {
  const wanted = catalogue.filter((each) => only === undefined || pluralName(each) === only);
  const used = wanted.filter((each) => baseUrlFor(each, settings) !== undefined);
  if (used.length === 0) return wanted;
  for (const each of wanted.filter((kind) => !used.includes(kind))) {
    const name = `${each.service}BaseUrl`;
    terminal.print(
      `No ${noun(each)} is imported, because neither tracking:${name} nor ${environmentName(name)} is set.`,
    );
  }
  return used;
}

/** The names of the resources that the program declares and the stack lacks, by their canonical keys. */
function declaredNames(resource: Resource, creates: readonly StackResource[]) {
  const names = new Map<string | undefined, string>();
  for (const { type, urn, inputs = {} } of creates)
    if (resourceOfType(type) === resource)
      names.set(canonicalKey(resource, pick(resource, inputs)), parseUrn(urn).name);
  // A preview does not know every key.
  names.delete(undefined);
  return names;
}

/** Selects and names the records that the stack does not manage. Prints which ones are skipped. */
function selectRecords(
  lists: ReadonlyMap<Resource, readonly RemoteRecord[]>,
  deployment: Deployment,
  creates: readonly StackResource[],
  settings: SettingsSource,
  { isYaml, options, print }: { isYaml: boolean; options: ImportOptions; print: (line: string) => void },
): readonly WrittenRecord[] {
  const filter = createFilter(options);
  const managed = holders(heldRecords(deployment, settings));
  const nameFor = uniqueNames(
    [...(deployment.resources ?? []), ...creates].map(({ urn }) => parseUrn(urn).name),
  );
  const selected = [...lists].flatMap(([resource, records]) => {
    const baseUrl = baseUrlFor(resource, settings);
    const held = new Set(records.filter(({ id }) => managed.has(placeOf(resource, baseUrl, id))));
    const same = (id: string | undefined) =>
      `id ${id} has the same ${resource.key}, which a program can declare only once`;
    const owners = new Map([...held].map(({ values, id }) => [canonicalKey(resource, values), same(id)]));
    for (const [canonical, name] of declaredNames(resource, creates))
      if (!owners.has(canonical))
        owners.set(canonical, `the program declares it as "${name}"; to import it so, run "${IMPORT}"`);
    const chosen = records.flatMap((found) => {
      const { id, values } = found;
      const key = String(values[resource.key] ?? "");
      // Every record is tried, so that an unused pattern is one that matches nothing at all.
      if (!filter.matches(key) || held.has(found)) return [];
      const canonical = canonicalKey(resource, values);
      const why = whySkipped(resource, found, owners.get(canonical), isYaml);
      if (why !== undefined || id === undefined) {
        print(`${describeRecord({ resource, values, id })} is skipped: ${why}.`);
        return [];
      }
      owners.set(canonical, same(id));
      return [{ resource, id, name: nameFor(key), state: importedState(resource, found) }];
    });
    print(`${countOf(resource, chosen)} to import.`);
    return chosen;
  });
  filter.reportUnused(print);
  return selected;
}

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
  const kind = [extname(out), main].find((each) => /^\.([mc]?[jt]s|ya?ml)$/.test(each)) ?? "";
  const found = format ?? (/ml$/.test(kind) ? "yaml" : kind.endsWith("ts") ? "ts" : "js");
  if (found !== "ts" || main.endsWith("ts")) return found;
  throw new CommandFailure(
    "The program is in JavaScript, so it can't load a file in TypeScript",
    "Use --format js, and a name such as tracking.js for --out",
  );
}

/** The engine writes a whole program in the project's language. As a second one in the folder, it could break the build. */
function defaultOut(project: Project, format: Format | undefined): string {
  if (format === undefined) return "tracking_records.txt";
  const kind = extname(mainFile(project));
  return `tracking${kind.endsWith(format) ? kind : `.${format}`}`;
}

/** The line that adds a written file to the program's main file. */
export function importLineFor(project: Project, file: string, format: Format): string {
  const main = mainFile(project);
  const path = relative(dirname(main), file).split(sep).join("/");
  const isModule = isModuleFile(main);
  const requires = !main.endsWith("ts") && !isModule;
  if (format === "yaml") {
    const declares = `declareFrom(${JSON.stringify(path)});`;
    const loads = 'import { declareFrom } from "pulumi-tracking"; ';
    return requires ? `require("pulumi-tracking").${declares}` : loads + declares;
  }
  const specifier = path.startsWith("../") ? path : `./${path}`;
  if (requires) return `require(${JSON.stringify(specifier)});`;
  // Without a compiler, Node.js resolves an ES import only by the file's real extension.
  const isCompiled = [dirname(main), project.folder].some((each) => existsSync(join(each, "tsconfig.json")));
  const ending = !isModule ? "" : isCompiled ? ".$1js" : ".$1ts";
  return `import ${JSON.stringify(specifier.replace(/\.([mc]?)ts$/, ending))};`;
}
