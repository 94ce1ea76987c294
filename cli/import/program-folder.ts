import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** The line that takes a written file into the program, as the program's main file has to say it. */
export async function lineFor(
  out: string,
  format: "ts" | "yaml",
  from: string = process.cwd(),
): Promise<string> {
  const folder = await programFolder(from);
  const path = relative(folder, resolve(from, out)).split(sep).join("/");
  if (format === "yaml") return `tracking.declareFrom(${JSON.stringify(path)});`;
  const module = `${path.startsWith("../") ? "" : "./"}${path.replace(/\.ts$/, "")}`;
  return `import ${JSON.stringify(`${module}${isModule(folder) ? ".js" : ""}`)};`;
}

/** Where the program runs: the folder of Pulumi.yaml, or the one that its `main` names or lies in. */
async function programFolder(from: string): Promise<string> {
  const project = above(from, ["Pulumi.yaml", "Pulumi.yml"]);
  if (project === undefined) return from;
  const { parse } = await import("yaml");
  const main = member(parse(readFileSync(project, "utf8")), "main");
  if (typeof main !== "string" || main === "") return dirname(project);
  const place = resolve(dirname(project), main);
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ? place : dirname(place);
}

/** Whether files of the program are ES modules, which name each other by their whole names. */
function isModule(folder: string): boolean {
  const manifest = above(folder, ["package.json"]);
  return manifest !== undefined && member(JSON.parse(readFileSync(manifest, "utf8")), "type") === "module";
}

/** The nearest of these files in the folder or above it. */
function above(folder: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (found !== undefined || dirname(folder) === folder) return found;
  return above(dirname(folder), names);
}

function member(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null ? Reflect.get(object, name) : undefined;
}
