import { sanitize } from "../../provider/api/redact";
import { CommandFailure } from "../failure";

/** Why every `pulumi` command on a stack fails here, as `pulumi` words it, and what to do. An earlier one hides a later. */
const explanations = [
  {
    cause: "no-pulumi",
    printed: /no "pulumi" command/,
    remedy: "Install it from https://www.pulumi.com/docs/install, or add it to PATH",
  },
  {
    cause: "no-project",
    printed: /no Pulumi\.yaml project file|no Pulumi project found/i,
    remedy: "Run this in the folder that has Pulumi.yaml",
  },
  {
    cause: "not-logged-in",
    printed: /PULUMI_ACCESS_TOKEN must be set|please run `?pulumi login|not logged in/i,
    remedy: 'Run "pulumi login", or "pulumi login --local" to store state on this machine',
  },
  {
    cause: "unknown-stack",
    printed: /no stack named/i,
    remedy: 'Select one with "pulumi stack select", or name one with --stack',
  },
  {
    cause: "no-stack",
    printed: /no stack selected|missing stack name/i,
    remedy: 'Create one with "pulumi stack init", or select one with "pulumi stack select"',
  },
  {
    cause: "passphrase",
    printed: /incorrect passphrase|passphrase must be set/i,
    remedy: "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the stack's passphrase",
  },
  {
    cause: "locked",
    printed: /stack is currently locked|another update is (currently|already) in progress/i,
    remedy: 'Wait for that run to end; if it was killed, run "pulumi cancel". Then run this again',
  },
] as const;
export type Cause = (typeof explanations)[number]["cause"];

/** A `pulumi` command can't work here, and why: the first thing to fix. */
export class PulumiFailure extends CommandFailure {
  constructor(
    readonly rootCause: Cause,
    problem: string,
  ) {
    super(problem, explanations.find(({ cause }) => cause === rootCause)?.remedy ?? "");
  }
}

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
  const known = explanations.find(({ printed }) => printed.test(reason));
  return known === undefined
    ? new CommandFailure(problem, "Fix that, and run this again")
    : new PulumiFailure(known.cause, problem);
}
