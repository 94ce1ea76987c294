import { sanitize } from "../../provider/api/redact";
import { CommandFailure } from "../failure";

/** There is no stack; whoever can do without one may continue. */
export class NoStack extends CommandFailure {}

/** What to do about a failure for which `pulumi` prints this. An earlier one hides a later one. */
const remedies: readonly (readonly [printed: RegExp, remedy: string])[] = [
  [
    /PULUMI_ACCESS_TOKEN must be set|please run `?pulumi login|not logged in/i,
    'Run "pulumi login", or "pulumi login --local" to store state on this machine',
  ],
  [/no stack named/i, 'Select one with "pulumi stack select", or name one with --stack'],
  [
    /incorrect passphrase|passphrase must be set/i,
    "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the stack's passphrase",
  ],
  [
    /stack is currently locked|another update is (currently|already) in progress/i,
    'Wait for that run to end; if it was killed, run "pulumi cancel". Then run this again',
  ],
  [
    /No module named '?pulumi_tracking/,
    'Run "pulumi install"; if no package is listed in Pulumi.yaml, "pulumi package add" adds it',
  ],
];

/** Stack frames, which do not help a person more than the message does. */
const STACK_FRAMES = /\n\s+at [^\n]+/g;

/** Explains a failed `pulumi` command by what it printed. */
export function explainFailure(
  args: readonly string[],
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): CommandFailure {
  const text = `${stderr} ${stdout}`.replace(/^.*?error: /s, "").replace(STACK_FRAMES, "");
  const reason = sanitize(text.trim()).replace(/[.\s]+$/, "") || "no reason given";
  const problem = `pulumi ${args.slice(0, 2).join(" ")} failed: ${reason}`;
  if (/no stack selected|missing stack name/i.test(reason))
    return new NoStack(
      problem,
      'Create one with "pulumi stack init", or select one with "pulumi stack select"',
    );
  const [, remedy = "Fix that, and run this again"] =
    remedies.find(([printed]) => printed.test(reason)) ?? [];
  return new CommandFailure(problem, remedy);
}
