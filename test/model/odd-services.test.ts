import fc from "fast-check";
import { expect, it } from "vitest";
import type { Ended } from "../faults/ending";
import { type Declared, Stack } from "../faults/stack";
import { type EmulatorClient, type Said, silent, type Ways } from "../service";
import { begun, edits, expectSound, PLACES, refresh, up } from "./sequence";
import { useService } from "./service";
import { parametersOf } from "./sizes";

const begin = useService();
/** A stack that loses no record that its service still has, and whose records all match the program. */
class WatchedStack extends Stack {
  /** @param lost places of resources that a killed run created, and that state does not have */
  constructor(
    settings: Record<string, string>,
    private readonly control: EmulatorClient,
    private readonly lost: readonly number[],
  ) {
    super(settings);
  }

  /** An update of a website stores what is declared, or reports an error. */
  override async up(declared: readonly Declared[]): Promise<Ended> {
    const before = this.control.websites();
    const ended = await super.up(declared);
    if (ended.errors.length > 0) return ended;
    const after = this.control.websites();
    for (const { name, args } of declared.filter(({ type }) => type === "Website")) {
      const id = this.state.get(name)?.id;
      const due = { privacy: 1, email: 0, exclude_bots: args.excludeBots ? 1 : 0 } as const;
      const [old, now] = [before, after].map((all) => all.find((each) => String(each.id) === id));
      for (const field of ["privacy", "email", "exclude_bots"] as const)
        if (now?.[field] !== old?.[field]) expect(now?.[field], `${name}: ${field}`).toBe(due[field]);
    }
    return ended;
  }

  override refresh(): Promise<Ended> {
    return this.watched(() => super.refresh());
  }

  override destroy(): Promise<Ended> {
    return this.watched(() => super.destroy());
  }

  override async mend(declared: readonly Declared[]): Promise<Pick<Ended, "errors">> {
    const first = await super.mend(declared);
    for (const { name } of declared.filter((_, at) => this.lost.includes(at))) this.state.delete(name);
    // The lost ones already exist, and a create reports that instead of creating a second one.
    await this.up(declared.map((each) => ({ ...each, args: { ...each.args, adopt: false } })));
    const second = await super.mend(declared);
    expect((await this.refresh()).steps, "drift that no answer told").toEqual([]);
    return { errors: [...first.errors, ...second.errors] };
  }

  private async watched(run: () => Promise<Ended>): Promise<Ended> {
    const before = [...this.state];
    const ended = await run();
    const there = {
      Website: this.control.websites().map(({ id }) => String(id)),
      Pixel: this.control.pixels().map(({ id }) => String(id)),
    };
    const lost = before.filter(([name, { type, id }]) => !this.state.has(name) && there[type].includes(id));
    expect(lost, "records that are there, and no longer in state").toEqual([]);
    return ended;
  }
}

const ways: fc.Arbitrary<Ways> = fc.record({
  size: fc.constantFrom(15, undefined),
  page: fc.constantFrom("ignored" as const, "from 0" as const, "from 1" as const),
  says: fc.constantFrom(
    silent,
    () => ({ next_cursor: "b2Rk" }),
    () => ({ last_page: 1 }),
    ({ here }: Said) => ({ total: here }),
  ),
  put: fc.constantFrom("keeps" as const, "clears" as const),
  denials: fc.constantFrom(0, 1, 99),
});

const story = fc.record({
  ways,
  others: fc.constantFrom(1, 20, 120),
  lost: fc.uniqueArray(fc.nat({ max: PLACES - 1 })),
});

it("loses no record and creates none twice if a list is truncated, a record is denied, or a PUT touches all fields", async () => {
  await fc.assert(
    fc.asyncProperty(
      story,
      fc.commands([...edits(), up, refresh], { maxCommands: 10 }),
      async (scene, sequence) => {
        const { control, settings } = begin();
        control.configure({ dialect: "spec" });
        control.become(scene.ways);
        const stack = new WatchedStack(settings, control, scene.lost);
        const clearFaults = () => {
          control.become({ ...scene.ways, denials: 0 });
          control.clearFaults();
        };
        const commands = [begun, ...sequence];
        await expectSound({ control: { ...control, clearFaults }, stack }, commands, scene.others);
        const refused = control.requests().filter(({ status }) => status === 422);
        expect(refused.filter(({ method }) => method === "POST")).toEqual([]);
      },
    ),
    parametersOf("oddServices"),
  );
}, 3_600_000);
