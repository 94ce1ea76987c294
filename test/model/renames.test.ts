import fc from "fast-check";
import { expect, it } from "vitest";
import { creationEntry } from "../../provider/schema/identity";
import type { Declared, Stack } from "../faults/stack";
import type { EmulatorClient } from "../service";
import { useService } from "./service";
import { parametersOf } from "./sizes";

const begin = useService();

type Type = Declared["type"];
type Row = { id: number; domain?: string; name?: string; uid?: number; created_at?: string };
const TYPES: readonly Type[] = ["Website", "Pixel"];
const keyOf = ({ domain, name }: Pick<Row, "domain" | "name">) => domain ?? name ?? "";
const keyed = (type: Type, key: string) => (type === "Website" ? { domain: key } : { name: key });
/** What state notes of a time of creation. */
const noted = (createdAt: string) => creationEntry({}, { createdAt });
const placeOf = (type: string, id: string | number) => `/api/v1/${type.toLowerCase()}s/${id}`;

/** A stack, and who each record really belongs to, whatever its id and its key are by now. */
class World {
  readonly declared = new Map<string, Declared>();
  /** By a column that no server shows; nobody's is "". */
  private readonly owners = new Map<number, string>();
  /** What the other account has. */
  private stash: Record<Type, Row[]> | undefined;
  isAway = false;
  /** Whether a program has adopted a record of the other account, which proves since that others of the state are gone. */
  private isJoined = false;
  private count = 0;

  constructor(
    readonly control: EmulatorClient,
    readonly stack: Stack,
  ) {}

  rows(type: Type): Row[] {
    return type === "Website" ? this.control.websites() : (this.control.pixels() as Row[]);
  }

  private place({ Website, Pixel }: Record<Type, Row[]>): void {
    this.control.seed({ websites: Website as never, pixels: Pixel as never });
  }

  /** Changes the list of one kind of record. */
  change(type: Type, by: (rows: Row[]) => Row[]): void {
    const all = { Website: this.rows("Website"), Pixel: this.rows("Pixel") };
    this.place({ ...all, [type]: by(all[type]) });
  }

  declare(name: string, key: string, more: object = {}): void {
    const isPixel = Number(/\d/.exec(name)?.[0]) % 2 === 1;
    const args = isPixel ? { name: key, type: "bing", value: "1", ...more } : { domain: key, ...more };
    this.declared.set(name, { type: isPixel ? "Pixel" : "Website", name, args });
  }

  /** What a resource of the program has in state, and its record. */
  held(name: string): { type: Type; row?: Row | undefined } | undefined {
    const held = this.stack.state.get(name);
    return held && { type: held.type, row: this.rows(held.type).find(({ id }) => String(id) === held.id) };
  }

  fresh(): string {
    this.count += 1;
    return `fresh-${this.count}.example`;
  }

  /** Who a new record belongs to. Each is created on a day of its own. */
  private own(row: Row, owner: string): Row {
    const uid = this.owners.size + 1;
    this.owners.set(uid, owner);
    return { ...row, uid, created_at: new Date(Date.UTC(2020, 0, uid, 0, 0, 11 * uid)).toISOString() };
  }

  stranger(type: Type, key: string, given?: number): void {
    this.change(type, (rows) => {
      const id = given ?? 1 + Math.max(0, ...rows.map((row) => row.id));
      return [...rows, this.own({ ...rows[0], id, ...keyed(type, key) }, "")];
    });
  }

  /** To the account of others, with the same ids and values and other keys, and back. */
  toggleAccount(): void {
    const own = { Website: this.rows("Website"), Pixel: this.rows("Pixel") };
    const foreign = (type: Type) =>
      own[type].map((row) => this.own({ ...row, ...keyed(type, this.fresh()) }, ""));
    const next = this.stash ?? { Website: foreign("Website"), Pixel: foreign("Pixel") };
    this.stash = own;
    this.isAway = !this.isAway;
    this.place(next);
  }

