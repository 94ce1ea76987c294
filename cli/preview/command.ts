import { type Command, Option } from "commander";
import { sanitize } from "../../provider/api/redact";
import { CommandFailure } from "../failure";
import { explainFailure, remedyFor } from "../pulumi/explain-failure";
import { parseOutput, preview } from "../pulumi/json-output";
import { interruptible } from "../pulumi/process";
import { parseFile } from "../pulumi/project";
import { Stack } from "../pulumi/stack";
import { changesOf } from "./changes";
import { formatMarkdown, formatText } from "./report";

const formats = { text: formatText, markdown: formatMarkdown };

interface PreviewOptions {
  from?: string;
  stack?: string;
  format: keyof typeof formats;
  expectNoChanges?: boolean;
}

const AFTER_HELP = `
Exit codes: 0 done, 1 the preview failed, or changes were not expected,
2 invalid arguments.

Example, for a comment on a pull request:
  pulumi preview --json --show-replacement-steps > preview.json
  npx pulumi-tracking preview --from preview.json --format markdown`;

/** Adds `pulumi-tracking preview`, which says what a change means, and never writes. */
export function addPreviewCommand(program: Command): void {
  program
    .command("preview")
    .description("Say what a change means for websites and pixels, from the engine's preview. Never writes.")
    .addOption(
      new Option("--from <file>", 'what "pulumi preview --json" printed (default: run it)').conflicts(
        "stack",
      ),
    )
    .option("--stack <name>", "preview this stack (default: the selected one)")
    .addOption(new Option("--format <format>").choices(Object.keys(formats)).default("text"))
    .option("--expect-no-changes", "exit with 1 if anything changes")
    .addHelpText("after", AFTER_HELP)
    .action(async ({ from, stack, format, expectNoChanges }: PreviewOptions) => {
      const text = from === undefined ? await run(new Stack(stack)) : parseFile(from, (content) => content);
      if (text.trim() === "")
        throw new CommandFailure(
          `${from} is empty: the preview failed before it printed anything`,
          'Run "pulumi preview", which says why',
        );
      const remedy =
        from === undefined ? undefined : "Name a file with --from that has all it printed, and nothing else";
      const made = changesOf(parseOutput("pulumi preview --json", preview, text, remedy));
      process.stdout.write(formats[format](made));
      const [error] = made.errors.map((lines) => lines.join(" "));
      if (error !== undefined) throw new CommandFailure(`The preview failed: ${error}`, remedyFor(error));
      const changed = made.changes.filter(({ part }) => part !== "unprotected");
      if (expectNoChanges && changed.length + made.others.length > 0)
        throw new CommandFailure("No changes were expected", "The lines above name them");
    });
}

/** Runs the engine's preview. If the program fails, what it prints says so. */
function run(stack: Stack): Promise<string> {
  const args = ["preview", "--json", "--show-replacement-steps"];
  const print = () => void process.stderr.write(sanitize("Interrupted; nothing was changed.\n"));
  return interruptible(async () => {
    const finished = await stack.run(args);
    if (finished.stdout.trimStart().startsWith("{")) return finished.stdout;
    throw explainFailure(args, finished);
  }, print);
}
