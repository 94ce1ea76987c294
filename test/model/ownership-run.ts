import {
  type Context,
  check,
  create,
  diff,
  PartialFailure,
  read,
  remove,
  update,
} from "../../provider/lifecycle";
import type { Resource, Values } from "../../provider/schema/resource";
import type { Conduct } from "./ownership-process";
import { type Command, isTarget, type Line, nameOf } from "./ownership-program";
import type { Entry, State } from "./ownership-state";

/** What came of a run. */
export interface Outcome {
  readonly errors: readonly string[];
  readonly crashed: boolean;
  /** Ids that a create came to, each with its provider. */
  readonly got: readonly Pick<Entry, "provider" | "id">[];
}

class Killed extends Error {}

/** Where a resource's key, and what an update changes, stand in its arguments. */
export function argsOf({ type }: Resource, { key, variant, adopt }: Line): Values {
  return type === "Website"
    ? { domain: `k${key}.example.com`, excludeBots: variant === 0, adopt }
    : { name: `k${key}`, type: "bing", value: `v${variant}`, adopt };
}

/**
 * The order of the engine: all is declared; one after the other is checked and compared, while what was found to do is
 * done beside; where nothing failed, what is left is deleted.
 */
export class Run {
  private readonly errors: string[] = [];
  private readonly got: Pick<Entry, "provider" | "id">[] = [];
  private readonly seen = new Set<Entry>();
  private crashed = false;
  private steps = 0;

  constructor(
    private readonly resource: Resource,
    private readonly state: State,
    private readonly command: Command,
    private readonly begun: { readonly processes: readonly Context[]; readonly conduct: Conduct },
  ) {}

  async go(): Promise<Outcome> {
    const { lines, reversed, refresh } = this.command;
    if (refresh)
      await Promise.all(this.state.entries.map((entry) => this.attempt(() => this.refresh(entry))));
    const { resource } = this;
    for (const line of lines)
      this.claims(line).declared(argsOf(resource, line), nameOf(line), nameOf(line), true);
    const under: Promise<void>[] = [];
    for (const line of reversed ? lines.toReversed() : lines) {
      if (this.errors.length > 0 || this.crashed) break;
      await this.attempt(async () => {
        const work = await this.plan(line);
        if (work !== undefined) under.push(this.attempt(work));
      });
    }
    if (this.errors.length > 0 || this.crashed) this.begun.conduct.stopped = true;
    await Promise.all(under);
    if (this.errors.length === 0 && !this.crashed) {
      const left = this.state.entries.filter(
        (entry) => !this.seen.has(entry) && isTarget(this.command, entry),
      );
      await Promise.all(left.map((entry) => this.attempt(() => this.delete(entry))));
    }
    return { errors: this.errors, crashed: this.crashed, got: this.got };
  }

  /** Checks and compares a resource; what is to be done comes back. */
  private async plan(line: Line): Promise<(() => Promise<void>) | undefined> {
    const { resource, state } = this;
    const old = state.of(line, this.command.lines);
    if (!isTarget(this.command, line)) {
      this.claims(line).ended(nameOf(line));
      if (old !== undefined) this.keep(old, old);
      return undefined;
    }
    const inputs = await this.check(line, line.forced ? {} : (old?.inputs ?? {}));
    const about = this.about(line);
    if (old === undefined) return () => this.create(line, inputs);
    const moves = line.forced || old.provider !== line.provider;
    const { changes, replaces } = moves
      ? { changes: true, replaces: ["provider"] }
      : diff(resource, old.outputs, inputs);
    if (!moves) this.claims(line).compared(old.id, inputs, replaces.length > 0);
    if (replaces.length === 0) {
      const same = { ...old, ...about, inputs };
      if (!changes && !old.unfinished) return void this.keep(old, same);
      this.seen.add(old);
      return () => this.update(old, same);
    }
    const anew = line.forced ? inputs : await this.check(line, {});
    if (!line.deleteBeforeReplace) {
      this.seen.add(old);
      return () => this.create(line, anew, old);
    }
    this.seen.add(old);
    return async () => {
      await this.delete(old);
      await this.create(line, anew);
    };
  }

  private about({ slot, version, provider, retainOnDelete }: Line) {
    return { slot, version, provider, retained: retainOnDelete, replaced: false, unfinished: false };
  }

  private async check(line: Line, olds: Values): Promise<Values> {
    const { values, failures } = await check(
      {
        resource: this.resource,
        notify: () => {},
        context: () => this.process(line),
        claims: this.claims(line),
      },
      {
        olds,
        news: argsOf(this.resource, line),
        options: {
          name: nameOf(line),
          token: nameOf(line),
          protect: false,
          retained: line.retainOnDelete,
          deleteBeforeReplace: line.deleteBeforeReplace,
        },
      },
    );
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    return values;
  }

  private async create(line: Line, inputs: Values, old?: Entry): Promise<void> {
    const about = { ...this.about(line), inputs };
    const { provider } = line;
    const add = (id: string, outputs: Values, unfinished: boolean) => {
      this.got.push({ provider, id });
      if (old !== undefined) this.state.change(old, { ...old, replaced: true });
      this.track({ ...about, id, outputs, unfinished });
    };
    await this.step(
      () => create(this.process(line), inputs),
      ({ id, state }) => add(id, state, false),
      (error) => {
        if (error instanceof PartialFailure) add(error.id, error.state, true);
      },
    );
  }

  private update(old: Entry, now: Entry): Promise<void> {
    return this.step(
      () => update(this.process(now), old.id, old.outputs, now.inputs),
      (outputs) => this.keep(old, { ...now, outputs }),
    );
  }

  private async delete(entry: Entry): Promise<void> {
    if (entry.retained) return this.state.drop(entry);
    await this.step(
      () => remove(this.process(entry), entry.id, entry.outputs),
      () => this.state.drop(entry),
    );
  }

  private async refresh(entry: Entry): Promise<void> {
    const found = await read(this.process(entry), entry.id, entry.outputs);
    if (found === undefined) this.state.drop(entry);
    else this.state.change(entry, { ...entry, outputs: found.state });
  }

  private keep(old: Entry, now: Entry): void {
    this.seen.add(now);
    this.state.change(old, now);
  }

  private track(entry: Entry): void {
    this.seen.add(entry);
    this.state.add(entry);
  }

  /** A step; what it came to is written, unless the engine is killed before or after it. */
  private async step<T>(
    work: () => Promise<T>,
    write: (came: T) => void,
    fail: (error: unknown) => void = () => {},
  ): Promise<void> {
    const { crash } = this.command;
    if (this.crashed) throw new Killed();
    const last = crash?.at === this.steps;
    this.steps += 1;
    const kill = () => {
      this.crashed = true;
      this.state.stop();
    };
    if (last && crash?.done === false) kill();
    if (this.crashed) throw new Killed();
    try {
      const came = await work();
      if (last) kill();
      write(came);
    } catch (error) {
      fail(error);
      throw error;
    }
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((error: Error) => {
      if (!(error instanceof Killed)) this.errors.push(error.message);
    });
  }

  private process({ provider }: Pick<Line, "provider">): Context {
    return this.begun.processes[provider] as Context;
  }

  private claims(line: Line) {
    return this.process(line).claims;
  }
}
