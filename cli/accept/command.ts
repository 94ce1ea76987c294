/** Takes what someone changed on the service into the files that declare it: `drift` finds it, `accept` says what to write. */
import type { Command } from "commander";
import { sanitize } from "../../provider/api/redact";
import { catalogue } from "../../provider/resources";
import { pluralName } from "../../provider/schema/resource";
import { notify } from "../command-line";
import { collect } from "../patterns";
import { interruptible } from "../pulumi/process";
import { Stack } from "../pulumi/stack";
import { accept } from "./accept";
import type { AcceptOptions } from "./run";

const AFTER_HELP = `
Example: npx pulumi-tracking accept --match '*.example.com' --apply
Exit codes: 0 nothing is left to do; 1 something is, or it failed; 2 invalid
arguments.`;

/** Each line by itself, since a file may have many. */
const sanitizedLines = (text: string) => text.split("\n").map(sanitize).join("\n");

/** Adds `pulumi-tracking accept`, which writes what someone changed on the service into YAML files. */
export function addAcceptCommand(program: Command): void {
  const command = program.command("accept");
  command
    .summary("Keep what someone changed on the service.")
    .description(
      "Keep what someone changed on the service: write it into the YAML files of declareFrom. " +
        "Never writes to the service.",
    )
    .option("--new <file>", "YAML file to write for records that someone made")
    .option("--deleted", "remove what declares records that someone deleted")
    .addOption(
      command.createOption("--only <kind>", "accept changes of one kind").choices(catalogue.map(pluralName)),
    )
    .option("--match <name>", "accept these domains and names: NAME, * or @FILE (repeatable)", collect)
    .option("--exclude <name>", "skip these: NAME, * or @FILE (repeatable)", collect)
    .option("-s, --stack <name>", "the stack to look at (default: the selected one)")
    .option("--apply", "write the files, instead of showing the diff")
    .addHelpText("after", AFTER_HELP)
    .action(async (options: AcceptOptions) => {
      const print = (text: string) => void process.stdout.write(sanitizedLines(text));
      const run = { stack: new Stack(options.stack), options, folder: process.cwd(), print, notify };
      const isDone = await interruptible(
        () => accept(run),
        () => notify("Interrupted. To continue, run the same command again."),
      );
      process.exitCode = isDone ? 0 : 1;
    });
}
