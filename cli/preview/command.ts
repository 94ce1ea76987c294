import { type Command, Option } from "commander";
import { notify } from "../command-line";
import { CommandFailure } from "../failure";
import { explainFailure } from "../pulumi/explain-failure";
import { parsePreview } from "../pulumi/json-output";
import { interruptible } from "../pulumi/process";
import { Stack } from "../pulumi/stack";
import { changesOf } from "./changes";
import { messagesOf } from "./messages";
import { formatMarkdown, formatText } from "./report";

const formats = { text: formatText, markdown: formatMarkdown };

interface PreviewOptions {
  stack?: string;
  format: keyof typeof formats;
}

const AFTER_HELP = `
Exit codes: those of pulumi preview; 2 also invalid arguments.

Examples, for a comment on a pull request, and for a job each night:
  npx pulumi-tracking preview --format markdown > preview.md
  npx pulumi-tracking preview -- --refresh --run-program --expect-no-changes`;

/** Adds `pulumi-tracking preview`, which reads the engine's preview for websites and pixels, and never writes. */
export function addPreviewCommand(program: Command): void {
  program
    .command("preview")
    .description("Run pulumi preview, and show what it does to websites and pixels. Never writes.")
    .argument("[options...]", "options for pulumi preview, after --")
    .usage("[options] [-- options of pulumi preview]")
    .option("-s, --stack <name>", "preview this stack (default: the selected one)")
    .addOption(new Option("--format <format>", "show it as").choices(Object.keys(formats)).default("text"))
    .addHelpText("after", AFTER_HELP)
    .showHelpAfterError("Options of pulumi preview go after --")
    .action(async (more: string[], { stack, format }: PreviewOptions) => {
      const args = ["preview", "--json", "--show-replacement-steps", ...more];
      const finished = await interruptible(
        () => new Stack(stack).run(args),
        () => notify("Interrupted; nothing was changed."),
      );
      const { code, stderr } = finished;
      process.exitCode = code;
      const read = parsePreview(args, finished);
      const messages = messagesOf(read, code === 0 ? "" : stderr);
      process.stdout.write(formats[format](changesOf(read), messages));
      if (code === 0) return;
      const errors = messages.filter(({ isError }) => isError).map(({ lines }) => lines.join(" "));
      const { remedy } = explainFailure(args, { stdout: errors.join(" "), stderr: "" });
      throw new CommandFailure("The preview failed; its messages say why", remedy);
    });
}
