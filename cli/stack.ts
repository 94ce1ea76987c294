import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { clean } from "../provider/api/redact";
import type { Source } from "../provider/config";
import { CommandFailure } from "./failure";

/** What a `pulumi` command came to. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Hears what a command prints, as it is printed. */
export type Hear = (text: string) => void;

/** A resource as `pulumi stack export` gives it, secrets encrypted unless they were asked for. */
export interface Held {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly parent?: string;
  readonly provider?: string;
}

/** One stack of the Pulumi project in this folder, through the user's own `pulumi` command. */
export class Stack {
  /** @param name as `--stack` takes it; left out, the selected one */
  constructor(
    readonly name: string | undefined,
    private readonly run: typeof pulumi = pulumi,
  ) {}

  /** The version of the `pulumi` command, such as `3.258.0`. */
  async version(): Promise<string> {
    return (await this.run(["version"])).stdout.trim().replace(/^v/, "");
  }

  /** The `tracking:*` settings of the stack, secrets opened. */
  async settings(): Promise<Source> {
    const { stdout } = await this.must(["config", "--json", "--show-secrets"]);
    const config = JSON.parse(stdout) as Record<string, { value?: string }>;
    return { get: (key) => config[`tracking:${key}`]?.value };
  }

  /** Everything that the stack holds. */
  async resources({ secrets = false } = {}): Promise<readonly Held[]> {
    const { stdout } = await this.must(["stack", "export", ...(secrets ? ["--show-secrets"] : [])]);
    const { deployment } = JSON.parse(stdout) as { deployment?: { resources?: Held[] } };
    return deployment?.resources ?? [];
  }

  /** Runs a command on the stack, however it ends. */
  async try(args: readonly string[], hear?: Hear): Promise<Finished> {
    const stack = this.name === undefined ? [] : ["--stack", this.name];
    return this.run([...args, ...stack, "--non-interactive", "--color=never"], hear);
  }

  /** Runs a command on the stack that has to succeed. Rejects with a `CommandFailure`. */
  async must(args: readonly string[], hear?: Hear): Promise<Finished> {
    const finished = await this.try(args, hear);
    if (finished.code !== 0) throw stackFailure(args, finished);
    return finished;
  }
}

/**
 * The settings that a command goes by: those of the named stack, those of the selected one where there is one, or
 * those of the environment alone.
 */
export async function settingsOf(stack: Stack): Promise<Source> {
  try {
    return await stack.settings();
  } catch (error) {
    if (stack.name !== undefined || !(error instanceof NoStack)) throw error;
    return { get: () => undefined };
  }
}

/** There is no stack to work on: no `pulumi` command, no project, or none selected. */
export class NoStack extends CommandFailure {}

/** The lines of a stack, by which nobody can put a program right faster than by its message. */
const FRAMES = /\n\s+at [^\n]+/g;

/** What a failed `pulumi` command means for a person. */
export function stackFailure(args: readonly string[], { stdout, stderr }: Finished): CommandFailure {
  const text = `${stderr} ${stdout}`.replace(/^.*?error: /s, "").replace(FRAMES, "");
  const said = clean(text.trim()) || "it gave no reason";
  if (/no Pulumi\.yaml project file|no Pulumi project found/i.test(said))
    return new NoStack("There is no Pulumi project in this folder", "Run this in the folder of Pulumi.yaml.");
  if (/no stack selected|no stack named|missing stack name/i.test(said))
    return new NoStack(
      `The stack is not there: ${sentence(said)}`,
      'Select one with "pulumi stack select", or name one with --stack.',
    );
  if (/passphrase/i.test(said))
    return new CommandFailure(
      "The stack's secrets can't be opened: the passphrase is missing or wrong",
      "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE.",
    );
  return new CommandFailure(
    `pulumi ${args.slice(0, 2).join(" ")} failed: ${sentence(said)}`,
    "Put that right, and run this again.",
  );
}

function sentence(text: string): string {
  return text.replace(/[.\s]+$/, "");
}

/** Runs the user's `pulumi`: the one on PATH, or the newest of those that Pulumi's tools keep. */
export async function pulumi(args: readonly string[], hear?: Hear): Promise<Finished> {
  return (await started("pulumi", args, hear)) ?? (await startedFromKept(args, hear)) ?? missing();
}

async function startedFromKept(args: readonly string[], hear?: Hear): Promise<Finished | undefined> {
  const versions = join(homedir(), ".pulumi", "versions");
  if (!existsSync(versions)) return undefined;
  const newest = readdirSync(versions)
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((version) => join(versions, version, "bin"))
    .find((bin) => existsSync(join(bin, "pulumi")));
  return newest === undefined ? undefined : started(join(newest, "pulumi"), args, hear);
}

/** Nothing where there is no such command. */
function started(command: string, args: readonly string[], hear?: Hear): Promise<Finished | undefined> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, [...args], { maxBuffer: 2 ** 30 }, (error, stdout, stderr) => {
      if (error?.code === "ENOENT") resolve(undefined);
      else if (error !== null && typeof error.code !== "number" && error.signal === null) reject(error);
      else resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
    if (hear !== undefined) child.stdout?.on("data", hear);
  });
}

function missing(): never {
  throw new NoStack(
    'There is no "pulumi" command on PATH',
    "Install it from https://www.pulumi.com/docs/install, or open a shell that has it.",
  );
}
