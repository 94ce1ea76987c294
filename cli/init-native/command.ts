import { writeFileSync } from "node:fs";
import { dirname, extname, relative, sep } from "node:path";
import type { Command } from "commander";
import { CommandFailure } from "../failure";
import { nearest, PLUGIN, readText, requireProject } from "../pulumi/project";

const COMMANDS = ["pulumi-resource-tracking", "pulumi-resource-tracking.cmd"];
const PLACE = ["plugins", "providers"];

/** Adds `pulumi-tracking init-native`, which tells the engine where the plugin is. */
export function addInitNativeCommand(program: Command): void {
  const command = program.command("init-native");
  command
    .description(
      "Let this project use the installed package's provider plugin: adds its folder to Pulumi.yaml. " +
        "Programs that import pulumi-tracking/native need it, and programs in other languages.",
    )
    .addHelpText(
      "after",
      `
Exit codes: 0 done, or nothing to do, 1 it can't be done, 2 invalid arguments.

Example, in the folder of Pulumi.yaml:
  npm install pulumi-tracking
  npx pulumi-tracking init-native`,
    )
    .action(async () => {
      const print = (line: string) => command.configureOutput().writeOut?.(`${line}\n`);
      for (const line of await addPlugin(process.cwd())) print(line);
    });
}

/** Names the plugin in the project's file. Returns what it did and what comes next, one line each. */
export async function addPlugin(from: string): Promise<readonly string[]> {
  const { file, folder, runtime, plugins } = await requireProject(from);
  const name = relative(from, file) || file;
  const path = relative(folder, pluginFolder(folder)).split(sep).join("/");
  const own = plugins?.providers?.findIndex((each) => each.name === PLUGIN) ?? -1;
  const isNamed = plugins?.providers?.[own]?.path === path;
  if (!isNamed) writeFileSync(file, await withPlugin(file, own, path));
  return [
    `${name} ${isNamed ? "already" : "now"} names the plugin, in ${path}.`,
    nextStep(runtime.name, path),
  ];
}

/** The file's text with the plugin's place, and everything else as it was. */
async function withPlugin(file: string, own: number, path: string): Promise<string> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(readText(file));
  if (own >= 0) document.setIn([...PLACE, own, "path"], path);
  else if (document.hasIn([...PLACE, 0])) document.addIn(PLACE, document.createNode({ name: PLUGIN, path }));
  else document.setIn(PLACE, document.createNode([{ name: PLUGIN, path }]));
  return extname(file) === ".json"
    ? `${JSON.stringify(document.toJS(), undefined, 2)}\n`
    : document.toString({ lineWidth: 0 });
}

/** What a program in the project's language needs now. */
function nextStep(runtime: string, path: string): string {
  if (runtime === "nodejs")
    return 'A program in TypeScript or JavaScript now imports "pulumi-tracking/native" instead of "pulumi-tracking".';
  if (runtime === "yaml")
    return "A program in Pulumi YAML needs nothing more: its types are tracking:Website and tracking:Pixel.";
  return `Next, run "pulumi package add ./${path}/pulumi-resource-tracking": it generates the package that the program uses.`;
}

/** The folder of the installed package's commands: that of the project, or of a workspace above it. */
function pluginFolder(project: string): string {
  const command = nearest(
    project,
    COMMANDS.map((each) => `node_modules/.bin/${each}`),
  );
  if (command !== undefined) return dirname(command);
  throw new CommandFailure(
    "pulumi-tracking is not installed in this project",
    'Run "npm install pulumi-tracking" in the folder of Pulumi.yaml, and this again',
  );
}
