import { type Context, remove } from "../../../provider/lifecycle";
import type { Resource } from "../../../provider/schema/resource";
import type { Clock } from "./clock";
import { type Happening, Network } from "./network";
import { beginProcess, Journals } from "./process";
import { type Command, placeOf, type Story } from "./program";
import { type Outcome, Run } from "./run";
import type { Service } from "./service";
import { type Entry, State } from "./state";
import type { Session } from "./steps";

/** The provider's number of the process that runs the program. */
const PROVIDERS = [0, 1] as const;
const CALM = { faults: [], acts: [], crash: undefined, slow: undefined } as const;

/** Keeps the state of one stack, and begins a run's processes. */
export class Engine {
  readonly state = new State();
  private readonly journals: Journals;
  private readonly random: () => number;

  constructor(
    private readonly resource: Resource,
    private readonly story: Story,
    private readonly services: readonly Service[],
    private readonly clock: Clock,
  ) {
    this.journals = new Journals(clock);
    this.random = randomFrom(story.pace);
  }

  /** What a preview says, and does not do. */
  preview(command: Command): Promise<Outcome> {
    const calm = { ...command, ...CALM, refresh: false };
    return this.run(calm, true);
  }

  up(command: Command): Promise<Outcome> {
    return this.run(command, false);
  }

  /** Deletes all that is in state; the program is not asked. */
  async destroy(): Promise<readonly string[]> {
    const { processes } = this.begin(CALM, true);
    const errors: string[] = [];
    const all = this.state.entries.map(async (entry: Entry) => {
      if (entry.retained || entry.pending) return this.state.drop(entry);
      await remove(processes[entry.provider] as Context, entry.id, entry.outputs).then(
        () => this.state.drop(entry),
        (error: Error) => errors.push(error.message),
      );
    });
    await this.clock.drive(Promise.all(all));
    return errors;
  }

  private run(command: Command, dry: boolean): Promise<Outcome> {
    const session = this.begin(command, false);
    const run = new Run(this.resource, this.state, command, { ...session, clock: this.clock, dry });
    return this.clock.drive(run.go());
  }

  /** Each provider has a process of its own. */
  private begin(command: Pick<Command, Happening>, destroys: boolean): Session {
    this.journals.begin();
    this.state.begin();
    const { second } = this.story;
    const network = new Network(this.clock, command, this.random, ({ place }, id) =>
      this.state.entries.every(
        (entry) => entry.id !== `${id}` || placeOf(this.story, entry.provider) !== place,
      ),
    );
    const program = this.journals.open("program");
    const of = (provider: number, journal = this.journals.open(`${provider}`, network.behind(provider))) => {
      const is = provider === 1 ? second : "same";
      const baseUrl =
        is === "apart" ? "https://b.example" : `https://a${is === "other address" ? 2 : ""}.example`;
      return beginProcess(this.resource, {
        journal,
        account: { baseUrl, key: is === "other key" ? "another" : "one" },
        destroys,
        clock: this.clock,
        api: network.api(this.services[placeOf(this.story, provider)] as Service, provider),
      });
    };
    return {
      processes: PROVIDERS.map((provider) => of(provider)),
      program: PROVIDERS.map((provider) => of(provider, program)),
      network,
    };
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
