import { randomUUID } from "node:crypto";
import { type Context, remove } from "../../provider/lifecycle";
import type { Resource } from "../../provider/schema/resource";
import { beginProcess, type Conduct } from "./ownership-process";
import type { Command } from "./ownership-program";
import { type Outcome, Run } from "./ownership-run";
import { State } from "./ownership-state";

/** Keeps the state of one stack, and begins a run's processes. */
export class Engine {
  readonly state = new State();

  constructor(
    private readonly resource: Resource,
    /** The address of the service of each provider. */
    private readonly urls: readonly string[],
    private readonly folder: string,
  ) {}

  async up(command: Command): Promise<Outcome> {
    const run = new Run(this.resource, this.state, command, this.begin(false));
    return run.go();
  }

  /** Deletes all that is in state; the program is not asked. */
  async destroy(): Promise<readonly string[]> {
    const { processes } = this.begin(true);
    const errors: string[] = [];
    for (const entry of this.state.entries) {
      if (entry.retained) this.state.drop(entry);
      else
        await remove(processes[entry.provider] as Context, entry.id, entry.outputs).then(
          () => this.state.drop(entry),
          (error: Error) => errors.push(error.message),
        );
    }
    return errors;
  }

  /** A run has a journal, and each provider a process, of its own. */
  private begin(destroys: boolean): { processes: Context[]; conduct: Conduct } {
    const conduct: Conduct = { address: randomUUID(), folder: this.folder, destroys, stopped: false };
    this.state.begin();
    return { processes: this.urls.map((url) => beginProcess(this.resource, url, conduct)), conduct };
  }
}
