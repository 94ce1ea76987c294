import type { Command } from "commander";
import { addPlugin } from "./project-file";

/** Adds `pulumi-tracking init-native`, which tells the engine where the plugin is. */
export function addInitNativeCommand(program: Command): void {
  const command = program.command("init-native");
  command
    .description(
      "Let this project use the provider plugin of the installed package: adds its place to Pulumi.yaml. " +
        "Needed for programs that import pulumi-tracking/native, and for programs in other languages.",
    )
    .action(async () => {
      const print = (line: string) => command.configureOutput().writeOut?.(`${line}\n`);
      for (const line of await addPlugin(process.cwd())) print(line);
    });
}
