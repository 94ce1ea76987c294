import { randomUUID } from "node:crypto";
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
  remove,
  update,
} from "../../provider/lifecycle";
import { pixel, website } from "../../provider/resources";
import type { RemoteRecord } from "../../provider/schema/codec";
import type { Resource, Values } from "../../provider/schema/resource";
import { parametersOf } from "./sizes";

/** A resource of a program. */
const line = fc.record({
  name: fc.nat({ max: 2 }),
  key: fc.nat({ max: 2 }),
  adopt: fc.boolean(),
  provider: fc.constantFrom("a" as const, "b" as const),
  deletesFirst: fc.boolean(),
});
const command = fc.record({
  lines: fc.uniqueArray(line, { selector: ({ name }) => name, maxLength: 3 }),
  /** In which order the engine takes what it could do next. */
  order: fc.array(fc.nat({ max: 60 }), { minLength: 8, maxLength: 8 }),
  /** It ends before it deletes what is no longer declared. */
  cut: fc.boolean(),
});
const story = fc.record({
  kind: fc.constantFrom("website" as const, "pixel" as const),
  foreign: fc.boolean(),
  commands: fc.array(command, { minLength: 2, maxLength: 4 }),
});
type Generated<A> = A extends fc.Arbitrary<infer G> ? G : never;
type Line = Generated<typeof line>;
type Held = Pick<Line, "name" | "provider"> & {
  readonly id: string;
  readonly state: Values;
  /** It is replaced: only its delete is left. */
  readonly old: boolean;
};
type Task = () => Promise<unknown>;

/** A service of one account, in memory. */
class Service {
  readonly rows = new Map<string, string>();
  readonly deleted: string[] = [];
  private count = 0;

  constructor(readonly resource: Resource) {}

  insert(key: string): string {
    this.count += 1;
    this.rows.set(`${this.count}`, key);
    return `${this.count}`;
  }

  readonly record = async (id: string): Promise<RemoteRecord | undefined> => {
    const key = this.rows.get(id);
    return key === undefined ? undefined : { id, values: { [this.resource.key]: key } };
  };

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
function processes({ resource, rows, record, api }: Service): Record<Line["provider"], Context> {
  const entries: Entry[] = [];
  const begin = (): Context => {
    let seen = 0;
    const exchange = (entry: Entry) => {
      const news = entries.slice(seen).concat(entry);
      seen = entries.push(entry);
      return news;
    };
    const findByKey = async () => (await Promise.all([...rows.keys()].map(record))) as RemoteRecord[];
    const account = { baseUrl: "https://a.example", key: "key" };
    return {
      resource,
      api,
      records: { fetch: record, read: record, findByKey, invalidate: () => {} },
      ledger: new ResourceLedger(new Ledger({ newOwner: randomUUID, exchange }), resource, account),
      warn: () => {},
      sleep: async () => {},
      clock: () => 0,
    };
  };
  return { a: begin(), b: begin() };
}

/** A stack, and an engine that checks one resource after the other and works at several. */
class Stack {
  held: Held[] = [];

  constructor(private readonly service: Service) {}

  /** Returns the first refusal. */
  async run({ lines, order, cut }: Generated<typeof command>, dry: boolean): Promise<string | undefined> {
    const both = processes(this.service);
    const open = [...lines];
    const tasks: Task[] = [];
    let at = dry ? 3 : 0;
    let error: string | undefined;
    const attempt = async (work: Task) => {
      await work().catch((reason: Error) => {
        error ??= reason.message;
      });
    };
    while (error === undefined && open.length + tasks.length > 0) {
      const pick = (order[at++ % order.length] ?? 0) % (open.length + tasks.length);
      const [next] = pick < open.length ? open.splice(pick, 1) : [];
      const running = next === undefined ? tasks.splice(pick - open.length, 2) : [];
      if (next !== undefined) await attempt(async () => tasks.push(await this.plan(both, next)));
      else if (!dry) await Promise.all(running.map(attempt));
    }
    await Promise.all(dry ? [] : tasks.map(attempt));
    if (dry || error !== undefined || cut) return error;
    const rest = this.held.filter(({ name, old }) => old || !lines.some((each) => each.name === name));
    await Promise.all(rest.map((each) => attempt(() => this.drop(both, each))));
    return error;
  }

