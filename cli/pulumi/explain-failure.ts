import { stripVTControlCharacters } from "node:util";
import { sanitize } from "../../provider/api/redact";
import { IMPORT } from "../../provider/lifecycle/advice";
import { CommandFailure } from "../failure";
import { GUIDE } from "../guide";

/** The project has no stack. A command that needs none, such as `list` with settings from the environment, goes on. */
export class NoStack extends CommandFailure {}

/** What to do about a failure that Pulumi names but does not explain, by what it prints. */
const adviceByMessage: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    /Unknown file extension "?\.[mc]?ts/,
    `Run TypeScript as ES modules with Node.js 24 and the settings in "Package managers and module kinds" of ${GUIDE}, or remove "type": "module" from package.json`,
  ],
  [
    /No module named '?pulumi_tracking|sdks\W+tracking|pulumi-tracking\/sdk\/go/,
    'Run "pulumi install", in Go also "go mod tidy"; if Pulumi.yaml lists no address of the plugin, run "npm ci" and "pulumi package add ./node_modules/.bin/pulumi-resource-tracking"',
  ],
  [
    /cannot be deleted because it is protected/,
    `If the resource was renamed or moved, give it the option aliases with its old name or URN; else choose what becomes of it, by "Removing a website" in ${GUIDE}, or in another language by "Protection" in docs/other-languages.md`,
  ],
  [
    /failed to load checkpoint: EOF/,
    "Delete the empty file that a killed run left beside the state, .pulumi/stacks/PROJECT/STACK.json.attrs in the folder of the backend, and run this again",
  ],
  [
    /resource-tracking|provider tracking:/,
    `Name the folder of the plugin in Pulumi.yaml, by "The plugin" in ${GUIDE}, or run "pulumi install" if it is listed`,
  ],
];

/** What to do if a run was killed. The engine keeps asking about what it was creating until it is told to clear that. */
export const AFTER_KILL = `If no other run is in progress, run "pulumi cancel", then "pulumi refresh --clear-pending-creates", and then "${IMPORT}", which imports every record that was created`;

/** Removes colors and the stack frames that Node.js prints below a message: `    at file:///…`. */
export function withoutFrames(printed: string): string {
  return stripVTControlCharacters(printed).replace(/\n\s+at [^\n]+/g, "");
}

/** Returns the failure of a `pulumi` command: what it printed, and what to do. */
export function explainFailure(
  args: readonly string[],
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): CommandFailure {
  const text = withoutFrames(`${stderr} ${stdout}`).replace(/^.*?error: /s, "");
  const reason = sanitize(text.trim()).replace(/[.\s]+$/, "") || "no reason given";
  const title = `pulumi ${args.slice(0, 2).join(" ")} failed: ${reason}`;
  if (/no stack selected|missing stack name/i.test(reason))
    return new NoStack(
      title,
      'Create one with "pulumi stack init", or select one with "pulumi stack select"',
    );
  const [, advice = "Fix that, and run this again"] =
    adviceByMessage.find(([message]) => message.test(reason)) ?? [];
  return new CommandFailure(title, advice);
}
