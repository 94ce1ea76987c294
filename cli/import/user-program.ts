import { existsSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CommandFailure } from "../failure";
import { PROJECT_FILES, upwards } from "../pulumi/project";
import { readText } from "./text-file";

/** The forms in which records are written. */
export const formats = ["ts", "js", "yaml"] as const;
export type Format = (typeof formats)[number];

/** The program that is to take the records. */
export interface UserProgram {
  /** Where it runs, from which it names files. */
  readonly folder: string;
  readonly language: "ts" | "js";
  /** Its main file is an ES module. */
  readonly isModule: boolean;
  /** Of files of its own kind. */
  readonly extension: string;
  /** How it names a TypeScript file beside it: without an extension, by that of the JavaScript, or by its own. */
  readonly suffix: "" | ".js" | ".ts";
}

/** What the program in this folder is. Rejects with a `CommandFailure` where its files can't be read. */
export async function detectProgram(from: string): Promise<UserProgram> {
  const project = nearest(from, PROJECT_FILES);
  const { main, runtime } = project === undefined ? {} : await readProjectFile(project);
  const place = project === undefined ? from : resolve(dirname(project), main ?? ".");
  const isFolder = main === undefined || (statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false);
  const folder = isFolder ? place : dirname(place);
  const entry = isFolder ? entryFile(folder) : place;
  const kind = extname(entry ?? (runtime?.typescript === false ? "index.js" : "index.ts"));
  const language = kind.endsWith("ts") ? "ts" : "js";
  const isModule = isModuleFile(join(folder, `index${kind}`));
  const suffix = language === "ts" && isModule ? moduleSuffix(folder, entry, runtime?.nodeargs) : "";
  return { folder, language, isModule, extension: kind, suffix };
}

/** Whether Node.js takes a file of this name for an ES module. */
export function isModuleFile(file: string): boolean {
  if (/\.m[jt]s$/.test(file)) return true;
  if (/\.c[jt]s$/.test(file)) return false;
  const manifest = nearest(dirname(file), ["package.json"]);
  return manifest !== undefined && property(jsonIn(manifest), "type") === "module";
}

/** The line that takes a written file into the program, as the program's main file has to say it. */
export function importLineFor(program: UserProgram, out: string, format: Format): string {
  const path = relative(program.folder, resolve(out)).split(sep).join("/");
  if (format === "yaml") return `tracking.declareFrom(${JSON.stringify(path)});`;
  const near = path.startsWith("../") || isAbsolute(path) ? path : `./${path}`;
  if (program.language === "js" && !program.isModule) return `require(${JSON.stringify(near)});`;
  const named = { "": "", ".js": ".$1js", ".ts": ".$1ts" }[program.suffix];
  return `import ${JSON.stringify(near.replace(/\.([mc]?)ts$/, named))};`;
}

/** The file that Node.js runs in a folder: as package.json says, or the first of those that there are. */
function entryFile(folder: string): string | undefined {
  const manifest = nearest(folder, ["package.json"]);
  const told = manifest === undefined ? undefined : mainOf(jsonIn(manifest));
  const compiled = existsSync(join(folder, "tsconfig.json")) && told !== undefined && dirname(told) !== ".";
  if (manifest !== undefined && told !== undefined && !compiled) {
    const file = resolve(dirname(manifest), told);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  }
  const kinds = compiled ? [".ts", ".mts"] : [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
  return kinds.map((kind) => join(folder, `index${kind}`)).find((file) => existsSync(file));
}

function mainOf(manifest: unknown): string | undefined {
  const own = property(manifest, "exports");
  const root = typeof own === "string" ? own : property(own, ".");
  const told =
    typeof root === "object" && root !== null
      ? (property(root, "default") ?? property(root, "require") ?? property(root, "import"))
      : (root ?? property(manifest, "main"));
  return typeof told === "string" ? told : undefined;
}

/**
 * How one TypeScript module names another depends on what runs it. What the main file does is right; else a loader
 * wants the name of the JavaScript, and Node.js by itself the file's own.
 */
function moduleSuffix(folder: string, entry: string | undefined, nodeargs = ""): ".js" | ".ts" {
  const text = entry !== undefined && existsSync(entry) ? readText(entry) : "";
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

async function readProjectFile(
  file: string,
): Promise<{ main?: string; runtime?: { typescript?: boolean; nodeargs?: string } }> {
  const { parse } = await import("yaml");
  const project: unknown = parsed(file, parse);
  const main = property(project, "main");
  const options = property(property(project, "runtime"), "options");
  const [typescript, nodeargs] = [property(options, "typescript"), property(options, "nodeargs")];
  return {
    ...(typeof main === "string" && main !== "" && { main }),
    runtime: {
      ...(typeof typescript === "boolean" && { typescript }),
      ...(typeof nodeargs === "string" && { nodeargs }),
    },
  };
}

function jsonIn(file: string): unknown {
  return parsed(file, JSON.parse);
}

function parsed(file: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(readText(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new CommandFailure(`${file} can't be read: ${reason}`, "Correct it, and run this again.");
  }
}

/** The nearest of these files in the folder or above it. */
function nearest(from: string, names: readonly string[]): string | undefined {
  return upwards(resolve(from))
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}

function property(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null ? Reflect.get(object, name) : undefined;
}
