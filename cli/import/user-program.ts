import { existsSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { parseFile, property, readText } from "../pulumi/parse-file";
import { nearest, PROJECT_FILES, readProjectFile } from "../pulumi/project";
import type { ResourceForm } from "../pulumi/resource-forms";
import type { Format } from "./options";

/** The user's program for Node.js, to which a file is added. */
export interface UserProgram {
  /** The folder it runs in, to which its imports are relative. */
  readonly folder: string;
  /** The extension of its main file, such as `.ts`. */
  readonly extension: string;
  /** Its main file is an ES module. */
  readonly isModule: boolean;
  /** How its resources reach the provider, according to its main file. */
  readonly form: ResourceForm;
  /** Its runtime according to Pulumi.yaml, if that is not Node.js. */
  readonly otherRuntime?: string;
}

/** Finds the program of the project in this folder. Rejects with a `CommandFailure` if its files can't be read. */
export async function findProgram(from: string): Promise<UserProgram> {
  const project = nearest(from, PROJECT_FILES);
  const { main, runtime } = project === undefined ? {} : await readProjectFile(project);
  const place = project === undefined ? from : resolve(dirname(project), main ?? ".");
  const isFolder = main === undefined || (statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false);
  const folder = isFolder ? place : dirname(place);
  if (runtime?.name !== undefined && runtime.name !== "nodejs")
    return { folder, extension: "", isModule: false, form: "native", otherRuntime: runtime.name };
  const entry = isFolder ? entryFile(folder) : place;
  const extension = extname(entry ?? (runtime?.typescript === false ? "index.js" : "index.ts"));
  const text = entry !== undefined && existsSync(entry) ? readText(entry) : "";
  return {
    folder,
    extension,
    isModule: isModuleFile(join(folder, `index${extension}`)),
    form: /["']pulumi-tracking\/native["']/.test(text) ? "native" : "dynamic",
  };
}

/** Whether Node.js runs a file of this name as an ES module. */
export function isModuleFile(file: string): boolean {
  if (/\.[mc][jt]s$/.test(file)) return /\.m/.test(extname(file));
  const manifest = nearest(dirname(file), ["package.json"]);
  return manifest !== undefined && property(parseFile(manifest, JSON.parse), "type") === "module";
}

/** The sources that Node.js runs in a folder: what package.json names, or an index file. */
function entryFile(folder: string): string | undefined {
  const manifest = nearest(folder, ["package.json"]);
  const main = manifest === undefined ? undefined : property(parseFile(manifest, JSON.parse), "main");
  const isCompiled = existsSync(join(folder, "tsconfig.json"));
  const named = manifest !== undefined && typeof main === "string" ? [resolve(dirname(manifest), main)] : [];
  const sources = [".ts", ".mts", ".cts"].map((kind) => join(folder, `index${kind}`));
  const scripts = [".js", ".mjs", ".cjs"].map((kind) => join(folder, `index${kind}`));
  const places = isCompiled ? [...sources, ...named, ...scripts] : [...named, ...scripts, ...sources];
  return places.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** The line that adds a written file to the program's main file. */
export function importLineFor(program: UserProgram, out: string, format: Format): string {
  const path = relative(program.folder, resolve(out)).split(sep).join("/");
  if (format === "yaml") return `tracking.declareFrom(${JSON.stringify(path)});`;
  const specifier = path.startsWith("../") || isAbsolute(path) ? path : `./${path}`;
  const isTypeScript = program.extension.endsWith("ts");
  if (!isTypeScript && !program.isModule) return `require(${JSON.stringify(specifier)});`;
  const ending = !program.isModule ? "" : keepsExtensions(program.folder) ? ".$1ts" : ".$1js";
  return `import ${JSON.stringify(specifier.replace(/\.([mc]?)ts$/, ending))};`;
}

/** Whether TypeScript modules import each other by the files' own names, as Node.js without a loader needs it. */
function keepsExtensions(folder: string): boolean {
  const tsconfig = join(folder, "tsconfig.json");
  return (
    !existsSync(tsconfig) || /"(allowImporting|rewriteRelativeImport)\w+"\s*:\s*true/.test(readText(tsconfig))
  );
}
