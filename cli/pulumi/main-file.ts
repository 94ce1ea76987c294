import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { nearest, type Project, parseFile, readText } from "./project";

/** The main file of a program for Node.js, as its source: what Pulumi.yaml names, an index, or what package.json names. */
export function mainFile({ folder, main, runtime }: Project): string {
  const place = resolve(folder, main || ".");
  if (/\.[mc]?[jt]s$/.test(place)) return place;
  const names = existsSync(place) ? readdirSync(place) : [];
  const index = ["ts", "mts", "cts", "js", "mjs", "cjs"]
    .map((kind) => `index.${kind}`)
    .find((name) => names.includes(name));
  const other = runtime.options?.typescript === false ? "index.js" : "index.ts";
  return resolve(place, index ?? manifestOf(place).main ?? other);
}

const manifest = z.object({ main: z.string().optional(), type: z.string().optional() });

/** What package.json tells Node.js, in this folder or above it. */
function manifestOf(folder: string): z.infer<typeof manifest> {
  const file = nearest(folder, ["package.json"]);
  return file === undefined ? {} : parseFile(file, (text) => manifest.parse(JSON.parse(text)));
}

/** Whether Node.js runs a file of this name as an ES module. */
export function isModuleFile(file: string): boolean {
  const [, letter] = /\.([mc])[jt]s$/.exec(file) ?? [];
  return letter === undefined ? manifestOf(dirname(file)).type === "module" : letter === "m";
}

/** The files beside the program's main file, by their names. */
export function programFiles(project: Project): ReadonlyMap<string, string> {
  const folder = dirname(mainFile(project));
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const files = entries.filter(
    (each) => each.isFile() && /^(?!Pulumi\.).*\.([cm]?[jt]s|py|ya?ml)$/.test(each.name),
  );
  return new Map(files.map(({ name }) => [name, readText(join(folder, name))]));
}

/** The texts of the main file and of all files that it loads by relative paths, directly or not. */
function loadedTexts(project: Project): readonly string[] {
  const texts = new Map<string, string>();
  const load = (file: string) => {
    if (texts.has(file)) return;
    const text = readText(file);
    texts.set(file, text);
    for (const [, path = ""] of text.matchAll(/["'`](\.{1,2}\/[^"'`\n]*|\.{1,2})["'`]/g)) {
      const named = sourceOf(resolve(dirname(file), path));
      if (named !== undefined) load(named);
    }
  };
  const main = mainFile(project);
  if (existsSync(main)) load(main);
  return [...texts.values()];
}

/** The source that Node.js or a compiler finds for a path in a program. */
function sourceOf(path: string): string | undefined {
  const bare = path.replace(/\.[mc]?js$/, "");
  const kinds = ["ts", "mts", "cts", "js", "mjs", "cjs"];
  const names = [
    path,
    ...kinds.map((kind) => `${bare}.${kind}`),
    ...kinds.map((kind) => join(path, `index.${kind}`)),
  ];
  return names.find(
    (each) => /\.[mc]?[jt]s$/.test(each) && statSync(each, { throwIfNoEntry: false })?.isFile(),
  );
}

/** Whether the program's resources reach the provider through the plugin; in other languages, all do. */
export function usesPlugin(project: Project): boolean {
  if (project.runtime.name !== "nodejs") return true;
  return loadedTexts(project).some((text) => /["']pulumi-tracking\/native["']/.test(text));
}
