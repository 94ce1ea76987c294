import { sanitize } from "../../provider/api/redact";
import { CommandFailure } from "../failure";

/** Why no `pulumi` command can work on a stack here, whichever it is. */
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

/** A `pulumi` command can't work here, and why: the first thing that a person has to put right. */
export class PulumiFailure extends CommandFailure {
  constructor(
    readonly rootCause: Cause,
    problem: string,
    remedy: string,
  ) {
    super(problem, remedy);
  }
}

/** There is no stack to work on; a command that needs none goes on without. */
export class NoStack extends PulumiFailure {}

/** What `pulumi` printed when it failed. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** How `pulumi` says it, in the order in which one hides the other. */
const CAUSE_PATTERNS: readonly (readonly [Cause, RegExp])[] = [
  ["no-project", /no Pulumi\.yaml project file|no Pulumi project found/i],
  ["not-logged-in", /PULUMI_ACCESS_TOKEN must be set|please run `?pulumi login|not logged in/i],
  ["unknown-stack", /no stack named/i],
  ["no-stack", /no stack selected|missing stack name/i],
  ["wrong-passphrase", /incorrect passphrase/i],
  ["no-passphrase", /passphrase must be set/i],
  ["locked", /stack is currently locked|another update is (currently|already) in progress/i],
];

/** The lines of a stack, by which nobody can put a program right faster than by its message. */
const STACK_FRAMES = /\n\s+at [^\n]+/g;

/** What a failed `pulumi` command means for a person. */
export function explainFailure(args: readonly string[], { stdout, stderr }: Printed): CommandFailure {
  const text = `${stderr} ${stdout}`.replace(/^.*?error: /s, "").replace(STACK_FRAMES, "");
  const said = sanitize(text.trim()).replace(/[.\s]+$/, "") || "it gave no reason";
  const cause = CAUSE_PATTERNS.find(([, phrase]) => phrase.test(said))?.[0];
  return cause === undefined
    ? new CommandFailure(
        `pulumi ${args.slice(0, 2).join(" ")} failed: ${said}`,
        "Put that right, and run this again.",
      )
    : failureFor(cause, said);
}

/** The failure for a cause; `said` is what `pulumi` said of it, where it did. */
export function failureFor(cause: Cause, said = ""): PulumiFailure {
  switch (cause) {
    case "no-pulumi":
      return new NoStack(
        cause,
        'There is no "pulumi" command on PATH',
        "Install it from https://www.pulumi.com/docs/install, or open a shell that has it.",
      );
    case "no-project":
      return new NoStack(
        cause,
        "There is no Pulumi project in this folder",
        "Run this in the folder of Pulumi.yaml.",
      );
    case "not-logged-in":
      return new NoStack(
        cause,
        "Pulumi is not logged in, so it has no stack",
        'Run "pulumi login", or "pulumi login --local" to keep state on this machine.',
      );
    case "no-stack":
      return new NoStack(
        cause,
        "No stack is selected",
        'Select one with "pulumi stack select", or name one with --stack.',
      );
    case "unknown-stack":
      return new NoStack(
        cause,
        `The stack is not there: ${said}`,
        'Select one with "pulumi stack select", or name one with --stack.',
      );
    case "no-passphrase":
      return new PulumiFailure(
        cause,
        "The stack's secrets can't be opened: no passphrase is set",
        "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE.",
      );
    case "wrong-passphrase":
      return new PulumiFailure(
        cause,
        "The stack's secrets can't be opened: the passphrase is wrong",
        "Correct PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE.",
      );
    case "locked":
      return new PulumiFailure(
        cause,
        `The stack is locked by another run: ${said}`,
        'Wait until that run has ended; if it was killed, run "pulumi cancel". Then run this again.',
      );
  }
}
