import fc from "fast-check";
import { expect, it } from "vitest";
import type { Request, Response } from "../../provider/api/api";
import {
  type Context,
  check,
  create,
  diff,
  type Entry,
  hold,
  Ledger,
  ResourceLedger,
  type RunFile,
  remove,
  update,
} from "../../provider/lifecycle";
import { pixel, website } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import type { Resource, Values } from "../../provider/schema/resource";
import { parametersOf } from "./sizes";

/** A resource of a program. */
interface Line {
  readonly name: number;
  readonly key: number;
  readonly adopt: boolean;
  readonly provider: 0 | 1;
  readonly deletesFirst: boolean;
}
/** One program and how the engine comes through it. */
interface Command {
  readonly lines: readonly Line[];
  /** The order in which it takes what it could do next. */
  readonly order: readonly number[];
  /** It ends before it deletes what is no longer declared. */
  readonly cut: boolean;
}
interface Held {
  readonly name: number;
  readonly id: string;
  readonly state: Values;
  readonly provider: 0 | 1;
  /** It is replaced: only its delete is left. */
  readonly old: boolean;
}

const line = fc.record<Line>({
  name: fc.nat({ max: 2 }),
  key: fc.nat({ max: 2 }),
  adopt: fc.boolean(),
  provider: fc.constantFrom(0, 1),
  deletesFirst: fc.boolean(),
});
const command = fc.record<Command>({
  lines: fc.uniqueArray(line, { selector: ({ name }) => name, maxLength: 3 }),
  order: fc.array(fc.nat({ max: 60 }), { minLength: 8, maxLength: 8 }),
  cut: fc.boolean(),
});
const story = fc.record({
  kind: fc.constantFrom("website" as const, "pixel" as const),
  foreign: fc.boolean(),
  commands: fc.array(command, { minLength: 2, maxLength: 4 }),
});

/** A service of one account, in memory. */
class Service {
  readonly rows = new Map<string, string>();
  readonly deleted: string[] = [];
  private count = 0;

  constructor(private readonly resource: Resource) {}

  insert(key: string): string {
    this.count += 1;
    this.rows.set(`${this.count}`, key);
    return `${this.count}`;
  }

  record(id: string): RemoteRecord | undefined {
    const key = this.rows.get(id);
    return key === undefined ? undefined : { id, values: { [this.resource.key]: key } };
  }

  readonly api = async ({ method, path, form }: Request): Promise<Response> => {
    await Promise.resolve();
    const id = path.slice(this.resource.path.length + 1);
    const key = form?.[this.resource.key];
    if (method === "DELETE") {
      this.rows.delete(id);
      this.deleted.push(id);
      return { body: undefined } as Response;
    }
    const at = method === "POST" ? this.insert(`${key}`) : id;
    if (method === "PUT" && key !== undefined) this.rows.set(id, `${key}`);
    return { body: { data: { id: at, [this.resource.key]: this.rows.get(at) } } } as Response;
  };
}

/** The two processes of one run. */
function processes(resource: Resource, service: Service): readonly [Context, Context] {
  const entries: Entry[] = [];
  const begin = (writer: string): Context => {
    let seen = 0;
    const file: RunFile = {
      writer,
      exchange: (entry) => {
        const news = entries.slice(seen).concat(entry);
        seen = entries.push(entry);
        return news;
      },
    };
    const fetch = async (id: string) => service.record(id);
    const account = { baseUrl: "https://a.example", key: "key" };
    return {
      resource,
      api: service.api,
      records: {
        fetch,
        read: fetch,
        findByKey: async () => [...service.rows.keys()].map((id) => service.record(id) as RemoteRecord),
        invalidate: () => {},
      },
      ledger: new ResourceLedger(new Ledger(file), resource, account),
      warn: () => {},
      sleep: async () => {},
      clock: () => 0,
    };
  };
  return [begin("a"), begin("b")];
}

/** A stack, and an engine that checks one resource after the other and works at several. */
class Stack {
  held: Held[] = [];

  constructor(
    private readonly resource: Resource,
    private readonly service: Service,
  ) {}

  /** Returns the first refusal. */
  async run({ lines, order, cut }: Command, dry: boolean): Promise<string | undefined> {
    const both = processes(this.resource, this.service);
    const open = [...lines];
    const tasks: (() => Promise<unknown>)[] = [];
    let at = dry ? 3 : 0;
    let error: string | undefined;
    const attempt = async (work: () => Promise<unknown>) => {
      await work().catch((reason: Error) => {
        error ??= reason.message;
      });
    };
    while (error === undefined && open.length + tasks.length > 0) {
      const pick = (order[at++ % order.length] ?? 0) % (open.length + tasks.length);
      const [next] = pick < open.length ? open.splice(pick, 1) : [];
      const running = next === undefined ? tasks.splice(pick - open.length, 2) : [];
      if (next !== undefined)
        await attempt(async () => tasks.push(...(await this.plan(both[next.provider], next, both))));
      else if (!dry) await Promise.all(running.map(attempt));
    }
    await Promise.all(dry ? [] : tasks.map(attempt));
    if (dry || error !== undefined || cut) return error;
    const names = new Set(lines.map(({ name }) => name));
    const rest = this.held.filter(({ name, old }) => old || !names.has(name));
    await Promise.all(rest.map((each) => attempt(() => this.drop(both, each))));
    return error;
  }

