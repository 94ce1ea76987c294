import type { Command } from "commander";
import { sanitize } from "../../provider/api/redact";
import { interruptible } from "../interruption";
import { Stack } from "../pulumi/stack";
import { shellQuote } from "../shell-quote";
import type { Terminal } from "../terminal";
import { importDeclared } from "./declared";
import { formats, type ImportOptions, recordKinds } from "./options";
import { importUnmanaged } from "./unmanaged";

const AFTER_HELP = `
Example: npx pulumi-tracking import --match '*.example.com' --apply
Exit code: 0 if the next "pulumi up" deletes nothing, 1 if it would or the
import failed, 2 if an option is wrong.`;

/** Adds `pulumi-tracking import`, which imports existing records into a stack. */
export function addImportCommand(program: Command): void {
  const collect = (value: string, before: string[] = []) => [...before, value];
  const command = program.command("import");
  const option = command.createOption.bind(command);
  command
    .description(
      "Import existing records; never writes to the service. Writes a program for the\n" +
        "records that the stack lacks, or imports what your program declares.",
    )
    .addOption(
      option("--declared", "import what the program declares and the stack lacks").conflicts([
        "out",
        "format",
        "only",
        "match",
        "exclude",
        "from",
      ]),
    )
    .option("--out <file>", "program to write (default: tracking.ts or .js)")
    .addOption(option("--format <format>", "its format: ts, js or yaml").choices(formats))
    .addOption(option("--only <kind>", "import one kind of record").choices(recordKinds))
    .option("--match <glob>", "import matching domains and names (repeatable)", collect)
    .option("--exclude <glob>", "skip matching domains and names (repeatable)", collect)
    .option("--from <file>", "read names and globs from a file, one per line")
    .option("--stack <name>", "import into this stack (default: the selected one)")
    .addOption(
      option("--file <file>", "import file to write (default: tracking-import.json)").conflicts("apply"),
    )
    .option("--apply", "run pulumi import, then preview what is left to do")
    .addHelpText("after", AFTER_HELP)
    .action(async (options: ImportOptions) => {
      const print = (line: string) => command.configureOutput().writeOut?.(`${sanitize(line)}\n`);
      const terminal: Terminal = { print, stream: process.stderr.isTTY ? process.stderr : undefined };
      const run = { stack: new Stack(options.stack), options, folder: process.cwd(), terminal };
      await interruptible(
        () => (options.declared ? importDeclared(run) : importUnmanaged(run)),
        async ({ killed }) => {
          const again = ["npx pulumi-tracking", ...process.argv.slice(2).map(shellQuote)].join(" ");
          print(`Interrupted. To continue, run: ${killed ? "pulumi cancel --yes; " : ""}${again}`);
        },
      );
    });
}
