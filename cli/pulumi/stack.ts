/** Runs the user's `pulumi`, reads what it prints, and explains its failures. */
import { z } from "zod";
import { registerSecret } from "../../provider/api/redact";
import { EXPLICIT, type NamedStack, type SettingsSource, secretsIn } from "../../provider/config";
import { CommandFailure } from "../failure";
import { explainFailure } from "./explain-failure";
import { type Config, config, type Deployment, deployment, parseOutput } from "./json-output";
import { type CommandResult, type RunOptions, runPulumi } from "./process";

/** The first version of `pulumi` whose import can take inputs and outputs from a file. */
const MIN_VERSION = "3.254.0";

/**
 * The `tracking:*` settings in a stack's config. The mark of an explicit provider is not one of them.
 *
 * @param stack for messages, if it may not be the selected one
 */
export function settingsIn(config: Config, stack?: NamedStack): SettingsSource {
  return { stack, get: (key) => (key === EXPLICIT ? undefined : config[`tracking:${key}`]?.value) };
}

/** One stack of the Pulumi project in this folder, through the user's own `pulumi` command. */
export class Stack {
  /** @param name as for `--stack`; if omitted, the selected one */
  constructor(
    readonly name: string | undefined,
    private readonly execute: typeof runPulumi = runPulumi,
  ) {}

  /** Rejects if the `pulumi` command is too old to import. */
  async requireImportSupport(): Promise<void> {
    const version = (await this.execute(["version"])).stdout.trim().replace(/^v/, "");
    if (version.localeCompare(MIN_VERSION, "en", { numeric: true }) >= 0) return;
    throw new CommandFailure(
      `pulumi ${version} can't import records: ${MIN_VERSION} or later is required`,
      "Update it, or give each resource adopt: true, and the next up adopts its record",
    );
  }

  /** The names of all stacks of the project. */
  async names(): Promise<string[]> {
    const stacks = await this.read(["stack", "ls", "--json"], z.array(z.object({ name: z.string() })));
    return stacks.map(({ name }) => name);
  }

  /** The name of this stack, even if it is the selected one. */
  async ownName(): Promise<string> {
    return (await this.runOrThrow(["stack", "--show-name"])).stdout.trim();
  }

  /** All settings of the stack, secrets opened. From then on, no message shows these. */
  async config(): Promise<Config> {
    const settings = await this.read(["config", "--json", "--show-secrets"], config);
    for (const { value, secret } of Object.values(settings))
      if (secret) for (const each of secretsIn(value ?? "")) registerSecret(each);
    return settings;
  }

  /** Everything in the stack, secrets opened, and the pending operations of a run that has not ended. */
  async deployment(): Promise<Deployment> {
    const exported = z.object({ deployment: deployment.nullish() });
    return (await this.read(["stack", "export", "--show-secrets"], exported)).deployment ?? {};
  }

  private async read<T>(args: readonly string[], schema: z.ZodType<T>): Promise<T> {
    return parseOutput(`pulumi ${args.slice(0, 2).join(" ")}`, schema, (await this.runOrThrow(args)).stdout);
  }

  /** Runs a command on the stack, however it ends. */
  async run(args: readonly string[], running?: RunOptions): Promise<CommandResult> {
    const stack = this.name === undefined ? [] : ["--stack", this.name];
    return this.execute([...args, ...stack, "--non-interactive", "--color=never"], running);
  }

  /** Runs a command on the stack that has to succeed. Rejects with a `CommandFailure`. */
  async runOrThrow(args: readonly string[], running?: RunOptions): Promise<CommandResult> {
    const finished = await this.run(args, running);
    if (finished.code !== 0) throw explainFailure(args, finished);
    return finished;
  }
}
