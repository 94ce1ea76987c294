import fc from "fast-check";
import { expect, it } from "vitest";
import type { Declared, Stack } from "../faults/stack";
import type { EmulatorClient } from "../service";
import { useService } from "./service";
import { parametersOf } from "./sizes";

const begin = useService();

type Type = Declared["type"];
type Row = { id: number; domain?: string; name?: string; uid?: number };

/** A stack, and who each record really belongs to, whatever its id and its key are by now. */
class World {
  readonly declared = new Map<string, Declared>();
  /** By a column that no server shows. */
  private readonly owners = new Map<number, string>();
  private stash: Record<Type, Row[]> | undefined;
  private count = 0;

  constructor(
    readonly control: EmulatorClient,
    readonly stack: Stack,
  ) {}

  rows(type: Type): Row[] {
    return type === "Website" ? this.control.websites() : (this.control.pixels() as Row[]);
  }

  place({ Website, Pixel }: Record<Type, Row[]>): void {
    this.control.seed({ websites: Website as never, pixels: Pixel as never });
  }

  /** Changes the list of one kind of record. */
  change(type: Type, by: (rows: Row[]) => Row[]): void {
    const all = { Website: this.rows("Website"), Pixel: this.rows("Pixel") };
    this.place({ ...all, [type]: by(all[type]) });
  }

  declare(at: number, key: string): void {
    const name = `r${at}`;
    const args = at % 2 ? { name: key, type: "bing", value: "1" } : { domain: key };
    this.declared.set(name, { type: at % 2 ? "Pixel" : "Website", name, args });
  }

  fresh(): string {
    this.count += 1;
    return `fresh-${this.count}.example`;
  }

  /** To the account of others, with the same ids and values and other keys, and back. */
  toggleAccount(): void {
    const own = { Website: this.rows("Website"), Pixel: this.rows("Pixel") };
    const foreign = (type: Type) =>
      own[type].map(({ uid: _, ...row }) => ({ ...row, ...keyOf(type, this.fresh()) }));
    const next = this.stash ?? { Website: foreign("Website"), Pixel: foreign("Pixel") };
    this.stash = this.stash === undefined ? own : undefined;
    this.place(next);
  }

  /** Runs a command, which writes only to records that its resources own, and deletes none for a rename. */
  async run(command: "up" | "refresh" | "destroy"): Promise<void> {
    const before = new Map(this.stack.state);
    const places = (["Website", "Pixel"] as const).flatMap((type) =>
      this.rows(type).map((row) => [`/api/v1/${type.toLowerCase()}s/${row.id}`, { type, row }] as const),
    );
    const there = new Map<string, (typeof places)[number][1]>(places);
    this.control.clearRequests();
    if (command === "up") await this.stack.up([...this.declared.values()]);
    else await this.stack[command]();
    for (const { method, path } of this.control.requests()) {
      const found = there.get(path);
      if (found === undefined || method === "GET") continue;
      const { type, row } = found;
      const owner = this.owners.get(row.uid ?? -1);
      const holders = [...before].filter(([, each]) => each.type === type && each.id === String(row.id));
      expect(
        holders.map(([name]) => name),
        `${command}: ${method} ${path}`,
      ).toContain(owner);
      if (method === "DELETE" && command === "up")
        expect(this.keeps(owner, before), `${method} ${path}`).toBe(false);
    }
    this.mark();
  }

  /** Whether the program still declares a resource with the key that it had. */
  private keeps(
    name = "",
    before: ReadonlyMap<string, { readonly inputs: Readonly<Record<string, unknown>> }>,
  ): boolean {
    const { args } = this.declared.get(name) ?? {};
    const inputs = before.get(name)?.inputs;
    return args !== undefined && (args.domain ?? args.name) === (inputs?.domain ?? inputs?.name);
  }

  private mark(): void {
    for (const type of ["Website", "Pixel"] as const)
      for (const row of this.rows(type).filter(({ uid }) => uid === undefined)) {
        const [name] =
          [...this.stack.state].find(([, each]) => each.type === type && each.id === String(row.id)) ?? [];
        const uid = this.owners.size + 1;
        this.owners.set(uid, name ?? "nobody");
        const edit = { uid } as never;
        if (type === "Website") this.control.editWebsite(row.id, edit);
        else this.control.editPixel(row.id, edit);
      }
  }
}

const keyOf = (type: Type, key: string) => (type === "Website" ? { domain: key } : { name: key });

const type = fc.constantFrom<Type>("Website", "Pixel");
const at = fc.nat({ max: 5 });
const steps: Record<string, fc.Arbitrary<(world: World) => unknown>> = {
  rename: fc.tuple(type, at).map(
    ([kind, nth]) =>
      (world) =>
        world.change(kind, (rows) =>
          rows.map((row, index) => (index === nth ? { ...row, ...keyOf(kind, world.fresh()) } : row)),
        ),
  ),
  swap: fc.tuple(type, at, at).map(
    ([kind, one, other]) =>
      (world) =>
        world.change(kind, (rows) => {
          const ids = rows.map(({ id }) => id);
          if (ids[one] !== undefined && ids[other] !== undefined)
            [ids[one], ids[other]] = [ids[other], ids[one]];
          return rows.map((row, index) => ({ ...row, id: ids[index] ?? row.id }));
        }),
  ),
  renumber: type.map(
    (kind) => (world) => world.change(kind, (rows) => rows.map((row) => ({ ...row, id: row.id + 1 }))),
  ),
  lose: fc.tuple(type, at).map(
    ([kind, nth]) =>
      (world) =>
        world.change(kind, (rows) => rows.filter((_, index) => index !== nth)),
  ),
  account: fc.constant((world) => world.toggleAccount()),
  follow: at.map((nth) => (world) => {
    const held = world.stack.state.get(`r${nth}`);
    const row = held && world.rows(held.type).find(({ id }) => String(id) === held.id);
    if (row !== undefined) world.declare(nth, row.domain ?? row.name ?? "");
  }),
  edit: at.map((nth) => (world) => world.declare(nth, world.fresh())),
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

it("writes to no record that its state does not mean, and deletes none for a rename, whatever has other keys and ids by now", async () => {
  const sound = fc.asyncProperty(story, async (sequence) => {
    const { control, stack } = begin();
    const world = new World(control, stack);
    for (let nth = 0; nth < 6; nth += 1) world.declare(nth, world.fresh());
    await world.run("up");
    for (const { step } of sequence) await step(world);
  });
  await fc.assert(sound, parametersOf("renames"));
}, 3_600_000);
