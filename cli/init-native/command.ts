import type { Command } from "commander";
import { addPlugin } from "./project-file";

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
