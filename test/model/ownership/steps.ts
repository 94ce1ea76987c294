import {
  type Context,
  check,
  create,
  PartialFailure,
  read,
  remove,
  update,
} from "../../../provider/lifecycle";
import type { Resource, Values } from "../../../provider/schema/resource";
import type { Clock } from "./clock";
import type { Network } from "./network";
import { argsOf, keyIn, type Line, nameOf } from "./program";
import type { Entry, State } from "./state";

/** All that one run of the engine works with. */
export interface Session {
  readonly processes: readonly Context[];
  /** The same as the process that runs the program knows it. */
  readonly program: readonly Context[];
  readonly network: Network;
}

/** What people were told of a key of a provider. */
export interface Said extends Pick<Line, "provider" | "key"> {
  readonly text: string;
}

/** What a create came to, and when. */
export interface Got extends Pick<Entry, "provider" | "id"> {
  readonly at: number;
}

export interface Conduct extends Session {
  readonly clock: Clock;
  /** It only asks what would be done. */
  readonly dry: boolean;
}

/** What the engine asks of a provider's process, and what it writes in state of it. */
export class Steps {
  readonly got: Got[] = [];
  readonly said: Said[] = [];
  /** What the program still has, or what was replaced. */
  readonly seen = new Set<Entry>();
  private readonly died: readonly Promise<void>[];

  constructor(
    private readonly resource: Resource,
    private readonly state: State,
    private readonly conduct: Conduct,
  ) {
    this.died = conduct.processes.map((_, provider) => conduct.network.died(provider));
  }

  async check(line: Line, olds: Values): Promise<Values> {
    const name = nameOf(line);
    const process = this.conduct.processes[line.provider] as Context;
    const { values, failures } = await this.call(line.provider, () =>
      check(
        {
          resource: this.resource,
          notify: ({ subject, text }) =>
            void this.said.push({ provider: line.provider, key: keyIn(subject), text }),
          context: () => process,
          claims: process.claims,
        },
        {
          olds,
          news: { ...argsOf(this.resource, line), adopt: line.adopt },
          options: {
            name,
            token: name,
            protect: false,
            retained: line.retainOnDelete,
            deleteBeforeReplace: line.deleteBeforeReplace,
          },
        },
      ),
    );
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    return values;
  }

  /** Makes a record; the one in whose place it is goes afterwards, or is gone already. */
  async create(line: Line, inputs: Values, old?: Entry): Promise<void> {
    const add = (id: string, outputs: Values, unfinished: boolean) => {
      this.got.push({ provider: line.provider, id, at: this.conduct.clock.now });
      if (old?.pending) this.state.drop(old);
      else if (old !== undefined)
        this.state.change(old, { ...old, replaced: true, retained: old.retained || line.retainOnDelete });
      this.track({ ...about(line), inputs, id, outputs, unfinished });
    };
    try {
      const { id, state } = await this.call(line.provider, (context) => create(context, inputs));
      add(id, state, false);
    } catch (error) {
      if (error instanceof PartialFailure) add(error.id, error.state, true);
      throw error;
    }
  }

  async update(old: Entry, now: Entry): Promise<void> {
    const outputs = await this.call(now.provider, (context) =>
      update(context, old.id, old.outputs, now.inputs),
    );
    this.keep(old, { ...now, outputs });
  }

  /** Deletes what is replaced before the other is made; a run that ends between them has left it so. */
  async deleteFirst(entry: Entry, retained: boolean): Promise<Entry> {
    if (entry.pending) return entry;
    if (!retained) await this.call(entry.provider, (context) => remove(context, entry.id, entry.outputs));
    const now = { ...entry, pending: true };
    this.state.change(entry, now);
    return now;
  }

  async delete(entry: Entry): Promise<void> {
    if (!entry.retained && !entry.pending)
      await this.call(entry.provider, (context) => remove(context, entry.id, entry.outputs));
    this.state.drop(entry);
  }

  async refresh(entry: Entry): Promise<void> {
    const found = await this.call(entry.provider, (context) => read(context, entry.id, entry.outputs));
    if (found === undefined) this.state.drop(entry);
    else this.state.change(entry, { ...entry, outputs: found.state });
  }

  keep(old: Entry, now: Entry): void {
    this.seen.add(now);
    if (!this.conduct.dry) this.state.change(old, now);
  }

  private track(entry: Entry): void {
    this.seen.add(entry);
    this.state.add(entry);
  }

  /** A call to a provider's process, which may be killed meanwhile. */
  private call<T>(provider: number, work: (context: Context) => Promise<T>): Promise<T> {
    const died = this.died[provider]?.then(() => {
      throw new Error("the provider's process has ended");
    });
    const { clock, network, processes } = this.conduct;
    const done = clock.wait(network.behind(provider)).then(() => work(processes[provider] as Context));
    return Promise.race([done, died as Promise<never>]);
  }
}

/** What is kept of a resource beside its record. */
export function about({ slot, version, provider, retainOnDelete }: Line) {
  return {
    slot,
    version,
    provider,
    retained: retainOnDelete,
    replaced: false,
    pending: false,
    unfinished: false,
  };
}
