import { stripVTControlCharacters } from "node:util";
import { sanitize } from "../../provider/api/redact";
import { inGuide } from "../../provider/lifecycle/advice";
import { CommandFailure } from "../failure";
import { withoutTracebacks } from "./tracebacks";

/** The project has no stack. A command that needs none, such as `list` with settings from the environment, goes on. */
export class NoStack extends CommandFailure {}

/** What to do about a failure that Pulumi names but does not explain, by what it prints. */
const adviceByMessage: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    /Unknown file extension "?\.[mc]?ts/,
    `Use the settings of ${inGuide("Package managers and module kinds")}`,
  ],
  [
    /No module named '?pulumi_tracking|sdks\W+tracking|pulumi-tracking\/sdk\/go/,
    `Run "pulumi install", and in Go "go mod tidy"; with npm, see ${inGuide("With npm instead", "other-languages.md")}`,
  ],
  [
    /cannot be deleted because it is protected/,
    `If it has another name now, give it the old one in aliases; else see ${inGuide("Removing a website")}`,
  ],
  [
    /failed to load checkpoint: EOF/,
    "Delete the empty file that a killed run left beside the state, .pulumi/stacks/PROJECT/STACK.json.attrs in the folder of the backend, and run this again",
  ],
  [
    /resource-tracking|provider tracking:/,
    `Run "pulumi install"; if Pulumi.yaml does not name the plugin, see ${inGuide("The plugin")}`,
  ],
];

/**
 * What to do if a run was killed. If it left a lock, Pulumi names `pulumi cancel`; the next `up` or `import` takes over what was
 * created. The engine asks about the creates that it did not finish until a refresh clears them.
 */
export const AFTER_KILL = {
  creating: `If no other run is in progress, run "pulumi refresh --clear-pending-creates", as in ${inGuide("After a crash")}`,
  otherwise: `If no other run is in progress, run the interrupted command again, as in ${inGuide("After a crash")}`,
} as const;

/** Removes colors and stack frames: those that Node.js prints below a message, `    at file:///…`, and Python's above it. */
export function withoutFrames(printed: string): string {
  return withoutTracebacks(stripVTControlCharacters(printed).replace(/\n\s+at [^\n]+/g, ""));
}

/** Returns the failure of a `pulumi` command: what it printed, and what to do. */
export function explainFailure(
  args: readonly string[],
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): CommandFailure {
  const text = withoutFrames(`${stderr} ${stdout}`).replace(/^.*?error: /s, "");
  const reason = sanitize(text.trim()).replace(/[.\s]+$/, "") || "no reason given";
  const title = `pulumi ${args.slice(0, 2).join(" ")} failed: ${reason}`;
  if (/no stack selected/i.test(reason))
    return new NoStack(
      title,
      'Create one with "pulumi stack init", or select one with "pulumi stack select"',
    );
  const [, advice = "Fix that, and run this again"] =
    adviceByMessage.find(([message]) => message.test(reason)) ?? [];
  return new CommandFailure(title, advice);
}
