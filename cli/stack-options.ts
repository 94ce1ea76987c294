import { type Command, InvalidArgumentError } from "commander";

/** Which stacks to read; by default the selected one. */
export interface StackOptions {
  readonly stacks?: readonly string[];
  readonly allStacks?: boolean;
}

/** Adds the options that say which stacks to read. */
export function addStackOptions(command: Command, verb: string): Command {
  const stacks = command.createOption(
    "--stacks <names>",
    `stacks to ${verb}, separated by commas, including other projects': ORG/PROJECT/STACK (default: the selected one)`,
  );
  return command
    .addOption(stacks.argParser(parseStacks).conflicts("allStacks"))
    .option("--all-stacks", `${verb} every stack of the project`);
}

function parseStacks(text: string): string[] {
  const names = text.split(",").filter(Boolean);
  if (names.length === 0) throw new InvalidArgumentError("Give at least one name.");
  return names;
}
