import { existsSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord, IMPORT } from "../../provider/lifecycle/errors";
import { catalogue } from "../../provider/resources";
import { lackingArgument, type RemoteRecord } from "../../provider/schema/codec";
import { canonicalKey } from "../../provider/schema/identity";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { Patterns } from "../patterns";
import { NoStack } from "../pulumi/explain-failure";
import { isModuleFile, mainFile } from "../pulumi/main-file";
import { type Project, pluginPlace, requireProject } from "../pulumi/project";
import { settingsIn } from "../pulumi/stack";
import { allOf, countOf, recordsBy } from "../service-records";
import { shellQuote } from "../shell-quote";
import { baseUrlFor, formOfStack, heldRecords, holders, placeOf } from "../stack-records";
import { importPlanned } from "./declared";
import { importedState, toImportEntry } from "./import-entry";
import { freeName, writeNewFile } from "./new-file";
import { importEntries } from "./pulumi-import";
import type { Format, ImportOptions, ImportRun } from "./run";
import { generateScript } from "./script";
import { uniqueNames, type WrittenRecord } from "./written-record";
import { generateYaml } from "./yaml";

/**
 * Imports what the program declares, and writes a program for every other record that the stack does not manage; without
 * a stack, for every record. These are imported when the program declares them, because a resource that is in state but
 * not declared is deleted by the next `up`. Only in other languages, of which the engine writes the program, they are
 * imported first.
 */
export async function importUnmanaged(run: ImportRun): Promise<void> {
  const { options, folder, stack, terminal } = run;
  const { print } = terminal;
  const { project, settings, service, deployment, lists } = await readAll(run);
  const language = formatFor(options, project);
  const declared = deployment && (await importPlanned(run, settings, service));
  const held = holders(heldRecords(deployment ?? {}, settings));
  const isManaged = (resource: Resource, id: string | undefined) => {
    const place = placeOf(resource, baseUrlFor(resource, settings), id);
    return held.has(place) || declared?.places.has(place) === true;
  };
  const taken = [...(deployment?.resources ?? []), ...(declared?.planned ?? [])];
  const nameFor = uniqueNames(taken.map(({ urn }) => parseUrn(urn).name));
  const records = selectRecords(lists, isManaged, nameFor, run);
  if (records.length === 0)
    return print("Nothing is left to import: the stack or the program has every matching record.");
  const usesPlugin = project.runtime.name !== "nodejs" || pluginPlace(project) !== undefined;
  const form = formOfStack({ resources: taken }) ?? (usesPlugin ? "native" : "dynamic");
  const wanted = resolve(folder, options.out ?? defaultOut(project, language));
  if (language === undefined) {
    const resources = records.map(({ resource, name, id, state }) =>
      toImportEntry(resource, { name }, id, state, form),
    );
    const out = relative(folder, freeName(wanted));
    if (await importEntries({ resources }, run, out)) print(`${records.length} imported.`);
    return print(`Then add what ${out} declares to the program: until then, "pulumi preview" fails.`);
  }
  const isModule = isModuleFile(wanted);
  const text =
    language === "yaml"
      ? await generateYaml(records, wanted)
      : generateScript(records, { language, isModule, form });
  const file = writeNewFile(wanted, text);
  print(`${relative(folder, file)}: ${records.length} declared.`);
  print(`Add this line to the program: ${importLineFor(project, file, language)}`);
  const ofStack = stack.name === undefined ? "" : ` --stack ${shellQuote(stack.name)}`;
  print(`Then run: ${IMPORT}${ofStack}`);
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
  const service = recordsBy(settings, print);
  const lists = new Map<Resource, readonly RemoteRecord[]>();
  const wanted = catalogue.filter((each) => options.only === undefined || pluralName(each) === options.only);
  // A service without an address is not used, unless none has one: then the failure names the setting.
  const used = wanted.filter((each) => baseUrlFor(each, settings) !== undefined);
  for (const resource of used.length > 0 ? used : wanted) lists.set(resource, await allOf(resource, service));
  // The stack is read after the service, so that what a run creates meanwhile is in it.
  const deployment = config && (await stack.deployment());
  return { project, settings, service, deployment, lists };
}

/** Whether a record with this domain or name is wanted. Throws a `CommandFailure` if a pattern is invalid. */
export function createFilter({ match, exclude = [], from }: ImportOptions): (key: string) => boolean {
  const included = new Patterns("--match", match ?? [], from);
  const excluded = new Patterns("--exclude", exclude);
  const isOpen = match === undefined && from === undefined;
  return (key) => (isOpen || included.match(key)) && !excluded.match(key);
}

/** Selects and names the records that no resource manages. Prints which ones are skipped. */
function selectRecords(
  lists: ReadonlyMap<Resource, readonly RemoteRecord[]>,
  isManaged: (resource: Resource, id: string | undefined) => boolean,
  nameFor: (key: string) => string,
  { options, terminal: { print } }: ImportRun,
): readonly WrittenRecord[] {
  const isWanted = createFilter(options);
  const keyOf = (resource: Resource, { values }: RemoteRecord) => String(values[resource.key] ?? "");
  const wanted = [...lists].map(
    ([resource, records]) => [resource, records.filter((each) => isWanted(keyOf(resource, each)))] as const,
  );
  const isSelecting = options.match !== undefined || options.from !== undefined;
  if (isSelecting && wanted.every(([, { length }]) => length === 0))
    throw new CommandFailure(
      "Nothing to import: no record matches --match or --from",
      "Give domains and names as the service shows them; * matches any text",
    );
  return wanted.flatMap(([resource, records]) => {
    const held = new Set(records.filter(({ id }) => isManaged(resource, id)));
    const owners = new Map([...held].map(({ values, id }) => [canonicalKey(resource, values), id]));
    const chosen = records.flatMap((found) => {
      const { id, values } = found;
      if (held.has(found)) return [];
      const canonical = canonicalKey(resource, values);
      const why = whySkipped(resource, found, owners.get(canonical));
      if (why !== undefined || id === undefined) {
        print(`${describeRecord({ resource, values, id })} is skipped: ${why}.`);
        return [];
      }
      owners.set(canonical, id);
      return [{ resource, id, name: nameFor(keyOf(resource, found)), state: importedState(resource, found) }];
    });
    print(`${countOf(resource, chosen)} to import.`);
    return chosen;
  });
}

/** Why a program can't declare a record. */
function whySkipped(resource: Resource, found: RemoteRecord, owner: string | undefined): string | undefined {
  const lacking = found.id === undefined ? "id" : lackingArgument(resource, found);
  if (lacking !== undefined) return `the service sent no ${lacking} for it`;
  return owner && `id ${owner} has the same ${resource.key}, which a program can declare only once`;
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