  /** Checks and compares one resource, and returns what is to be done for it. */
  private async plan(both: ReturnType<typeof processes>, line: Line): Promise<Task> {
    const { resource } = this.service;
    const { name, provider, key, adopt } = line;
    const context = both[provider];
    const args =
      resource === pixel
        ? { name: `k${key}`, type: "bing", value: "1", adopt }
        : { domain: `k${key}.example`, adopt };
    const old = this.held.find((each) => each.name === name && !each.old);
    const checked = async (olds: Values) => {
      const { values, failures } = await check({ resource, context, notify: () => {} }, olds, args);
      if (failures[0] !== undefined) throw new Error(failures[0].text);
      return values;
    };
    const values = await checked(old?.state ?? {});
    const replaced = old !== undefined && diff(resource, old.state, values).replaces.length > 0;
    if (old !== undefined) hold(context, old.id, values, replaced);
    if (replaced) await checked({});
    const replace = (by: Held[]) => {
      this.held = this.held.flatMap((each) => (each === old ? by : [each]));
    };
    if (old !== undefined && !replaced)
      return async () =>
        replace([{ ...old, state: await update(context, old.id, old.state, values), provider }]);
    const make = async () => {
      const made = await create(context, values);
      if (old !== undefined) replace([{ ...old, old: true }]);
      this.held.push({ ...made, name, provider, old: false });
    };
    return old !== undefined && line.deletesFirst ? () => this.drop(both, old).then(make) : make;
  }

  private async drop(both: ReturnType<typeof processes>, entry: Held): Promise<void> {
    await remove(both[entry.provider], entry.id, entry.state);
    this.held = this.held.filter((each) => each !== entry);
  }
}

it("loses no record if the preview is obeyed, and gives none to two", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ kind, foreign, commands }) => {
      const service = new Service({ website, pixel }[kind]);
      const { rows, deleted, resource } = service;
      const stack = new Stack(service);
      // Of nobody is a foreign record, and what a failed or cut run left.
      const free = new Set(foreign ? [service.insert(kind === "pixel" ? "k0" : "k0.example")] : []);
      for (const command of commands) {
        if ((await stack.run(command, true)) !== undefined) continue;
        const [before, held] = [new Map(rows), stack.held];
        deleted.splice(0);
        const error = await stack.run(command, false);
        const own = held.map(({ id }) => id);
        for (const id of deleted) expect(own, "what was never ours stays").toContain(id);
        const declared = new Map(command.lines.map((each) => [each.name, each]));
        const live = stack.held.filter(({ name, old }) => declared.has(name) && !old);
        const ids = live.map(({ id }) => id);
        for (const id of ids) expect([...rows.keys()], "what a resource has exists").toContain(id);
        const unmanaged = [...rows.keys()].filter((id) => !stack.held.some((each) => each.id === id));
        if (error !== undefined || command.cut) {
          for (const id of unmanaged) free.add(id);
          // What was left to two, and deleted as one's, is dropped from the other's state by a refresh.
          stack.held = stack.held.filter(({ id }) => rows.has(id));
          continue;
        }
        expect(new Set(ids).size, "no record belongs to two").toBe(ids.length);
        for (const id of unmanaged) expect([...free], "nothing is left over").toContain(id);
        // The preview has announced what a replacement deletes first.
        if (command.lines.some(({ deletesFirst }) => deletesFirst)) continue;
        const keeps = ({ name, id }: Held) => held.some((each) => each.name === name && each.id === id);
        for (const each of live.filter((one) => declared.get(one.name)?.adopt && !keeps(one)))
          if ([...before.values()].includes(`${each.state[resource.key]}`))
            expect([...before.keys()], "what one adopts is not made").toContain(each.id);
      }
    }),
    await parametersOf("ledger"),
  );
}, 3_600_000);
