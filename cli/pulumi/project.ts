import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { CommandFailure } from "../failure";
import { NoStack } from "./explain-failure";

/** A project's file, as far as it is read here. */
const projectFile = z.object({
  name: z.string().default(""),
  main: z.string().nullish(),
  runtime: z.union([
    z.string().transform((name) => ({ name, options: undefined })),
    z.object({ name: z.string(), options: z.object({ typescript: z.boolean().optional() }).nullish() }),
  ]),
  plugins: z
    .object({ providers: z.array(z.object({ name: z.string(), path: z.string() }).partial()).nullish() })
    .nullish(),
});

/** The Pulumi project that a folder is in. */
export interface Project extends Readonly<z.infer<typeof projectFile>> {
  /** Its file, such as `Pulumi.yaml`. */
  readonly file: string;
  readonly folder: string;
}

/** The folder in which the project's file says that the plugin is. */
function pluginFolder({ plugins }: Project): string | undefined {
  return plugins?.providers?.find(({ name }) => name === "tracking")?.path;
}

/** The nearest of these files in a folder or above it. */
export function nearest(from: string, names: readonly string[]): string | undefined {
  const folder = resolve(from);
  const file = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  return file ?? (dirname(folder) === folder ? undefined : nearest(dirname(folder), names));
}

/** Parses a file, without the byte order mark that some editors write. Throws a `CommandFailure` if it can't be read. */
export function parseFile<T>(file: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    // An error of YAML goes on with the lines around it.
    const [line] = String(error instanceof Error ? error.message : error).split("\n");
    const reason = error instanceof z.ZodError ? z.prettifyError(error).replaceAll("\n", " ") : line;
    throw new CommandFailure(`${file} can't be read: ${reason}`, "Correct it, and run this again");
  }
}

/** Finds the project of a folder, without the engine, which may demand a needless login. Rejects if there is none. */
export async function requireProject(from: string): Promise<Project> {
  const file = nearest(from, ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]);
  if (file === undefined)
    throw new NoStack("This folder has no Pulumi project", "Run this in the folder that has Pulumi.yaml");
  const { parse } = await import("yaml");
  const content = parseFile(file, (text) => projectFile.parse(parse(text)));
  return { ...content, file, folder: dirname(file) };
}

const manifest = z.object({ main: z.string().optional(), type: z.string().optional() });

/** What package.json tells Node.js, in this folder or above it. */
function manifestOf(folder: string): z.infer<typeof manifest> {
  const file = nearest(folder, ["package.json"]);
  return file === undefined ? {} : parseFile(file, (text) => manifest.parse(JSON.parse(text)));
}

/** The file that Pulumi.yaml names, an index, or what package.json names; undefined if none of them does. */
function namedMain({ folder, main }: Project): string | undefined {
  const path = resolve(folder, main || ".");
  if (/\.[mc]?[jt]s$/.test(path)) return path;
  const index = ["ts", "mts", "cts", "js", "mjs", "cjs"]
    .map((extension) => `index.${extension}`)
    .find((name) => existsSync(join(path, name)));
  const found = index ?? manifestOf(path).main;
  return found === undefined ? undefined : resolve(path, found);
}

/** The main file of a program for Node.js, as its source. */
export function mainFile(project: Project): string {
  const { folder, main, runtime } = project;
  const other = runtime.options?.typescript === false ? "index.js" : "index.ts";
  return namedMain(project) ?? resolve(folder, main || ".", other);
}

/** Whether a project for Node.js has no program yet. */
export function lacksProgram(project: Project): boolean {
  return project.runtime.name === "nodejs" && namedMain(project) === undefined;
}

/** Whether Node.js runs a file of this name as an ES module. */
export function isModuleFile(file: string): boolean {
  const [, letter] = /\.([mc])[jt]s$/.exec(file) ?? [];
  return letter === undefined ? manifestOf(dirname(file)).type === "module" : letter === "m";
}

/** Whether the resources of a program for Node.js reach the provider through the plugin. */
export function usesPlugin(project: Project): boolean {
  const main = mainFile(project);
  const text = existsSync(main) ? parseFile(main, (content) => content) : "";
  const [, entry] = /["']pulumi-tracking(\/native)?["']/.exec(text) ?? ["", pluginFolder(project)];
  return entry !== undefined;
}
