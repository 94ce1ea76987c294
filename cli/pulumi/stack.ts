import type { SettingsSource } from "../../provider/config";
import { explainFailure } from "./failure";
import { type Config, type Deployment, parseOutput, type ResourceState } from "./json-output";
import { type CommandResult, type RunOptions, runPulumi } from "./process";

/** One stack of the Pulumi project in this folder, through the user's own `pulumi` command. */
export class Stack {
  /** @param name as for `--stack`; if omitted, the selected one */
  constructor(
    readonly name: string | undefined,
    private readonly execute: typeof runPulumi = runPulumi,
  ) {}

  /** The version of the `pulumi` command, such as `3.258.0`. */
  async version(): Promise<string> {
    return (await this.execute(["version"])).stdout.trim().replace(/^v/, "");
  }

  /** The names of all stacks of the project. */
  async names(): Promise<string[]> {
    const { stdout } = await this.runOrThrow(["stack", "ls", "--json"]);
    return parseOutput("pulumi stack ls", stdout).map(({ name }) => name);
  }

  /** The name of this stack, even if it is the selected one. */
  async ownName(): Promise<string> {
    return (await this.runOrThrow(["stack", "--show-name"])).stdout.trim();
  }

  /** All settings of the stack, secrets opened. */
  async config(): Promise<Config> {
    const { stdout } = await this.runOrThrow(["config", "--json", "--show-secrets"]);
    return parseOutput("pulumi config", stdout);
  }

  /** The `tracking:*` settings of the stack, secrets opened. */
  async settings(): Promise<SettingsSource> {
    const config = await this.config();
    return { get: (key) => config[`tracking:${key}`]?.value };
  }

  /** Everything in the stack, and the pending operations of a run that has not ended. */
  async deployment({ secrets = false } = {}): Promise<Deployment> {
    const { stdout } = await this.runOrThrow(["stack", "export", ...(secrets ? ["--show-secrets"] : [])]);
    return parseOutput("pulumi stack export", stdout).deployment ?? {};
  }

  /** Every resource in the stack. */
  async resources(): Promise<readonly ResourceState[]> {
    return (await this.deployment()).resources ?? [];
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
