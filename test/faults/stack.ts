import { beginProcess, type DynamicProvider } from "./process";

/** One resource of a program. */
export interface Declared {
  readonly type: "Website" | "Pixel";
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

type Bag = Record<string, unknown>;

interface Entry {
  readonly type: Declared["type"];
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
  /** Its create was partial, so the next `up` calls update. */
  readonly unfinished: boolean;
}

const PROVIDER = { __provider: "constant" };
/** Stands for values that the host marked as secrets. */
const SEAL = "4dabf18193072939515e22adb298388d";

/** What a resource's class tells its provider, since the engine does not: which resource it is. */
function hintsOf({ type, name }: Declared): Bag {
  const urn = `urn:pulumi:dev::model::pulumi-nodejs:dynamic/tracking:${type}::${name}`;
  return { __resource: JSON.stringify({ urn }) };
}

/**
 * A stack in a small simulated engine: it keeps state and calls the host as the real one does, and starts a new provider
 * process with every command. `test/engine` tests what this cannot show.
 */
export class Stack {
  readonly state = new Map<string, Entry>();

  constructor(readonly settings: Record<string, string>) {}

  ids(): string[] {
    return [...this.state.values()].map(({ id }) => id).sort();
  }

  /** Makes the service match the program: first everything declared, then it deletes what no longer is. */
  up(declared: readonly Declared[]): Promise<Ended> {
    return this.run(async (host, end) => {
      const planned = await this.plan(host, declared, end);
      await Promise.all(planned.map((step) => end.attempt(() => this.apply(host, step, end))));
      if (end.errors.length > 0) return;
      const names = new Set(declared.map(({ name }) => name));
      await this.removeAll(
        host,
        [...this.state.keys()].filter((name) => !names.has(name)),
        end,
      );
    });
  }

  /** What `up` would do. */
  preview(declared: readonly Declared[]): Promise<Ended> {
    return this.run(async (host, end) => {
      for (const { op, name } of await this.plan(host, declared, end)) end.steps.push(`${op} ${name}`);
      const names = new Set(declared.map(({ name }) => name));
      for (const name of this.state.keys()) if (!names.has(name)) end.steps.push(`delete ${name}`);
    });
  }

  refresh(): Promise<Ended> {
    return this.run(async (host, end) => {
      const read = async (name: string, old: Entry) => {
        const { id, props, inputs } = await host[old.type].read(old.id, opened(old.outputs));
        if (id === undefined || id === "") {
          this.state.delete(name);
          end.steps.push(`gone ${name}`);
          return;
        }
        const outputs = { ...props };
        const { changes } = await host[old.type].diff(old.id, opened(outputs), opened(old.inputs));
        if (changes) end.steps.push(`drift ${name}`);
        this.state.set(name, {
          ...old,
          ...(changes ? { outputs, inputs: inputs === undefined ? old.inputs : { ...inputs } } : {}),
          unfinished: false,
        });
      };
      await Promise.all([...this.state].map(([name, old]) => end.attempt(() => read(name, old))));
    });
  }

  destroy(): Promise<Ended> {
    return this.run((host, end) => this.removeAll(host, [...this.state.keys()], end));
  }

  /** Refreshes, then makes the service match the program. */
  async mend(declared: readonly Declared[]): Promise<Pick<Ended, "errors">> {
    const { errors } = await this.refresh();
    return { errors: [...errors, ...(await this.up(declared)).errors] };
  }

  private async plan(host: DynamicProvider, declared: readonly Declared[], end: Ending): Promise<Step[]> {
    const steps: Step[] = [];
    for (const resource of declared) {
      const { type, name, args } = resource;
      await end.attempt(async () => {
        const old = this.state.get(name);
        const news = { ...args, ...PROVIDER, ...hintsOf(resource) };
        const checked = await host[type].check(opened(old?.inputs ?? {}), news);
        const inputs = checked.inputs as Bag;
        if (checked.failures?.length)
          throw new Error(checked.failures.map(({ reason }) => reason).join("; "));
        if (old === undefined) steps.push({ op: "create", type, name, inputs });
        else {
          const { changes, replaces } = await host[type].diff(old.id, opened(old.outputs), opened(inputs));
          if (replaces?.length) steps.push({ op: "replace", type, name, inputs, old });
          else if (changes || old.unfinished) steps.push({ op: "update", type, name, inputs, old });
        }
      });
    }
    return steps;
  }

  private async apply(
    host: DynamicProvider,
    { op, type, name, inputs, old }: Step,
    end: Ending,
  ): Promise<void> {
    end.steps.push(`${op} ${name}`);
    try {
      if (op === "update" && old !== undefined) {
        const { outs } = await host[type].update(old.id, opened(old.outputs), opened(inputs));
        this.state.set(name, {
          type,
          id: old.id,
          inputs,
          outputs: { ...outs, ...PROVIDER },
          unfinished: false,
        });
        return;
      }
      const { id, outs } = await host[type].create(opened(inputs));
      this.state.set(name, { type, id, inputs, outputs: { ...outs, ...PROVIDER }, unfinished: false });
      if (old !== undefined) this.state.set(`${name} (old)`, old);
    } catch (error) {
      if (isHalfDone(error))
        this.state.set(name, { type, id: error.id, inputs, outputs: error.properties, unfinished: true });
      throw error;
    }
    const replaced = this.state.get(`${name} (old)`);
    if (replaced !== undefined) await this.removeAll(host, [`${name} (old)`], end);
  }

  private async removeAll(host: DynamicProvider, names: readonly string[], end: Ending): Promise<void> {
    await Promise.all(
      names.map((name) =>
        end.attempt(async () => {
          const { type, id, outputs } = this.state.get(name) as Entry;
          end.steps.push(`delete ${name}`);
          await host[type].delete(id, opened(outputs));
          this.state.delete(name);
        }),
      ),
    );
  }

  private async run(work: (host: DynamicProvider, end: Ending) => Promise<void>): Promise<Ended> {
    const { host, said, leave } = await beginProcess(this.settings);
    const end = new Ending();
    try {
      await work(host, end);
    } finally {
      leave();
    }
    return { steps: end.steps, errors: end.errors, said };
  }
}

/** The outcome of a command: the number of its steps, and the messages of those that failed. */
export interface Ended {
  readonly steps: readonly string[];
  readonly errors: readonly string[];
  /** The lines that the provider printed. */
  readonly said: readonly string[];
}

/** A running command: collects its steps and failures. */
class Ending {
  readonly steps: string[] = [];
  readonly errors: string[] = [];

  /** A step that fails does not stop the others. */
  async attempt(step: () => Promise<void>): Promise<void> {
    await step().catch((error: unknown) => {
      this.errors.push(error instanceof Error ? error.message : String(error));
    });
  }
}

interface Step {
  readonly op: "create" | "update" | "replace";
  readonly type: Declared["type"];
  readonly name: string;
  readonly inputs: Bag;
  readonly old?: Entry;
}

function isHalfDone(error: unknown): error is { id: string; properties: Bag } {
  return error instanceof Error && "id" in error && "properties" in error;
}

/** Inputs as a provider gets them, with secrets decrypted. */
function opened(bag: Bag): Bag {
  const isSealed = (value: unknown): value is { value: unknown } =>
    typeof value === "object" && value !== null && SEAL in value;
  return Object.fromEntries(
    Object.entries(bag).map(([name, value]) => [name, isSealed(value) ? value.value : value]),
  );
}
