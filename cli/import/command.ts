/**
 * Imports records in one plan of rows: what is read (`survey`), a row for each record (`*-rows`), and what carries the rows out.
 */
import type { Command } from "commander";
import { sanitize } from "../../provider/api/redact";
import { catalogue } from "../../provider/resources";
import { pluralName } from "../../provider/schema/resource";
import { collect } from "../patterns";
import { interruptible } from "../pulumi/process";
import { Stack } from "../pulumi/stack";
import { shellQuote } from "../shell-quote";
import { importRecords } from "./import";
import { formats, type ImportOptions } from "./run";

const AFTER_HELP = `
Example: npx pulumi-tracking import --match '*.example.com' --apply
Exit codes: 0 done, 1 failed or incomplete, 2 invalid arguments.`;

/** Adds `pulumi-tracking import`, which imports existing records into a stack. */
export function addImportCommand(program: Command): void {
  const command = program.command("import");
  const option = command.createOption.bind(command);
  const selecting = ["out", "format", "only", "match", "exclude", "file"];
  command
    .description(
      "Write a program for what yours does not declare; with --apply, import what it declares. " +
        "Never writes to the service.",
    )
    .addOption(option("--declared", "only what the program declares; write no program").conflicts(selecting))
    .option(
      "--out <file>",
      "program to write (default: tracking.ts, .js or .yaml; other languages: tracking_records.txt)",
    )
    .addOption(
      option("--format <format>", "ts, js or yaml; other languages: the project's own").choices(formats),
    )
    .addOption(option("--only <kind>", "import one kind of record").choices(catalogue.map(pluralName)))
    .option("--match <name>", "import these domains and names: NAME, * or @FILE (repeatable)", collect)
    .option("--exclude <name>", "skip these: NAME, * or @FILE (repeatable)", collect)
    .option("-s, --stack <name>", "import into this stack (default: the selected one)")
    .option("--file <file>", "other languages: import file (tracking-import.json)")
    .option("--apply", "import what the program declares; say what is left")
    .option("--verbose", "print every row, including records that stay as they are")
    .addHelpText("after", AFTER_HELP)
    .action(async (options: ImportOptions) => {
      const print = (line: string) => void process.stdout.write(`${sanitize(line)}\n`);
      const command = ["npx pulumi-tracking", ...process.argv.slice(2).map(shellQuote)].join(" ");
      const run = { stack: new Stack(options.stack), options, folder: process.cwd(), command, print };
      await interruptible(
        () => importRecords(run),
        () => print(`Interrupted. To continue, run: ${command}`),
      );
    });
}
