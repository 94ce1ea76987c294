import fc from "fast-check";
import { expect, it } from "vitest";
import type { EmulatorClient, Fault } from "../../emulator";
import type { Declared, Stack } from "../faults/stack";
import { keysOf, useService } from "./service";
import { parametersOf } from "./sizes";

/** What is declared, by the place of the resource in the program. */
type Model = { declared: Map<number, Declared> };
interface Real {
  readonly control: EmulatorClient;
  readonly stack: Stack;
}
type Command = fc.AsyncCommand<Model, Real>;

const begin = useService();
const others = {
  websites: [{ id: 900, domain: "others.example.com" }],
  pixels: [{ id: 900, name: "others" }],
};

function command(title: string, run: (model: Model, real: Real) => Promise<unknown>): Command {
  return {
    check: () => true,
    run: async (model, real) => void (await run(model, real)),
    toString: () => title,
  };
}

/** Websites have even places. Another variant is an update; another key replaces a website and renames a pixel. */
function resource(at: number, key: number, variant: number, name = `r${at}`): Declared {
  return at % 2 === 0
    ? {
        type: "Website",
        name,
        args: { domain: `w${at}-${key}.example.com`, excludeBots: variant === 0, adopt: true },
      }
    : {
        type: "Pixel",
        name,
        args: { name: `p${at}-${key}`, type: "bing", value: `v${variant}`, adopt: true },
      };
}

const place = fc.nat({ max: 5 });
const flag = fc.nat({ max: 1 });
const cut: fc.Arbitrary<Fault> = fc.record({
  match: fc.record({
    method: fc.constantFrom("POST", "PUT", "DELETE", "GET"),
    nth: fc.integer({ min: 1, max: 3 }),
  }),
  commit: fc.constantFrom("before" as const, "never" as const),
  reply: fc.constantFrom("reset", "truncate", "half-headers", "html", "hang-up"),
  status: fc.constantFrom(500, 502, 504),
});

const commands: fc.Arbitrary<Command>[] = [
  fc
    .tuple(place, flag, flag)
    .map(([at, key, variant]) =>
      command(`declare(${at}, ${key}, ${variant})`, async ({ declared }) =>
        declared.set(at, resource(at, key, variant, declared.get(at)?.name)),
      ),
    ),
  place.map((at) => command(`drop(${at})`, async ({ declared }) => declared.delete(at))),
  place.map((at) =>
    command(`rename(${at})`, async ({ declared }) => {
      const old = declared.get(at);
      if (old) declared.set(at, { ...old, name: `${old.name}x` });
    }),
  ),
  fc.constant(command("up", ({ declared }, { stack }) => stack.up([...declared.values()]))),
  fc.constant(command("refresh", (_model, { stack }) => stack.refresh())),
  place.map((at) =>
    command(`drift(${at})`, async (_model, { control }) => {
      const website = (await control.websites()).filter(({ id }) => id !== 900)[at];
      if (website) await control.editWebsite(website.id, { exclude_bots: 0 });
      const pixel = (await control.pixels()).filter(({ id }) => id !== 900)[at];
      if (pixel) await control.editPixel(pixel.id, { value: "drifted" });
    }),
  ),
  place.map((at) =>
    command(`lose(${at})`, async (_model, { control }) => {
      const website = (await control.websites()).filter(({ id }) => id !== 900)[at];
      if (website) await control.deleteWebsite(website.id);
    }),
  ),
  cut.map((fault) =>
    command(`fault(${JSON.stringify(fault)})`, (_model, { control }) => control.addFault(fault)),
  ),
];

it("keeps one record a resource, and no other, through any sequence of changes and faults", async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 14 }), async (sequence) => {
      const real = await begin();
      await real.control.seed(others);
      const before = [await real.control.websites(), await real.control.pixels()];
      const model: Model = { declared: new Map() };
      await fc.asyncModelRun(() => ({ model, real }), sequence);

      await real.control.clearFaults();
      const declared = [...model.declared.values()];
      expect((await real.stack.refresh()).errors).toEqual([]);
      expect((await real.stack.up(declared)).errors).toEqual([]);
      const due = [
        ...declared.map(({ args }) => String(args.domain ?? args.name)),
        "others",
        "others.example.com",
      ];
      expect(await keysOf(real.control)).toEqual(due.sort());
      const ids = [...(await real.control.websites()), ...(await real.control.pixels())].map(({ id }) =>
        String(id),
      );
      expect(real.stack.ids()).toEqual(ids.filter((id) => id !== "900").sort());
      expect((await real.stack.preview(declared)).steps).toEqual([]);
      expect((await real.stack.destroy()).errors).toEqual([]);
      expect([await real.control.websites(), await real.control.pixels()]).toEqual(before);
    }),
    await parametersOf("model"),
  );
}, 3_600_000);
