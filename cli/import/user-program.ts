import { existsSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { pluginToken } from "../../provider/hosts/native/identity";
import { CommandFailure } from "../failure";
import { parseFile, property, readText } from "../pulumi/parse-file";
import { nearest, PROJECT_FILES, readProjectFile, upwards } from "../pulumi/project";
import type { ResourceForm } from "../pulumi/resource-forms";

/** The user's program, to which the records are added. */
export interface UserProgram {
  /** The folder it runs in, to which its imports are relative. */
  readonly folder: string;
  readonly language: "ts" | "js" | "python" | "pulumi-yaml";
  /** How its resources reach the provider, as its main file tells. */
  readonly form: ResourceForm;
  /** Its main file is an ES module. */
  readonly isModule: boolean;
  /** The extension of its own files, such as `.ts`. */
  readonly extension: string;
  /** The extension by which it imports a TypeScript file: none, the JavaScript's, or the file's own. */
  readonly suffix: "" | ".js" | ".ts";
}

/** Detects the program in this folder. Rejects with a `CommandFailure` if its files can't be read. */
export async function detectProgram(from: string): Promise<UserProgram> {
  const project = nearest(from, PROJECT_FILES);
  const { main, runtime } = project === undefined ? {} : await readProjectFile(project);
  const place = project === undefined ? from : resolve(dirname(project), main ?? ".");
  const isFolder = main === undefined || (statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false);
  const folder = isFolder ? place : dirname(place);
  const other = otherLanguage(runtime?.name, folder);
  if (other !== undefined) return other;
  const entry = isFolder ? entryFile(folder) : place;
  const kind = extname(entry ?? (runtime?.typescript === false ? "index.js" : "index.ts"));
  const language = kind.endsWith("ts") ? "ts" : "js";
  const isModule = isModuleFile(join(folder, `index${kind}`));
  const text = entry !== undefined && existsSync(entry) ? readText(entry) : "";
  const suffix = language === "ts" && isModule ? moduleSuffix(folder, text, runtime?.nodeargs) : "";
  return { folder, language, form: formIn(text), isModule, extension: kind, suffix };
}

/** The program of a project in another language, whose resources all reach the plugin. */
function otherLanguage(runtime: string | undefined, folder: string): UserProgram | undefined {
  if (runtime === undefined || runtime === "nodejs") return undefined;
  const plain = { folder, form: "native", isModule: false, suffix: "" } as const;
  if (runtime === "python") return { ...plain, language: "python", extension: ".py" };
  if (runtime === "yaml") return { ...plain, language: "pulumi-yaml", extension: ".yaml" };
  throw new CommandFailure(
    `This project is written for ${runtime}, in which this command writes no program`,
    `Run "pulumi import ${pluginToken("Website")} NAME ID" for each record, which prints it, or use --declared`,
  );
}

/** Whether Node.js runs a file of this name as an ES module. */
export function isModuleFile(file: string): boolean {
  if (/\.m[jt]s$/.test(file)) return true;
  if (/\.c[jt]s$/.test(file)) return false;
  const manifest = nearest(dirname(file), ["package.json"]);
  return manifest !== undefined && property(jsonIn(manifest), "type") === "module";
}

/** The file that Node.js runs in a folder: the one in package.json, or the first index file that exists. */
function entryFile(folder: string): string | undefined {
  const manifest = nearest(folder, ["package.json"]);
  const main = manifest === undefined ? undefined : mainOf(jsonIn(manifest));
  const compiled = existsSync(join(folder, "tsconfig.json")) && main !== undefined && dirname(main) !== ".";
  if (manifest !== undefined && main !== undefined && !compiled) {
    const file = resolve(dirname(manifest), main);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  }
  const kinds = compiled ? [".ts", ".mts"] : [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
  return kinds.map((kind) => join(folder, `index${kind}`)).find((file) => existsSync(file));
}

/** @param text of the program's main file */
function formIn(text: string): ResourceForm {
  return /["']pulumi-tracking\/native["']/.test(text) ? "native" : "dynamic";
}

function mainOf(manifest: unknown): string | undefined {
  const own = property(manifest, "exports");
  const root = typeof own === "string" ? own : property(own, ".");
  const main =
    typeof root === "object" && root !== null
      ? (property(root, "default") ?? property(root, "require") ?? property(root, "import"))
      : (root ?? property(manifest, "main"));
  return typeof main === "string" ? main : undefined;
}

/**
 * How one TypeScript module imports another depends on what runs it: as the main file already does; else with a
 * loader by the JavaScript's extension, and with Node.js alone by the file's own.
 *
 * @param text of the program's main file
 */
function moduleSuffix(folder: string, text: string, nodeargs = ""): ".js" | ".ts" {
  const [, used] = /\bfrom\s+["']\.{1,2}\/[^"']*(\.[jt]s)["']|\bimport\s+["']\.{1,2}\//.exec(text) ?? [];
  if (used === ".js" || used === ".ts") return used;
  const tsconfig = join(folder, "tsconfig.json");
  if (
    existsSync(tsconfig) &&
    /"(allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(readText(tsconfig))
  )
    return ".ts";
  const hasLoader = upwards(folder).some((each) =>
    existsSync(join(each, "node_modules", "ts-node", "esm.mjs")),
  );
  return hasLoader || /--(loader|import|require)\b/.test(nodeargs) ? ".js" : ".ts";
}

function jsonIn(file: string): unknown {
  return parseFile(file, JSON.parse);
}
