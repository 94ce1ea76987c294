import { existsSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import type { Document } from "yaml";
import { CommandFailure } from "../failure";
import { readIfExists, replaceFile } from "../import/text-file";
import { nearest, PROJECT_FILES, readProjectFile, requireProject, upwards } from "../pulumi/project";

const PLUGIN = "tracking";
const COMMANDS = ["pulumi-resource-tracking", "pulumi-resource-tracking.cmd"];
const PLACE = ["plugins", "providers"];

/** The languages of programs, by the project's runtime, as messages name them. */
const LANGUAGES: Readonly<Record<string, string>> = {
  python: "Python",
  go: "Go",
  dotnet: ".NET",
  java: "Java",
};

/** Names the plugin in the project's file. Returns what it did and what comes next, one line each. */
export async function addPlugin(from: string): Promise<readonly string[]> {
  requireProject(from);
  const file = nearest(from, PROJECT_FILES);
  const text = file === undefined ? undefined : readIfExists(file);
  if (file === undefined || text === undefined)
    throw new CommandFailure("There is no Pulumi.yaml", "Run this in a Pulumi project");
  const path = relativeTo(dirname(file), pluginFolder(dirname(file)));
  const name = relative(from, file) || file;
  const after = await withPlugin(text, path, name);
  if (after !== text) replaceFile(file, text, after);
  const { runtime } = await readProjectFile(file);
  return [
    after === text
      ? `${name} already names the plugin, in ${path}.`
      : `${name} now names the plugin, in ${path}.`,
    nextStep(runtime.name ?? "nodejs", path),
  ];
}

/** What a program in the project's language needs now. */
function nextStep(runtime: string, path: string): string {
  if (runtime === "nodejs")
    return 'A program in TypeScript or JavaScript now imports "pulumi-tracking/native" instead of "pulumi-tracking".';
  if (runtime === "yaml")
    return "A program in Pulumi YAML needs nothing more: its types are tracking:Website and tracking:Pixel.";
  const language = LANGUAGES[runtime] ?? runtime;
  return `Next, run "pulumi package add ./${path}/pulumi-resource-tracking": it generates the package for ${language}.`;
}

/** The file's text with the plugin's place, and everything else as it was. */
async function withPlugin(text: string, path: string, name: string): Promise<string> {
  const { isMap, isSeq, parseDocument } = await import("yaml");
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents))
    throw new CommandFailure(`${name} can't be read`, "Correct it, and run this again");
  const list = document.getIn(PLACE);
  const items = isSeq(list) ? list.items : [];
  const at = items.findIndex((each) => isMap(each) && each.get("name") === PLUGIN);
  if (items.length === 0) document.setIn(PLACE, document.createNode([{ name: PLUGIN, path }]));
  else if (at < 0) document.addIn(PLACE, document.createNode({ name: PLUGIN, path }));
  else if (document.getIn([...PLACE, at, "path"]) === path) return text;
  else document.setIn([...PLACE, at, "path"], path);
  return extname(name) === ".json" ? asJson(document) : document.toString({ lineWidth: 0 });
}

function asJson(document: Document): string {
  return `${JSON.stringify(document.toJS(), undefined, 2)}\n`;
}

/** The folder of the installed package's commands: that of the project, or of a workspace above it. */
function pluginFolder(project: string): string {
  const found = upwards(resolve(project))
    .map((folder) => join(folder, "node_modules", ".bin"))
    .find((folder) => COMMANDS.some((command) => existsSync(join(folder, command))));
  if (found !== undefined) return found;
  throw new CommandFailure(
    "pulumi-tracking is not installed in this project",
    'Run "npm install pulumi-tracking" in the folder of Pulumi.yaml, and this again',
  );
}

function relativeTo(folder: string, place: string): string {
  return relative(folder, place).split(sep).join("/");
}
