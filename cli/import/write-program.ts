import { existsSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import type { RemoteRecord } from "../../provider/schema/codec";
import { noun, type Resource } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import { formOfStack, type ResourceForm } from "../look/held";
import { freeName, writeNewFile } from "../new-file";
import { isModuleFile, mainFile, type Project, usesPlugin } from "../pulumi/project";
import { shellQuote } from "../shell-quote";
import { toImportEntry } from "./import-entry";
import type { Format, ImportOptions, ImportRun } from "./run";
import { entryOf, generateScript } from "./script";
import type { Survey } from "./survey";
import type { WrittenRecord } from "./written-record";
import { generateYaml } from "./yaml";

/** The engine writes a whole program. As a second `main.go` in the folder it would break the build, so it becomes a `.txt`. */
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
  const isCompiled = [dirname(main), project.folder].some((place) =>
    existsSync(join(place, "tsconfig.json")),
  );
  const ending = !isModule ? "" : isCompiled ? ".$1js" : ".$1ts";
  return `import ${JSON.stringify(specifier.replace(/\.([mc]?)ts$/, ending))};`;
}

/** The arguments of a resource that its service does not show, of any record: `excludeParams`. */
function unshown([resource, records]: readonly [Resource, readonly RemoteRecord[]]): string[] {
  const isSent = (name: string) => records.some(({ values }) => values[name] !== undefined);
  return Object.entries(resource.inputs)
    .filter(
      ([name, { required, secret, default: stated }]) =>
        !required && !secret && stated === undefined && !isSent(name),
    )
    .map(
      ([name]) =>
        `The service does not show the ${name} of a ${noun(resource)}: one that you write here replaces it.`,
    );
}

/**
 * Writes the program for records. Returns what to do with it, as the end of a sentence: `add the line import "./tracking"; to
 * index.ts`.
 */
export async function writeProgram(
  { options, folder, print }: ImportRun,
  { project, lists, deployment }: Survey,
  records: readonly WrittenRecord[],
  language: Format,
): Promise<string> {
  const path = resolve(folder, options.out ?? defaultOut(project, language));
  const form = formOfStack(deployment) ?? (usesPlugin(project) ? "native" : "dynamic");
  const remarks = [...lists]
    .filter(([resource]) => records.some((each) => each.resource === resource))
    .flatMap(unshown);
  const style = {
    language: language === "ts" ? language : "js",
    isModule: isModuleFile(path),
    form,
  } as const;
  const text =
    language === "yaml"
      ? await generateYaml(records, path, remarks)
      : generateScript(records, style, remarks);
  const file = writeNewFile(path, text);
  print(`${relative(folder, file)}: ${records.length} declared.`);
  for (const remark of remarks) print(remark);
  const main = relative(folder, mainFile(project));
  const place = existsSync(mainFile(project)) ? main : `a new file ${main}`;
  return `add the line ${importLineFor(project, file, language, form)} to ${place}`;
}

/**
 * Writes the file for the engine's own import, in other languages: the engine writes their programs. Returns what to do with it,
 * likewise.
 */
export function writeImportFile(
  { options, folder, stack }: ImportRun,
  project: Project,
  records: readonly WrittenRecord[],
): string {
  const resources = records.map(({ resource, name, state, ...record }) =>
    toImportEntry(resource, { name }, record, state, "native"),
  );
  const text = `${JSON.stringify({ resources }, undefined, 2)}\n`;
  const file = relative(folder, writeNewFile(resolve(folder, options.file ?? "tracking-import.json"), text));
  const out = relative(folder, freeName(resolve(folder, options.out ?? defaultOut(project, undefined))));
  const ofStack = stack.name === undefined ? [] : ["--stack", stack.name];
  const command = ["import", "--file", file, "--out", out, ...ofStack].map(shellQuote).join(" ");
  return `run "pulumi ${command}", and add what ${out} then declares to the program`;
}

/** Returns `--format`, or what the extension of `--out` or of the main file says; undefined if the engine writes the program. */
export function formatFor({ format, file, out = "" }: ImportOptions, project: Project): Format | undefined {
  const { name } = project.runtime;
  if (name === "nodejs" && file !== undefined)
    throw new CommandFailure(
      "--file is for programs in other languages, whose code Pulumi writes",
      "Omit it: with --apply, this imports what the program declares",
    );
  if (name !== "nodejs") {
    if (format === undefined) return undefined;
    throw new CommandFailure(
      `--format ${format} is for programs for Node.js, and this project's runtime is ${name}`,
      "Omit it, and the program is written in the project's own language",
    );
  }
  const main = extname(mainFile(project));
  const extension = [extname(out), main].find((name) => /^\.([mc]?[jt]s|ya?ml)$/.test(name)) ?? "";
  const found = format ?? (/ml$/.test(extension) ? "yaml" : extension.endsWith("ts") ? "ts" : "js");
  if (found !== "ts" || main.endsWith("ts")) return found;
  throw new CommandFailure(
    "The program is in JavaScript, so it can't load a file in TypeScript",
    "Use --format js, and a name such as tracking.js for --out",
  );
}
