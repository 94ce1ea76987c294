/** Finds what is wrong, and says what to do: a finding for each problem of settings, stacks, records and services. */
import type { Command } from "commander";
import { notify } from "../command-line";
import { collect, Patterns } from "../patterns";
import { interruptible } from "../pulumi/process";
import { addStackOptions, type StackOptions, stackOptionsOf } from "../stack-options";
import { diagnose } from "./diagnose";
import { formatReport } from "./report";

interface DoctorOptions extends StackOptions {
  json?: boolean;
  strict?: boolean;
  ignore?: string[];
}

const AFTER_HELP = `
Exit codes: 0 no errors, 1 errors (--strict: or warnings), 2 invalid arguments.

Example, each night in CI:
  npx pulumi-tracking doctor --stack prod --strict`;

/** Adds `pulumi-tracking doctor`, which checks everything that a stack needs, and never writes. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command("doctor")
    .description("Find problems with settings, services, records and state. Never writes.");
  addStackOptions(command, "check")
    .option("--json", "print the findings as JSON")
    .option("--strict", "exit with 1 on a warning too")
    .option(
      "--ignore <name>",
      "warn of records in no stack, but these: NAME, * or @FILE (repeatable)",
      collect,
    )
    .addHelpText("after", AFTER_HELP)
    .action(async ({ json, strict, ignore, ...options }: DoctorOptions) => {
      const ignored = ignore === undefined ? undefined : new Patterns("--ignore", ignore);
      const ignores = ignored && ((key: string) => ignored.match(key));
      const report = await interruptible(
        () =>
          diagnose({ ...stackOptionsOf(options), ignores }, process.cwd(), { warn: notify, debug: notify }),
        () => notify('Interrupted; nothing was changed. Run "npx pulumi-tracking doctor" again.'),
      );
      const text = json ? `${JSON.stringify(report, undefined, 2)}\n` : formatReport(report);
      process.stdout.write(text);
      if (report.counts.error > 0 || (strict && report.counts.warning > 0)) process.exitCode = 1;
    });
}
