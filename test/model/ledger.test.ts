import fc from "fast-check";
import { expect, it } from "vitest";
import type { Request, Response } from "../../provider/api/api";
import {
  AccountGuard,
  type Context,
  check,
  create,
  diff,
  type Entry,
  Ledger,
  ResourceLedger,
  remove,
  update,
} from "../../provider/lifecycle";
import type { ResourceState } from "../../provider/lifecycle/context";
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
/** A rename without an alias: the record goes to another resource, and the delete of the old one must not take it. */
const renamed: typeof story extends fc.Arbitrary<infer S> ? S : never = {
  kind: "website",
  foreign: false,
  commands: [0, 1].map((name) => ({
    lines: [{ name, key: 0, adopt: name === 1, provider: "a", deletesFirst: false }],
    order: [0, 0, 0, 0, 0, 0, 0, 0],
    cut: false,
  })),
};
const VALUE = { type: "bing", value: "1" };
type Line = typeof line extends fc.Arbitrary<infer L> ? L : never;
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
/** A resource in state; of an `old` one only the delete is left, since it is replaced. */
type Held = Pick<Line, "name" | "provider"> & ResourceState & { old: boolean };
type Task = () => Promise<unknown>;
type Processes = Record<Line["provider"], Context>;

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

  readonly api = async ({ method, path, form = {} }: Request): Promise<Response> => {
    await Promise.resolve();
    const { path: collection, key } = this.resource;
    const id = method === "POST" ? this.insert("") : path.slice(collection.length + 1);
    if (form[key] !== undefined) this.rows.set(id, form[key]);
    if (method === "DELETE" && this.rows.delete(id)) this.deleted.push(id);
    return { status: 200, body: { id, [key]: this.rows.get(id) } };
  };
}

/** The two processes of one run. */
function processes({ resource, rows, record, api }: Service): Processes {
  const unread: [a: Entry[], b: Entry[]] = [[], []];
  const begin = (own: Entry[]): Context => {
    const exchange = (entry: Entry) => {
      for (const each of unread) each.push(entry);
      return own.splice(0);
    };
    const findByKey = async () => (await Promise.all([...rows.keys()].map(record))) as RemoteRecord[];
    return {
      resource,
      api,
      records: {
        fetch: record,
        read: record,
        findByKey,
        seen: () => () => undefined,
        invalidate: () => {},
        lacks: () => false,
      },
      guard: new AccountGuard(),
      accountRemedy: () => "",
      ledger: new ResourceLedger(new Ledger(exchange, (urn) => urn), resource, { baseUrl: "", account: "" }),
      warn: () => {},
      sleep: async () => {},
      clock: () => 0,
    };
  };
  return { a: begin(unread[0]), b: begin(unread[1]) };
}

/** A stack, and an engine that checks one resource after the other and works at several. */
class Stack {
  held: Held[] = [];

  constructor(private readonly service: Service) {}

  /** Returns the first refusal. */
  async run({ lines, order, cut }: Command, dry: boolean): Promise<string | undefined> {
    const both = processes(this.service);
    const open = [...lines];
    const tasks: Task[] = [];
    let error: string | undefined;
    const attempt = (work: Task) =>
      work().catch((reason: Error) => {
        error ??= reason.message;
      });
    for (let at = dry ? 3 : 0; error === undefined && open.length + tasks.length > 0; at += 1) {
      const pick = (order[at % order.length] ?? 0) % (open.length + tasks.length);
      const [next] = open.splice(pick, 1);
      if (next !== undefined) await attempt(async () => tasks.push(await this.plan(both, next)));
      else await Promise.all(tasks.splice(pick - open.length, 2).map(attempt));
      if (dry) tasks.splice(0);
    }
    await Promise.all(tasks.map(attempt));
    if (dry || error !== undefined || cut) return error;
    const rest = this.held.filter(({ name, old }) => old || !lines.some((each) => each.name === name));
    await Promise.all(rest.map((each) => attempt(() => this.drop(both, each))));
    return error;
  }

  /** Checks and compares one resource, and returns what is to be done for it. */
  private async plan(both: Processes, { name, provider, key, adopt, deletesFirst }: Line): Promise<Task> {
    const { resource } = this.service;
    const context = both[provider];
    const args = { ...(resource === pixel && VALUE), [resource.key]: `k${key}.example`, adopt };
    const old = this.held.find((each) => each.name === name && !each.old);
    const checked = async (olds: Values) => {
      const { values, refusals } = await check(
        { resource, context, notify: () => {} },
        olds,
        args,
        `${name}`,
      );
      if (refusals[0] !== undefined) throw new Error(refusals[0]);
      return values;
    };
    const values = await checked(old?.state ?? {});
    const replaced = old !== undefined && diff(resource, old.state, values).replaces.length > 0;
    if (old !== undefined) context.ledger.compare(old.id, old.state, values, replaced);
    if (replaced) await checked({});
    if (old !== undefined && !replaced)
      return () =>
        update(context, old.id, old.state, values).then((state) => Object.assign(old, { state, provider }));
    const make = async () => {
      const made = await create(context, values);
      if (old !== undefined) old.old = true;
      this.held.push({ ...made, name, provider, old: false });
    };
    return old !== undefined && deletesFirst ? () => this.drop(both, old).then(make) : make;
  }

  private async drop(both: Processes, entry: Held): Promise<void> {
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
      const free = new Set(foreign ? [service.insert("k0.example")] : []);
      for (const command of commands) {
        if ((await stack.run(command, true)) !== undefined) continue;
        const [before, own] = [new Map(rows), stack.held.map(({ id }) => id)];
        deleted.splice(0);
        const error = await stack.run(command, false);
        expect(own, "what was never ours stays").toEqual(expect.arrayContaining(deleted));
        const declared = new Map(command.lines.map((each) => [each.name, each]));
        const live = stack.held.filter(({ name, old }) => declared.has(name) && !old);
        const ids = live.map(({ id }) => id);
        expect([...rows.keys()], "what a resource has exists").toEqual(expect.arrayContaining(ids));
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
        for (const { name, id, state } of live)
          if (declared.get(name)?.adopt && [...before.values()].includes(`${state[resource.key]}`))
            expect([...before.keys()], "what one adopts is not made").toContain(id);
      }
    }),
    { ...parametersOf("ledger"), examples: [[renamed]] },
  );
}, 3_600_000);
