/** Reads the engine's preview, and shows what it does to websites and pixels. */
import { type Command, Option } from "commander";
import { inGuide } from "../../provider/lifecycle/advice";
import { notify } from "../command-line";
import { expectsNoChanges } from "../config";
import { CommandFailure } from "../failure";
import { explainFailure } from "../pulumi/explain-failure";
import { isMandatory, refusedByPolicy } from "../pulumi/policies";
import { type FinishedPreview, runPreview } from "../pulumi/preview";
import { interruptible } from "../pulumi/process";
import { Stack } from "../pulumi/stack";
import { shellQuote } from "../shell-quote";
import { type Change, changesOf } from "./changes";
import { messagesOf, policiesOf } from "./messages";
import { formatMarkdown, formatText, type Report, type Unexpected } from "./report";

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

/** Whether a preview failed only because it changes something, which it must not. */
function isOnlyUnexpected(options: readonly string[], { diagnostics, violations }: FinishedPreview): boolean {
  return (
    expectsNoChanges(options) &&
    !diagnostics.some(({ severity }) => severity === "error") &&
    !violations.some(isMandatory)
  );
}

/** Whether a change is one of the state alone: of an option or an argument that the service does not have. */
function isOfState({ kind, fields }: Change): boolean {
  const isOfArguments = kind === "changed" || kind === "unprotected";
  return isOfArguments && fields.length > 0 && fields.every(({ field }) => field === undefined);
}

/**
 * What differs from the program in such a preview, and what to do. Without --run-program, a refresh would use the API key of the
 * last `up`, even if it has been rotated since (pulumi/pulumi#4981).
 */
function unexpectedBy(
  { refreshed }: FinishedPreview,
  changes: readonly Change[],
  stack?: string,
): Unexpected {
  const ofStack = stack === undefined ? "" : ` --stack ${shellQuote(stack)}`;
  const up = `pulumi up${ofStack}`;
  return refreshed.length > 0 && !changes.every(isOfState)
    ? {
        side: "service",
        advice: `To correct the service, run "${up} --refresh --run-program"; to keep what someone changed, run "npx pulumi-tracking accept${ofStack}"`,
      }
    : { side: "state", advice: `Run "${up}" once, or correct the program` };
}

/** What to do about a preview that failed, the surest cause first. */
function explain({ changes, messages, policies }: Omit<Report, "failure">): CommandFailure {
  if (policies.some(({ isError }) => isError)) return refusedByPolicy();
  if (changes.some(({ kind }) => kind === "recreated"))
    return new CommandFailure(
      "The preview failed: a resource has another name or parent, and no alias",
      `Give the old one in aliases: ${inGuide("Renaming a resource")}`,
    );
  const errors = messages.filter(({ isError }) => isError).map(({ lines }) => lines.join(" "));
  const { advice } = explainFailure(["preview", "--json"], { stdout: errors.join(" "), stderr: "" });
  return new CommandFailure("The preview failed; its messages say why", advice);
}

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
    .action(async (pulumiOptions: string[], { stack, format }: PreviewOptions) => {
      // With unchanged resources: one of them may hold the record of another that is deleted, which then stays.
      const args = ["--show-replacement-steps", ...pulumiOptions];
      const preview = await interruptible(
        () => runPreview(new Stack(stack), { args, keepsOptions: true }),
        () => notify("Interrupted; nothing was changed."),
      );
      const { code, stderr } = preview;
      process.exitCode = code;
      if (preview.failure !== undefined) throw preview.failure;
      const changes = changesOf(preview);
      const isUnexpected = code !== 0 && changes.length > 0 && isOnlyUnexpected(pulumiOptions, preview);
      const unexpected = isUnexpected ? unexpectedBy(preview, changes, stack) : undefined;
      const hasFailed = code !== 0 && !isUnexpected;
      const messages = messagesOf(preview, hasFailed ? stderr : "");
      const report = { changes, messages, policies: policiesOf(preview), unexpected };
      const failure = hasFailed ? explain(report) : undefined;
      process.stdout.write(formats[format]({ ...report, failure }));
      if (unexpected !== undefined)
        throw new CommandFailure(`The ${unexpected.side} differs from the program`, unexpected.advice);
      if (failure !== undefined) throw failure;
    });
}
