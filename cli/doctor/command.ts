import { type Command, InvalidArgumentError, Option } from "commander";
import { sanitize } from "../../provider/api/redact";
import { ExitStatus } from "../failure";
import { interruptible } from "../interruption";
import { diagnose } from "./diagnose";
import { formatReport } from "./format-report";

/** The command's options, as they were typed. */
interface DoctorOptions {
  json?: boolean;
  stacks?: string[];
  allStacks?: boolean;
}

/** Adds `pulumi-tracking doctor`, which looks at everything that a stack needs, and writes nothing anywhere. */
export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("Look for what is wrong with versions, settings, services, records and state.")
    .option("--json", "print the findings as JSON")
    .addOption(
      new Option("--stacks <names>", "the stacks to look at, separated by commas (default: the selected one)")
        .argParser(parseNames)
        .conflicts("allStacks"),
    )
    .option("--all-stacks", "look at every stack of the project")
    .action(async ({ json = false, stacks, allStacks = false }: DoctorOptions, command: Command) => {
      const warn = (text: string) => void process.stderr.write(`${sanitize(text)}\n`);
      const wanted = stacks === undefined ? { all: allStacks } : { names: stacks };
      const report = await interruptible(
        () => diagnose(wanted, { folder: process.cwd(), voice: { warn, debug: warn } }),
        async () => warn('Interrupted. The doctor changes nothing; run "npx pulumi-tracking doctor" again.'),
      );
      const { writeOut, getOutHasColors } = command.configureOutput();
      // The one who asks for colours in a file gets none either: what reads it is rarely ready for them.
      const coloured = process.stdout.isTTY === true && getOutHasColors?.() === true;
      writeOut?.(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatReport(report, coloured));
      if (report.counts.error > 0) throw new ExitStatus(1);
    });
}

function parseNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names;
  throw new InvalidArgumentError("Give names of stacks, separated by commas.");
}
