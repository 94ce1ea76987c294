import { sanitize } from "../../provider/api/redact";
import { CommandFailure } from "../failure";

/** Why every `pulumi` command on a stack fails here, and what to do. */
interface Explanation {
  readonly problem: string;
  readonly remedy: string;
  /** How `pulumi` words it. */
  readonly printed?: RegExp;
  /** What `pulumi` prints has the details. */
  readonly detailed?: true;
  /** No stack can be read; a command that needs none continues without. */
  readonly noStack?: true;
}

/** An earlier one can hide a later one. */
const explanations = {
  "no-pulumi": {
    noStack: true,
    problem: 'There is no "pulumi" command on PATH',
    remedy: "Install it from https://www.pulumi.com/docs/install, or add it to PATH",
  },
  "no-project": {
    noStack: true,
    printed: /no Pulumi\.yaml project file|no Pulumi project found/i,
    problem: "This folder has no Pulumi project",
    remedy: "Run this in the folder that has Pulumi.yaml",
  },
  "not-logged-in": {
    noStack: true,
    printed: /PULUMI_ACCESS_TOKEN must be set|please run `?pulumi login|not logged in/i,
    problem: "Pulumi is not logged in",
    remedy: 'Run "pulumi login", or "pulumi login --local" to store state on this machine',
  },
  "unknown-stack": {
    noStack: true,
    printed: /no stack named/i,
    detailed: true,
    problem: "The stack does not exist",
    remedy: 'Select one with "pulumi stack select", or name one with --stack',
  },
  "no-stack": {
    noStack: true,
    printed: /no stack selected|missing stack name/i,
    problem: "No stack is selected",
    remedy: 'Create one with "pulumi stack init", or select one with "pulumi stack select"',
  },
  "wrong-passphrase": {
    printed: /incorrect passphrase/i,
    problem: "The stack's secrets can't be decrypted: the passphrase is wrong",
    remedy: "Correct PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE",
  },
  "no-passphrase": {
    printed: /passphrase must be set/i,
    problem: "The stack's secrets can't be decrypted: no passphrase is set",
    remedy: "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE",
  },
  locked: {
    printed: /stack is currently locked|another update is (currently|already) in progress/i,
    detailed: true,
    problem: "Another run has locked the stack",
    remedy: 'Wait for that run to end; if it was killed, run "pulumi cancel". Then run this again',
  },
} as const satisfies Record<string, Explanation>;

export type Cause = keyof typeof explanations;
export const causes = Object.keys(explanations) as readonly Cause[];

/** A `pulumi` command can't work here, and why: the first thing to fix. */
export class PulumiFailure extends CommandFailure {
  constructor(
    readonly rootCause: Cause,
    problem: string,
    remedy: string,
  ) {
    super(problem, remedy);
  }
}

/** There is no stack; a command that needs none continues without. */
export class NoStack extends PulumiFailure {}

/** The failure for a cause; `reason` is what `pulumi` printed, if anything. */
export function failureFor(cause: Cause, reason = ""): PulumiFailure {
  const { problem, remedy, detailed, noStack }: Explanation = explanations[cause];
  const Failure = noStack ? NoStack : PulumiFailure;
  return new Failure(cause, detailed && reason !== "" ? `${problem}: ${reason}` : problem, remedy);
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
  const cause = causes.find((each) => (explanations[each] as Explanation).printed?.test(reason));
  if (cause !== undefined) return failureFor(cause, reason);
  const command = `pulumi ${args.slice(0, 2).join(" ")}`;
  return new CommandFailure(`${command} failed: ${reason}`, "Fix that, and run this again");
}
