import type { Command } from "commander";
import type { StackSelection } from "./doctor/read-stacks";

export interface StackOptions {
  stacks?: string[];
  allStacks?: boolean;
}

/** Adds the options that say which stacks to read. */
export function addStackOptions(command: Command, verb: string): Command {
  const stacks = command.createOption(
    "--stacks <names>",
    `stacks to ${verb}, separated by commas, including other projects': ORG/PROJECT/STACK (default: the selected one)`,
  );
  return command
    .addOption(stacks.argParser((text) => text.split(",").filter(Boolean)).conflicts("allStacks"))
    .option("--all-stacks", `${verb} every stack of the project`);
}

export function selectedStacks({ stacks, allStacks }: StackOptions): StackSelection {
  return allStacks ? "all" : stacks;
}