  /**
   * Runs a command. It writes only to records that its resources own or adopt, deletes none for a rename, and lets none
   * go without a sentence.
   */
  async run(command: "up" | "refresh" | "destroy"): Promise<readonly string[]> {
    const before = new Map(this.stack.state);
    const there = new Map(
      TYPES.flatMap((type) => this.rows(type).map((row) => [placeOf(type, row.id), row])),
    );
    this.control.clearRequests();
    const ended =
      command === "up" ? await this.stack.up([...this.declared.values()]) : await this.stack[command]();
    for (const { method, path } of this.control.requests()) {
      const row = there.get(path);
      if (row === undefined || method === "GET") continue;
      const owner = this.owners.get(row.uid ?? 0) ?? "";
      const holders = [...before].filter(([, { type, id }]) => placeOf(type, id) === path);
      const isAdopted = [...this.declared.values()].some(
        ({ args }) => args.adopt === true && keyOf(args) === keyOf(row),
      );
      if (method === "PUT" && isAdopted) continue;
      expect(
        holders.map(([name]) => name.replace(" (old)", "")),
        `${command}: ${method} ${path}`,
      ).toContain(owner);
      if (method === "DELETE" && command === "up")
        expect(this.keeps(owner, before), `${method} ${path}`).toBe(false);
    }
    this.expectNoneTaken(before, there);
    this.mark();
    if (!this.isJoined) this.expectNoneLost(before, [...ended.said, ...ended.errors]);
    return ended.errors;
  }

  /** Whether the program still declares a resource with the key that it had. */
  private keeps(name: string, before: Stack["state"]): boolean {
    const { args } = this.declared.get(name) ?? {};
    const inputs = before.get(name)?.inputs;
    return args !== undefined && inputs !== undefined && keyOf(args) === keyOf(inputs);
  }

  /** State gets another key only from the resource's own record, or from one that it adopts. */
  private expectNoneTaken(before: Stack["state"], there: ReadonlyMap<string, Row>): void {
    for (const [name, { id, inputs, outputs }] of this.stack.state) {
      const had = before.get(name);
      const row = this.held(name)?.row;
      if (had?.id !== id || keyOf(had.outputs) === keyOf(outputs) || inputs.adopt === true) continue;
      if (keyOf(there.get(placeOf(had.type, id)) ?? {}) === keyOf(had.outputs)) continue;
      expect(this.owners.get(row?.uid ?? 0), `${name} has ${keyOf(outputs)}`).toBe(name);
    }
  }

  private expectNoneLost(before: Stack["state"], said: readonly string[]): void {
    const kept = new Set([...this.stack.state.values()].map(({ type, id }) => placeOf(type, id)));
    for (const type of TYPES)
      for (const row of this.isAway ? (this.stash?.[type] ?? []) : this.rows(type)) {
        const owner = this.owners.get(row.uid ?? 0);
        const had = before.get(owner ?? "");
        if (had?.type !== type || kept.has(placeOf(type, row.id))) continue;
        // One that the service has renumbered stays in state while it has its key.
        const isHeld = [`${owner}`, `${owner} (old)`].some((name) => this.stack.state.has(name));
        if (had.id !== String(row.id) && !this.isAway && keyOf(row) === keyOf(had.outputs))
          expect(isHeld, `${type} ${row.id} of ${owner}, once ${had.id}, is in no stack`).toBe(true);
        if (had.id !== String(row.id)) continue;
        expect(said.join("\n"), `${type} ${row.id} of ${owner} is in no stack`).toContain(`(id ${row.id})`);
      }
  }

