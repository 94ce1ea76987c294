import { type Context, diff } from "../../../provider/lifecycle";
import type { Resource, Values } from "../../../provider/schema/resource";
import { argsOf, type Command, isTarget, type Line, nameOf } from "./program";
import type { Entry, State } from "./state";
import { about, type Conduct, type Got, type Said, type Session, Steps } from "./steps";

/** What came of a run. */
export interface Outcome {
  /** What failed, and where. */
  readonly errors: readonly Failure[];
  readonly crashed: boolean;
  /** Ids that a create came to, each with its provider. */
  readonly got: readonly Got[];
  readonly said: readonly Said[];
  /** The names of those that were checked without a failure, or of whose old record it is known what becomes of it. */
  readonly checked: ReadonlySet<string>;
  readonly network: Session["network"];
}

export interface Failure {
  readonly in: "check" | "create" | "update" | "delete" | "refresh";
  readonly name: string;
  readonly text: string;
}

/**
 * The order of the engine: all is declared; one after the other is checked and compared, while what was found to do is
 * done beside; where nothing failed, what is left is deleted.
 */
export class Run {
  private readonly errors: Failure[] = [];
  private readonly steps: Steps;
  private readonly checked = new Set<string>();
  private crashed = false;
  /** The engine checks one resource at a time. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly resource: Resource,
    private readonly state: State,
    private readonly command: Command,
    private readonly conduct: Conduct,
  ) {
    this.steps = new Steps(resource, state, conduct);
  }

  async go(): Promise<Outcome> {
    const { network } = this.conduct;
    const killed = network.killed.then(() => {
      this.crashed = true;
      this.state.stop();
    });
    await Promise.race([killed, this.work()]);
    const { errors, crashed, checked } = this;
    return {
      errors: [...errors],
      crashed,
      got: [...this.steps.got],
      said: this.steps.said,
      checked,
      network,
    };
  }

  private async work(): Promise<void> {
    const { lines, reversed, refresh } = this.command;
    if (refresh)
      await Promise.all(
        this.state.entries.map((entry) => this.attempt("refresh", entry, () => this.steps.refresh(entry))),
      );
    for (const line of lines)
      this.program(line).claims.declared(
        { ...argsOf(this.resource, line), adopt: line.adopt },
        nameOf(line),
        nameOf(line),
        !line.waits,
      );
    let before: Promise<boolean> = Promise.resolve(true);
    const all = (reversed ? lines.toReversed() : lines).map((line) => {
      before = this.register(line, line.waits ? before : Promise.resolve(true));
      return before;
    });
    await Promise.all(all);
    if (this.errors.length > 0 || this.conduct.dry) return;
    const left = this.state.entries.filter(
      (entry) => !this.steps.seen.has(entry) && isTarget(this.command, entry),
    );
    await Promise.all(left.map((entry) => this.attempt("delete", entry, () => this.steps.delete(entry))));
  }

  /** Sees to a resource once those that it waits for are done; whether that came to a good end. */
  private async register(line: Line, before: Promise<boolean>): Promise<boolean> {
    if (!(await before)) return false;
    let work: Work | undefined;
    const mine = this.turn.then(async () => {
      await this.pause();
      if (this.errors.length > 0) return false;
      return this.attempt("check", line, async () => {
        work = await this.plan(line);
      });
    });
    this.turn = mine;
    if (!(await mine)) return false;
    this.checked.add(nameOf(line));
    if (work !== undefined && !this.conduct.dry && !(await this.attempt(work.is, line, work.do)))
      return false;
    this.program(line).claims.ended(nameOf(line));
    return true;
  }

  /** Checks and compares a resource; what is to be done comes back. */
  private async plan(line: Line): Promise<Work | undefined> {
    const old = this.state.of(line, this.command.lines);
    if (!isTarget(this.command, line)) {
      if (old !== undefined) this.steps.keep(old, old);
      return undefined;
    }
    const inputs = await this.steps.check(line, line.forced ? {} : (old?.inputs ?? {}));
    if (old === undefined) return { is: "create", do: () => this.steps.create(line, inputs) };
    await this.pause();
    const moves = line.forced || old.provider !== line.provider;
    const { changes, replaces } = moves
      ? { changes: true, replaces: ["provider"] }
      : this.compare(line, old, inputs);
    if (replaces.length === 0) {
      const same = { ...old, ...about(line), inputs };
      if (!changes && !old.unfinished) return void this.steps.keep(old, same);
      this.steps.seen.add(old);
      return { is: "update", do: () => this.steps.update(old, same) };
    }
    const anew = line.forced ? inputs : await this.steps.check(line, {});
    this.steps.seen.add(old);
    if (!line.deleteBeforeReplace) return { is: "create", do: () => this.steps.create(line, anew, old) };
    return {
      is: "create",
      do: async () => {
        // It stays where the program says so now, or did before.
        const pending = await this.steps.deleteFirst(old, old.retained || line.retainOnDelete);
        await this.steps.create(line, anew, pending);
      },
    };
  }

  private compare(line: Line, old: Entry, inputs: Values) {
    const { changes, replaces } = diff(this.resource, old.outputs, inputs);
    const is = this.process(line).claims.compared(old.id, inputs, replaces.length > 0);
    this.checked.add(nameOf(line));
    return { changes, replaces: replaces.length === 0 && is === "leaving" ? [this.resource.key] : replaces };
  }

  /** The engine's own work. */
  private pause(): Promise<void> {
    return this.conduct.clock.wait(this.conduct.network.pause() / 4);
  }

  private async attempt(
    step: Failure["in"],
    resource: Pick<Line, "slot" | "version">,
    work: () => Promise<void>,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.errors.push({ in: step, name: nameOf(resource), text: (error as Error).message });
      return false;
    }
  }

  private process({ provider }: Pick<Line, "provider">): Context {
    return this.conduct.processes[provider] as Context;
  }

  private program({ provider }: Line): Context {
    return this.conduct.program[provider] as Context;
  }
}

interface Work {
  readonly is: "create" | "update";
  readonly do: () => Promise<void>;
}
