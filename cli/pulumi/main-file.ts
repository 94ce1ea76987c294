import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { nearest, type Project, parseFile, pluginPlace, readText } from "./project";

/** The main file of a program for Node.js, as its source: what Pulumi.yaml names, an index, or what package.json names. */
export function mainFile({ folder, main, runtime }: Project): string {
  const place = resolve(folder, main || ".");
  if (/\.[mc]?[jt]s$/.test(place)) return place;
  const index = ["ts", "mts", "cts", "js", "mjs", "cjs"]
    .map((kind) => `index.${kind}`)
    .find((name) => existsSync(join(place, name)));
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

/** Whether the program's resources reach the provider through the plugin; in other languages, all do. */
export function usesPlugin(project: Project): boolean {
  const main = mainFile(project);
  if (project.runtime.name !== "nodejs") return true;
  const text = existsSync(main) ? readText(main) : "";
  const [, entry] = /["']pulumi-tracking(\/native)?["']/.exec(text) ?? ["", pluginPlace(project)];
  return entry !== undefined;
}