  /** New records belong to the resource that has them in state, and so do adopted ones. */
  private mark(): void {
    for (const type of TYPES)
      for (const row of this.rows(type)) {
        const holders = [...this.stack.state].filter(
          ([, each]) => each.type === type && each.id === String(row.id),
        );
        const [name, entry] = holders[0] ?? [];
        const isAdopted = entry?.inputs.adopt === true && keyOf(entry.inputs) === keyOf(row);
        if (row.uid !== undefined && !isAdopted) continue;
        this.isJoined ||= isAdopted && this.isAway;
        const { uid, created_at = "" } = this.own(row, name ?? "");
        const columns = row.uid === undefined ? { uid, created_at } : { uid };
        if (type === "Website") this.control.editWebsite(row.id, columns as never);
        else this.control.editPixel(row.id, columns as never);
        for (const [each, has] of row.uid === undefined ? holders : [])
          this.stack.state.set(each, { ...has, outputs: { ...has.outputs, ...noted(created_at) } });
      }
  }

  /** Does what a program is told that declares a key twice: it removes one of the two. */
  private declareOnce(): void {
    const keys = new Set<string>();
    for (const { type, name, args } of [...this.declared.values()]) {
      const key = `${type} ${keyOf(args)}`;
      if (keys.has(key)) this.declared.delete(name);
      keys.add(key);
    }
  }

  /** Does what the messages ask for: it follows, adopts, or drops from state what another record has taken the place of. */
  async expectWayOut(): Promise<void> {
    if (this.isAway) this.toggleAccount();
    let isThere = false;
    for (const [name, { type, outputs }] of [...this.stack.state]) {
      const row = this.held(name)?.row;
      const isOwn = row !== undefined && this.owners.get(row.uid ?? 0) === name;
      const isElsewhere = this.rows(type).some(
        (each) => each !== row && keyOf(each) === keyOf(outputs) && keyOf(each) !== keyOf(row ?? {}),
      );
      const isRefused = !this.declared.has(name) && isElsewhere;
      if (row === undefined ? isElsewhere : !isOwn || isRefused) this.stack.state.delete(name);
      else {
        isThere ||= isOwn;
        if (row !== undefined && this.declared.has(name)) this.declare(name, keyOf(row));
      }
    }
    this.declareOnce();
    if (!isThere) this.stack.state.clear();
    for (const { name, args } of [...this.declared.values()])
      this.declare(name, keyOf(args), { adopt: true });
    await this.run("up");
    await this.run("refresh");
    expect(await this.run("up")).toEqual([]);
    expect(await this.stack.preview([...this.declared.values()])).toMatchObject({ steps: [], errors: [] });
    expect(await this.stack.refresh()).toMatchObject({ steps: [], errors: [] });
    for (const { name, type, args } of [...this.declared.values()])
      this.declare(name, keyOf(args), type === "Website" ? { privacy: "public" } : { type: "quora" });
    expect(await this.run("up")).toEqual([]);
    expect(await this.stack.refresh()).toMatchObject({ steps: [], errors: [] });
  }
}

const type = fc.constantFrom<Type>("Website", "Pixel");
const at = fc.nat({ max: 5 });
const swapped = (column: "id" | "key") =>
  fc
    .tuple(column === "key" ? fc.constant<Type>("Pixel") : type, at, at)
    .map(([kind, one, other]) => (world: World) => {
      world.change(kind, (rows) => {
        const [first, second] = [rows[one], rows[other]];
        if (first === undefined || second === undefined) return rows;
        const give = (row: Row, to: Row) =>
          column === "id" ? { ...to, id: row.id } : { ...to, ...keyed(kind, keyOf(row)) };
        return rows.map((row) =>
          row === first ? give(second, row) : row === second ? give(first, row) : row,
        );
      });
    });
