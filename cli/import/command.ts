import type { Command } from "commander";
import { sanitize } from "../../provider/api/redact";
import { interruptible } from "../interruption";
import { Stack } from "../pulumi/stack";
import type { Terminal } from "../terminal";
import { importDeclared } from "./declared";
import { formats } from "./formats";
import { ImportRun } from "./import-run";
import { type ImportOptions, recordKinds } from "./options";
import { importUnmanaged } from "./unmanaged";

/** Adds `pulumi-tracking import`, which brings existing records under management. */
export function addImportCommand(program: Command): void {
  const collect = (value: string, before: string[] = []) => [...before, value];
  const command = program.command("import");
  command
    .description(
      "Import existing records; never writes to the service. By default writes a program for every unmanaged " +
        "record; --declared imports those your program declares.",
    )
    .addOption(
      command
        .createOption("--declared", "import what the program declares, also after a crash or a lost state")
        .conflicts(["out", "format", "only", "match", "exclude", "from"]),
    )
    .option("--out <file>", "program file to write (default: tracking.ts, tracking.js or tracking.yaml)")
    .addOption(
      command
        .createOption("--format <format>", "language of that file (default: the program's)")
        .choices(formats),
    )
    .addOption(command.createOption("--only <kind>", "import one kind of record").choices(recordKinds))
    .option("--match <glob>", "import only domains and names that match (repeatable)", collect)
    .option("--exclude <glob>", "skip domains and names that match (repeatable)", collect)
    .option("--from <file>", "import only the domains, names and globs in a file, one per line")
    .option("--stack <name>", "stack to import into (default: the selected one)")
    .option("--file <file>", "file to write for pulumi import (default: tracking-import.json)")
    .option(
      "--apply",
      "run pulumi import, then preview what would still change; exits with 0 only if the next pulumi up deletes " +
        "nothing. Without it, only files are written",
    )
    .option(
      "--force",
      "append to the program's file even if it was edited, and overwrite the file for pulumi import",
    )
    .action(async (options: ImportOptions) => {
      const print = (line: string) => command.configureOutput().writeOut?.(`${sanitize(line)}\n`);
      const terminal: Terminal = { print, stream: process.stderr.isTTY ? process.stderr : undefined };
      const run = new ImportRun(new Stack(options.stack), options, terminal);
      await interruptible(
        () => (options.declared ? importDeclared(run) : importUnmanaged(run)),
        (interrupted) => run.interrupted(interrupted),
      );
    });
}
