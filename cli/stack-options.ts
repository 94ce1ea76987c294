import { type Command, InvalidArgumentError, Option } from "commander";

/** Which stacks to read; by default the selected one. */
export interface StackOptions {
  readonly stacks?: readonly string[] | undefined;
  readonly allStacks?: boolean | undefined;
}

/** What a command line has: `--stacks` is a second spelling, which some have in their CI. */
interface CommandLine extends StackOptions {
  readonly stack?: readonly string[];
}

function collectNames(text: string, before: readonly string[] = []): string[] {
  const names = text.split(",").filter(Boolean);
  if (names.length === 0) throw new InvalidArgumentError("Give at least one name.");
  return [...before, ...names];
}

/** Adds the options that say which stacks to read. */
export function addStackOptions(command: Command, verb: string): Command {
  const repeated = (flags: string, text: string) =>
    new Option(flags, text).argParser(collectNames).conflicts("allStacks");
  const text = `stacks to ${verb}, by commas or repeated; those of other projects in full: ORG/PROJECT/STACK (default: the selected one)`;
  return command
    .addOption(repeated("-s, --stack <names>", text))
    .addOption(repeated("--stacks <names>", text).hideHelp())
    .option("--all-stacks", `${verb} every stack of the project`);
}

/** The stacks that both spellings of the option name. */
export function stackOptionsOf({ stack, stacks, allStacks }: CommandLine): StackOptions {
  const names = [...(stack ?? []), ...(stacks ?? [])];
  return { stacks: names.length > 0 ? names : undefined, allStacks };
}
