import type { Source } from "../../provider/config/endpoint";
import { type Config, type Deployment, parseAnswer, type Stored } from "./answers";
import { NoStack, stackFailure } from "./cause";
import { type Finished, pulumi, type Running } from "./command";

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

  /** The names of all stacks of the project. */
  async names(): Promise<string[]> {
    const { stdout } = await this.must(["stack", "ls", "--json"]);
    return parseAnswer("pulumi stack ls", stdout).map(({ name }) => name);
  }

  /** The name of this stack, also where it is the selected one. */
  async ownName(): Promise<string> {
    return (await this.must(["stack", "--show-name"])).stdout.trim();
  }

  /** All settings of the stack, secrets opened. */
  async config(): Promise<Config> {
    const { stdout } = await this.must(["config", "--json", "--show-secrets"]);
    return parseAnswer("pulumi config", stdout);
  }

  /** The `tracking:*` settings of the stack, secrets opened. */
  async settings(): Promise<Source> {
    const config = await this.config();
    return { get: (key) => config[`tracking:${key}`]?.value };
  }

  /** Everything that the stack holds, and what a run that has not ended is about to do. */
  async deployment({
    secrets = false,
    ...running
  }: Running & { secrets?: boolean } = {}): Promise<Deployment> {
    const args = ["stack", "export", ...(secrets ? ["--show-secrets"] : [])];
    const { stdout } = await this.must(args, running);
    return parseAnswer("pulumi stack export", stdout).deployment ?? {};
  }

  /** Every resource that the stack holds. */
  async resources(options: Running & { secrets?: boolean } = {}): Promise<readonly Stored[]> {
    return (await this.deployment(options)).resources ?? [];
  }

  /** Runs a command on the stack, however it ends. */
  async try(args: readonly string[], running?: Running): Promise<Finished> {
    const stack = this.name === undefined ? [] : ["--stack", this.name];
    return this.run([...args, ...stack, "--non-interactive", "--color=never"], running);
  }

  /** Runs a command on the stack that has to succeed. Rejects with a `CommandFailure`. */
  async must(args: readonly string[], running?: Running): Promise<Finished> {
    const finished = await this.try(args, running);
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
