import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError, type Request, type Response } from "../../provider/api/api";
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
import { creationOf } from "../../provider/schema/identity";
import type { Resource, Values } from "../../provider/schema/resource";
import { parametersOf } from "./sizes";

/** A resource of a program. */
const line = fc.record({
  name: fc.nat({ max: 2 }),
  key: fc.nat({ max: 2 }),
  adopt: fc.boolean(),
  provider: fc.constantFrom("a" as const, "b" as const),
  deletesFirst: fc.boolean(),
  /** The engine replaces it by force, after a look at its record or without one. */
  forced: fc.constantFrom("not" as const, "not" as const, "not" as const, "seen" as const, "unseen" as const),
  /** Its arguments are refused, or the service does not answer its create. */
  fault: fc.constantFrom(
    "none" as const,
    "none" as const,
    "none" as const,
    "check" as const,
    "create" as const,
  ),
});
const command = fc.record({
  lines: fc.uniqueArray(line, { selector: ({ name }) => name, maxLength: 3 }),
  /** In which order the engine takes what it could do next. */
  order: fc.array(fc.nat({ max: 60 }), { minLength: 8, maxLength: 8 }),
  /** It ends before it deletes what is no longer declared. */
  cut: fc.integer({ min: 0, max: 3 }).map((at) => at === 0),
  /** A preview comes first, and nothing is done if it is refused. */
  previews: fc.boolean(),
  /** Someone renames the record of this key before the first create. */
  renames: fc.option(fc.nat({ max: 2 }), { freq: 5 }),
  /** `--continue-on-error` */
  goesOn: fc.boolean(),
});
const story = fc.record({
  kind: fc.constantFrom("website" as const, "pixel" as const),
  foreign: fc.boolean(),
  commands: fc.array(command, { minLength: 2, maxLength: 4 }),
});
const VALUE = { type: "bing", value: "1" };
type Line = typeof line extends fc.Arbitrary<infer L> ? L : never;
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
/** A resource in state; of an `old` one only the delete is left, since it is replaced. */
type Held = Pick<Line, "name" | "provider"> & ResourceState & { old: boolean };
type Task = () => Promise<unknown>;
type Processes = Record<Line["provider"], Context>;

/** A service of one account, in memory. */
class Service {
  readonly rows = new Map<string, { key: string; createdAt: string }>();
  /** The records that were deleted, by the moment of their creation. */
  readonly deleted: string[] = [];
  private count = 0;

  constructor(readonly resource: Resource) {}

  insert(key: string): string {
    this.count += 1;
    // The id of a deleted record is given again.
    const id = `${Math.max(0, ...[...this.rows.keys()].map(Number)) + 1}`;
    // Services round times: two records of one second are not known apart.
    this.rows.set(id, { key, createdAt: new Date(this.count * 10_000).toISOString() });
    return id;
  }

  rename(key: number | null): void {
    for (const row of this.rows.values()) if (row.key === `k${key}.example`) row.key = "renamed.example";
  }

  readonly record = async (id: string): Promise<RemoteRecord | undefined> => {
    const { key, createdAt } = this.rows.get(id) ?? {};
    return key === undefined ? undefined : { id, createdAt, values: { [this.resource.key]: key } };
  };