const steps: Record<string, fc.Arbitrary<(world: World) => unknown>> = {
  /** Someone renames a pixel. Nobody can rename a website. */
  rename: at.map(
    (nth) => (world) =>
      world.change("Pixel", (rows) =>
        rows.map((row, index) => (index === nth ? { ...row, name: world.fresh() } : row)),
      ),
  ),
  renameBack: at.map((nth) => (world) => {
    const { type: kind, row } = world.held(`r${nth}`) ?? {};
    const { args } = world.declared.get(`r${nth}`) ?? {};
    // A record of another account with the id and the key of one in state can't be told from it.
    if (!world.isAway && kind === "Pixel" && args !== undefined)
      world.change(kind, (rows) =>
        rows.some((each) => keyOf(each) === keyOf(args))
          ? rows
          : rows.map((each) => (each.id === row?.id ? { ...each, ...keyed(kind, keyOf(args)) } : each)),
      );
  }),
  swapKeys: swapped("key"),
  swapIds: swapped("id"),
  renumber: type.map(
    (kind) => (world) => world.change(kind, (rows) => rows.map((row) => ({ ...row, id: row.id + 1 }))),
  ),
  lose: fc.tuple(type, at).map(
    ([kind, nth]) =>
      (world) =>
        world.change(kind, (rows) => rows.filter((_, index) => index !== nth)),
  ),
  /** Someone makes a record with a key that the program has declared, and that is free by now. */
  recreate: at.map((nth) => (world) => {
    const { type: kind, args } = world.declared.get(`r${nth}`) ?? {};
    if (
      kind !== undefined &&
      args !== undefined &&
      !world.rows(kind).some((row) => keyOf(row) === keyOf(args))
    )
      world.stranger(kind, keyOf(args));
  }),
  /** Someone deletes a record and makes it again, perhaps with its id. */
  remake: fc.tuple(type, at, fc.boolean()).map(([kind, nth, keepsId]) => (world) => {
    const row = world.rows(kind)[nth];
    if (row === undefined) return;
    world.change(kind, (rows) => rows.filter(({ id }) => id !== row.id));
    world.stranger(kind, keyOf(row), keepsId ? row.id : undefined);
  }),
  account: fc.constant((world) => world.toggleAccount()),
  /** One edit, after which the program names what another installation has under the same ids. */
  move: fc.constant((world) => {
    world.toggleAccount();
    for (const name of world.declared.keys()) {
      const row = world.held(name)?.row;
      if (row !== undefined) world.declare(name, keyOf(row));
    }
  }),
  follow: fc.tuple(at, fc.boolean()).map(([nth, adopt]) => (world) => {
    const row = world.held(`r${nth}`)?.row;
    if (row !== undefined) world.declare(`r${nth}`, keyOf(row), { adopt });
  }),
  /** The program gives a resource another name, without an alias. */
  renameResource: fc.tuple(at, fc.boolean()).map(([nth, adopt]) => (world) => {
    const { args } = world.declared.get(`r${nth}`) ?? {};
    if (args === undefined) return;
    world.declared.delete(`r${nth}`);
    world.declare(`r${nth + 6}`, keyOf(args), { adopt });
  }),
  edit: at.map((nth) => (world) => world.declare(`r${nth}`, world.fresh())),
  drop: at.map((nth) => (world) => world.declared.delete(`r${nth}`)),
  up: fc.constant((world) => world.run("up")),
  refresh: fc.constant((world) => world.run("refresh")),
  destroy: fc.constant((world) => world.run("destroy")),
};
const story = fc.array(
  fc.oneof(...Object.entries(steps).map(([name, made]) => made.map((step) => ({ name, step })))),
  {
    minLength: 3,
    maxLength: 12,
  },
);

it("writes to no record that its state does not mean and nobody adopts, loses none without a word, and is led out by what it says, whatever has other keys and ids by now", async () => {
  const sound = fc.asyncProperty(story, async (sequence) => {
    const { control, stack } = begin();
    const world = new World(control, stack);
    for (let nth = 0; nth < 6; nth += 1) world.declare(`r${nth}`, world.fresh());
    await world.run("up");
    for (const { step } of sequence) await step(world);
    await world.expectWayOut();
  });
  await fc.assert(sound, parametersOf("renames"));
}, 3_600_000);
