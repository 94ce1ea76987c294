import { styleText } from "node:util";
import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import { sanitize } from "../provider/api/redact";
import { GUIDE } from "../provider/lifecycle/advice";
import { CommandFailure } from "./failure";

export type AddCommand = (program: Command) => void;

const AFTER_HELP = `
Example, the first time:
  npx pulumi-tracking doctor

Exit codes: 0 done, 1 failed (doctor: found an error), 2 invalid arguments;
preview: those of pulumi preview.
The guide is ${GUIDE}.`;

/** Prints a line for people on standard error, beside the result that a command prints on standard output. */
export const notify = (text: string) => void process.stderr.write(`${sanitize(text)}\n`);

/**
 * Runs the program and resolves with its exit status: 0 for success, 1 for a command that failed, 2 for invalid
 * arguments. A failure is printed in two lines, or with its details in a few; an unexpected error rejects.
 */
export async function run(commands: readonly AddCommand[], args: readonly string[]): Promise<number> {
  const program = new Command("pulumi-tracking")
    .description("Websites, tracking pixels and marketplace look-ups as Pulumi resources.")
    .version(version)
    .addHelpText("after", AFTER_HELP)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, " ")}\n`),
    });
  for (const declare of commands) declare(program);
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof CommandFailure)) throw error;
    const [title, ...lines] = error.lines;
    process.stderr.write(`${styleText("red", "error:", { stream: process.stderr })} ${title}\n`);
    for (const line of lines) process.stderr.write(`${line}\n`);
    return 1;
  }
}
