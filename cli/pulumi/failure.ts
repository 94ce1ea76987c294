import { sanitize } from "../../provider/api/redact";
import { CommandFailure } from "../failure";

/** Why every `pulumi` command on a stack fails here. */
export const causes = [
  "no-pulumi",
  "no-project",
  "not-logged-in",
  "no-stack",
  "unknown-stack",
  "no-passphrase",
  "wrong-passphrase",
  "locked",
] as const;
export type Cause = (typeof causes)[number];

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

/** What `pulumi` printed when it failed. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** How `pulumi` words each cause; an earlier one can hide a later one. */
const CAUSE_PATTERNS: readonly (readonly [Cause, RegExp])[] = [
  ["no-project", /no Pulumi\.yaml project file|no Pulumi project found/i],
  ["not-logged-in", /PULUMI_ACCESS_TOKEN must be set|please run `?pulumi login|not logged in/i],
  ["unknown-stack", /no stack named/i],
  ["no-stack", /no stack selected|missing stack name/i],
  ["wrong-passphrase", /incorrect passphrase/i],
  ["no-passphrase", /passphrase must be set/i],
  ["locked", /stack is currently locked|another update is (currently|already) in progress/i],
];

/** Stack frames, which do not help a person more than the message does. */
const STACK_FRAMES = /\n\s+at [^\n]+/g;

/** Explains a failed `pulumi` command. */
export function explainFailure(args: readonly string[], { stdout, stderr }: Printed): CommandFailure {
  const text = `${stderr} ${stdout}`.replace(/^.*?error: /s, "").replace(STACK_FRAMES, "");
  const reason = sanitize(text.trim()).replace(/[.\s]+$/, "") || "no reason given";
  const cause = CAUSE_PATTERNS.find(([, phrase]) => phrase.test(reason))?.[0];
  return cause === undefined
    ? new CommandFailure(
        `pulumi ${args.slice(0, 2).join(" ")} failed: ${reason}`,
        "Fix that, and run this again",
      )
    : failureFor(cause, reason);
}

/** The failure for a cause; `reason` is what `pulumi` printed, if anything. */
export function failureFor(cause: Cause, reason = ""): PulumiFailure {
  switch (cause) {
    case "no-pulumi":
      return new NoStack(
        cause,
        'There is no "pulumi" command on PATH',
        "Install it from https://www.pulumi.com/docs/install, or add it to PATH",
      );
    case "no-project":
      return new NoStack(
        cause,
        "There is no Pulumi project in this folder",
        "Run this in the folder that has Pulumi.yaml",
      );
    case "not-logged-in":
      return new NoStack(
        cause,
        "Pulumi is not logged in",
        'Run "pulumi login", or "pulumi login --local" to store state on this machine',
      );
    case "no-stack":
      return new NoStack(
        cause,
        "No stack is selected",
        'Create one with "pulumi stack init", or select one with "pulumi stack select"',
      );
    case "unknown-stack":
      return new NoStack(
        cause,
        `The stack does not exist: ${reason}`,
        'Select one with "pulumi stack select", or name one with --stack',
      );
    case "no-passphrase":
      return new PulumiFailure(
        cause,
        "The stack's secrets can't be decrypted: no passphrase is set",
        "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE",
      );
    case "wrong-passphrase":
      return new PulumiFailure(
        cause,
        "The stack's secrets can't be decrypted: the passphrase is wrong",
        "Correct PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE",
      );
    case "locked":
      return new PulumiFailure(
        cause,
        `The stack is locked by another run: ${reason}`,
        'Wait for that run to end; if it was killed, run "pulumi cancel". Then run this again',
      );
  }
}
