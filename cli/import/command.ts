import type { Command } from "commander";
import { sanitize } from "../../provider/api/redact";
import { interruptible } from "../interruption";
import { Stack } from "../pulumi/stack";
import type { Terminal } from "../terminal";
import { importDeclared } from "./declared";
import { ImportStatus } from "./import-status";
import { importUnmanaged } from "./unmanaged";
import { type Format, formats } from "./user-program";

/** The command's options, as they were options. */
export interface ImportOptions {
  declared?: boolean;
  out?: string;
  format?: Format;
  only?: "websites" | "pixels";
  match?: string[];
  exclude?: string[];
  from?: string;
  stack?: string;
  file?: string;
  apply?: boolean;
  force?: boolean;
}

/** Adds `pulumi-tracking import`, which brings what exists under management. */
export function addImportCommand(program: Command): void {
  const several = (value: string, before: string[] = []) => [...before, value];
  const command = program.command("import");
  command
    .description(
      "Bring what exists under management, without writing to the service: with --declared the records that the " +
        "program declares and the stack does not hold, else the rest of the account as a new program.",
    )
    .addOption(
      command
        .createOption(
          "--declared",
          "the records that the program declares; also the way out after a crash or a lost state",
        )
        .conflicts(["out", "format", "only", "match", "exclude", "from"]),
    )
    .option("--out <file>", "the program to write (default: tracking.ts, tracking.js or tracking.yaml)")
    .addOption(
      command
        .createOption("--format <format>", "its language (default: that of the program)")
        .choices(formats),
    )
    .addOption(command.createOption("--only <kind>", "one kind of record").choices(["websites", "pixels"]))
    .option("--match <glob>", "only domains and names that match; may be repeated", several)
    .option("--exclude <glob>", "skip domains and names that match; may be repeated", several)
    .option("--from <file>", "only the domains, names and globs of a file, one a line")
    .option("--stack <name>", "the stack (default: the selected one)")
    .option("--file <file>", "the file to write for pulumi import (default: tracking-import.json)")
    .option(
      "--apply",
      "run pulumi import too, and say by a preview what is left; exits with 0 only if the next pulumi up deletes " +
        "nothing. Without it, only files are written",
    )
    .option(
      "--force",
      "add to the program's file although it was edited, and replace the file for pulumi import",
    )
    .action(async (options: ImportOptions) => {
      const print = (line: string) => command.configureOutput().writeOut?.(`${sanitize(line)}\n`);
      const terminal: Terminal = { print, stream: process.stderr.isTTY ? process.stderr : undefined };
      const stack = new Stack(options.stack);
      const status = new ImportStatus(stack, options, terminal);
      const work = options.declared ? importDeclared : importUnmanaged;
      await interruptible(
        () => work(options, stack, status, terminal),
        (interrupted) => status.interrupted(interrupted),
      );
    });
}