  private async plan(
    context: Context,
    line: Line,
    both: readonly Context[],
  ): Promise<(() => Promise<unknown>)[]> {
    const { name, provider } = line;
    const args = this.argsOf(line);
    const old = this.held.find((each) => each.name === name && !each.old);
    const checked = async (olds: Values) => {
      const { values, failures } = await check(
        { resource: this.resource, context, notify: () => {} },
        olds,
        args,
      );
      if (failures[0] !== undefined) throw new Error(failures[0].text);
      return values;
    };
    const values = await checked(old?.state ?? {});
    const replaced = old !== undefined && diff(this.resource, old.state, values).replaces.length > 0;
    if (old !== undefined) hold(context, old.id, values, replaced);
    if (replaced) await checked({});
    const make = async () => {
      const { id, state } = await create(context, values);
      this.held = [
        ...this.held.map((each) => (each === old ? { ...each, old: true } : each)),
        { name, id, state, provider, old: false },
      ];
    };
    if (old === undefined) return [make];
    if (!replaced)
      return [
        async () => {
          const state = await update(context, old.id, old.state, values);
          this.held = this.held.map((each) => (each === old ? { ...each, state, provider } : each));
        },
      ];
    return [line.deletesFirst ? () => this.drop(both, old).then(make) : make];
  }

  private async drop(both: readonly Context[], entry: Held): Promise<void> {
    await remove(both[entry.provider] as Context, entry.id, entry.state);
    this.held = this.held.filter((each) => each !== entry);
  }

  private argsOf({ key, adopt }: Line): Values {
    return this.resource === pixel
      ? { name: `k${key}`, type: "bing", value: "1", adopt }
      : { domain: `k${key}.example`, adopt };
  }
}

it("loses no record if the preview is obeyed, and gives none to two", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ kind, foreign, commands }) => {
      const resource: Resource = { website, pixel }[kind];
      const service = new Service(resource);
      if (foreign) service.insert(resource === pixel ? "k0" : "k0.example");
      const stack = new Stack(resource, service);
      // Records of nobody: a foreign one, and what a failed run left to one that adopts it with the next.
      const free = new Set(foreign ? ["1"] : []);
      for (const command of commands) {
        if ((await stack.run(command, true)) !== undefined) continue;
        const before = stack.held.filter(({ id }) => service.rows.has(id));
        // Of what a failed run left to two, one of them may have been deleted since.
        const gone = stack.held.filter(({ id }) => !service.rows.has(id)).map(({ id }) => id);
        service.deleted.splice(0);
        const error = await stack.run(command, false);
        const declared = new Set(command.lines.map(({ name }) => name));
        const live = stack.held.filter(({ name, old }) => declared.has(name) && !old);
        for (const { id } of live)
          expect([...service.rows.keys(), ...gone], "what a resource has exists").toContain(id);
        const own = new Set(before.map(({ id }) => id));
        for (const id of service.deleted) expect([...own], "what was never ours stays").toContain(id);
        const ids = stack.held.map(({ id }) => id);
        const unmanaged = [...service.rows.keys()].filter((id) => !ids.includes(id));
        // What a failed or cut run has left to two, or to nobody, the next one settles.
        if (error !== undefined || command.cut) {
          for (const id of unmanaged) free.add(id);
          continue;
        }
        expect(new Set(live.map(({ id }) => id)).size, "no record belongs to two").toBe(live.length);
        for (const id of unmanaged) expect([...free], "nothing is left over").toContain(id);
        // The preview has announced what a replacement deletes first.
        const first = command.lines.some(({ deletesFirst }) => deletesFirst) && resource === website;
        for (const { id, state } of before) {
          const key = state[resource.key];
          // One that keeps its record, as a renamed pixel does, adopts nothing.
          const isNew = ({ name }: Line) => kind === "website" || !before.some((each) => each.name === name);
          const adopter = command.lines.find(
            (each) => each.adopt && isNew(each) && `${key}`.startsWith(`k${each.key}`),
          );
          if (adopter !== undefined && !first)
            expect([...service.rows.keys()], "what one adopts stays").toContain(id);
        }
      }
    }),
    await parametersOf("ledger"),
  );
}, 3_600_000);