  readonly api = async ({ method, path, form = {} }: Request): Promise<Response> => {
    await Promise.resolve();
    const { path: collection, key } = this.resource;
    const id = method === "POST" ? this.insert("") : path.slice(collection.length + 1);
    const row = this.rows.get(id);
    if (row !== undefined && form[key] !== undefined) row.key = form[key];
    if (row === undefined || method !== "DELETE")
      return { status: 200, body: { id, [key]: row?.key, created_at: row?.createdAt } };
    this.rows.delete(id);
    this.deleted.push(row.createdAt);
    return { status: 204, body: undefined };
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
    const scope = { baseUrl: "", account: "" };
    return {
      resource,
      api,
      records: {
        fetchById: record,
        readById: record,
        findByKey,
        recheck: (_, alone) => alone(),
        listedById: () => () => undefined,
        invalidate: () => {},
        invalidateKey: () => {},
        markDeleted: () => {},
        lacks: () => false,
      },
      guard: new AccountGuard(),
      accountAdvice: () => "",
      ledger: new ResourceLedger(new Ledger(exchange, (urn) => urn), resource, scope),
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
  private renames: number | null = null;
  /** By resource, the key of one that was checked and has no record yet. */
  private readonly waiting = new Map<number, string>();
  /** The keys that a resource waited for as their record was deleted. */
  readonly taken: string[] = [];
  /** The records of what was deleted to be replaced, by key: the preview has announced that. */
  readonly replaced = new Set<string>();

  constructor(private readonly service: Service) {}

  /** Returns the first refusal. */
  async run({ lines, order, cut, goesOn, renames }: Command, dry: boolean): Promise<string | undefined> {
    this.renames = dry ? null : renames;
    const both = processes(this.service);
    const open = [...lines];
    const tasks: Task[] = [];
    let error: string | undefined;
    const attempt = (work: Task) =>
      work().catch((reason: Error) => {
        error ??= reason.message;
      });
    const isOver = () => (error !== undefined && !goesOn) || open.length + tasks.length === 0;
    this.replaced.clear();
    this.waiting.clear();
    for (let at = dry ? 3 : 0; !isOver(); at += 1) {
      const pick = (order[at % order.length] ?? 0) % (open.length + tasks.length);
      const [next] = open.splice(pick, 1);
      // What the engine checks and what it does go on at once.
      const begun = tasks.splice(next === undefined ? pick - open.length : 0, 2 - (pick % 2));
      const planned = () =>
        next === undefined ? undefined : attempt(async () => tasks.push(await this.plan(both, next)));
      const first = at % 2 === 0 ? planned() : undefined;
      const done = dry ? [] : begun.map(attempt);
      await Promise.all([at % 2 === 0 ? first : planned(), ...done]);
    }
    await Promise.all(tasks.map(attempt));
    if (dry || (error !== undefined && !goesOn) || cut) return error;
    const rest = this.held.filter(({ name, old }) => old || !lines.some((each) => each.name === name));
    await Promise.all(rest.map((each) => attempt(() => this.drop(both, each))));
    return error;
  }

  /** Checks and compares one resource, and returns what is to be done for it. */
  private async plan(both: Processes, line: Line): Promise<Task> {
    const { name, provider, deletesFirst, forced } = line;
    const { resource } = this.service;
    const context = both[provider];
    const old = this.held.find((each) => each.name === name && !each.old);
    const values = await this.checked(context, line, old?.state ?? {});
    const isReplaced =
      old !== undefined && (forced !== "not" || diff(resource, old.state, values).replaces.length > 0);
    if (old !== undefined && forced !== "unseen")
      context.ledger.assertCompared(old.id, values, isReplaced && forced === "not" ? "left" : "kept");
    if (isReplaced) await this.checked(context, line, {});
    if (isReplaced || old === undefined) this.waiting.set(name, `k${line.key}.example`);
    if (old !== undefined && !isReplaced)
      return () =>
        update(context, old.id, old.state, values).then((state) => Object.assign(old, { state, provider }));
    const make = async () => {
      this.service.rename(this.renames);
      this.renames = null;
      const lost = () => Promise.reject(new ApiError({ method: "GET", path: "" }, "unclear", "lost"));
      const records = { ...context.records, findByKey: lost };
      const made = await create(line.fault === "create" ? { ...context, records } : context, values);
      this.waiting.delete(name);
      if (old !== undefined) old.old = true;
      this.held.push({ ...made, name, provider, old: false });
    };
    if (old === undefined || !deletesFirst) return make;
    return () => {
      const key = String(old.state[resource.key]);
      this.replaced.add(key);
      const isWanted =
        forced !== "unseen" && [...this.waiting].some(([of, each]) => of !== name && each === key);
      const deleted = this.service.deleted.length;
      const drop = this.drop(both, old).then(() => {
        if (isWanted && this.service.deleted.slice(deleted).includes(createdAt(old.state)))
          this.taken.push(key);
      });
      return drop.then(make);
    };
  }

  private async checked(context: Context, { name, key, adopt, fault }: Line, olds: Values): Promise<Values> {
    const { resource } = this.service;
    const bad = fault === "check" ? { unknown: "argument" } : {};
    const args = { ...(resource === pixel && VALUE), [resource.key]: `k${key}.example`, adopt, ...bad };
    const { values, refusals } = await check({ resource, context, notify: () => {} }, olds, args, `${name}`);
    if (refusals[0] !== undefined) throw new Error(refusals[0].join("\n"));
    return values;
  }

  private async drop(both: Processes, entry: Held): Promise<void> {
    await remove(both[entry.provider], entry.id, entry.state);
    this.held = this.held.filter((each) => each !== entry);
  }
}

/** The time of creation in state, as the service writes it. */
const createdAt = (state: Values) => new Date(creationOf(state)).toISOString();

it("loses no record, gives none to two, and keeps none for who does not come for it", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ kind, foreign, commands }) => {
      const service = new Service({ website, pixel }[kind]);
      const { rows, deleted, resource } = service;
      const stack = new Stack(service);
      const recordOf = ({ id, state }: Held) => `${id} ${createdAt(state)}`;
      const there = () => [...rows].map(([id, { createdAt }]) => `${id} ${createdAt}`);
      const keys = () => new Map([...rows].map(([id, { key, createdAt }]) => [`${id} ${createdAt}`, key]));
      // Of nobody is a foreign record, and what a failed or cut run left.
      if (foreign) service.insert("k0.example");
      const free = new Set(there());
      for (const command of commands) {
        if (command.previews && (await stack.run(command, true)) !== undefined) continue;
        const [before, own] = [keys(), stack.held.map(recordOf)];
        const shared = new Set(own.filter((each, at) => own.indexOf(each) !== at));
        deleted.splice(0);
        const error = await stack.run(command, false);
        const gone = [...before.keys()].filter((each) => !there().includes(each));
        expect(own, "what was never ours stays").toEqual(expect.arrayContaining(gone));
        expect(stack.taken, "what one waits for is not deleted").toEqual([]);
        const declared = new Map(command.lines.map((each) => [each.name, each]));
        const live = stack.held.filter(({ name, old }) => declared.has(name) && !old);
        // Of two that state gives one record, a preview refuses one, except if the other fails later.
        const isPreviewed = command.previews && error === undefined;
        const has = live.map(recordOf).filter((each) => isPreviewed || !shared.has(each));
        expect(there(), "what a resource has exists").toEqual(expect.arrayContaining(has));
        const unmanaged = there().filter((each) => !stack.held.map(recordOf).includes(each));
        // A create does not know for its own what has the id of a record that it has seen before.
        const seen = [...before.keys()].map((each) => each.split(" ")[0]);
        for (const each of unmanaged)
          if (error !== undefined && !before.has(each) && seen.includes(each.split(" ")[0])) free.add(each);
        for (const each of unmanaged) expect([...free], "nothing is left over").toContain(each);
        // What was left to two, and deleted as one's, is dropped from the other's state by a refresh.
        stack.held = stack.held.filter((each) => there().includes(recordOf(each)));
        const missing = command.lines.filter(({ name }) => !live.some((each) => each.name === name));
        const wanted = missing
          .map(({ key }) => `k${key}.example`)
          .filter(
            (key) =>
              !stack.replaced.has(key) &&
              !live.some(({ name }) => `k${declared.get(name)?.key}.example` === key),
          );
        for (const each of gone)
          expect(wanted, "what one declares that has no record is not deleted").not.toContain(
            before.get(each),
          );
        if (error !== undefined || command.cut) continue;
        expect(new Set(has).size, "no record comes to belong to two").toBe(has.length);
        if (!command.previews || command.renames !== null) continue;
        for (const held of live)
          if (declared.get(held.name)?.adopt && [...before.values()].includes(`${held.state[resource.key]}`))
            if (!stack.replaced.has(`${held.state[resource.key]}`))
              expect([...before.keys()], "what one adopts is not made").toContain(recordOf(held));
      }
    }),
    parametersOf("ledger"),
  );
}, 3_600_000);
