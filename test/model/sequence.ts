import fc from "fast-check";
import { expect } from "vitest";
import type { Declared } from "../faults/stack";
import { type EmulatorClient, type Fault, type FaultReply, page } from "../service";
import { keysOf } from "./service";

/** A stack in any engine, real or simulated. */
export interface ModelStack {
  up(declared: readonly Declared[]): Promise<{ errors: readonly string[] }>;
  refresh(): Promise<{ errors: readonly string[] }>;
  /** The plan of a preview. */
  preview(declared: readonly Declared[]): Promise<{ steps: readonly string[] }>;
  /** Refreshes, then makes the service match the program. */
  mend(declared: readonly Declared[]): Promise<{ errors: readonly string[] }>;
  destroy(): Promise<{ errors: readonly string[] }>;
  /** In ascending order. */
  ids(): readonly string[] | Promise<readonly string[]>;
}

/** The declarations, by the resource's place in the program. */
export type Model = { declared: Map<number, Declared> };
export interface Real {
  readonly control: EmulatorClient;
  readonly stack: ModelStack;
}
export type Command = fc.AsyncCommand<Model, Real>;

/** A foreign record of each kind. */
const OTHERS = {
  websites: [{ id: 900, domain: "others-900.example.com" }],
  pixels: [{ id: 900, name: "others-900" }],
};
const isOthers = (key: string) => key.startsWith("others-");
const ownWebsites = (control: EmulatorClient) => control.websites().filter(({ domain }) => !isOthers(domain));
const ownPixels = (control: EmulatorClient) => control.pixels().filter(({ name }) => !isOthers(name));

function command(title: string, run: (model: Model, real: Real) => unknown): Command {
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

/** The most resources that a sequence declares. */
export const PLACES = 6;
const flag = fc.nat({ max: 1 });
const cut: fc.Arbitrary<Fault> = fc.record({
  match: fc.record({
    method: fc.constantFrom("POST", "PUT", "DELETE", "GET"),
    nth: fc.integer({ min: 1, max: 3 }),
  }),
  commit: fc.constantFrom("before" as const, "never" as const),
  reply: fc.oneof(
    fc.constantFrom<FaultReply[]>("reset", "truncate", "half-headers", "hang-up"),
    fc.constantFrom(500, 502, 504).map(page),
  ),
});

/** What can happen between two commands: to the program, from this place on, and to the service. */
export function edits(from = 0): fc.Arbitrary<Command>[] {
  const place = fc.nat({ max: PLACES - 1 }).map((at) => from + at);
  return [
    fc
      .tuple(place, flag, flag)
      .map(([at, key, variant]) =>
        command(`declare(${at}, ${key}, ${variant})`, ({ declared }) =>
          declared.set(at, resource(at, key, variant, declared.get(at)?.name)),
        ),
      ),
    place.map((at) => command(`drop(${at})`, ({ declared }) => declared.delete(at))),
    place.map((at) =>
      command(`rename(${at})`, ({ declared }) => {
        const old = declared.get(at);
        if (old) declared.set(at, { ...old, name: `${old.name}x` });
      }),
    ),
    place.map((at) =>
      command(`drift(${at})`, (_model, { control }) => {
        const website = ownWebsites(control)[at];
        if (website) control.editWebsite(website.id, { exclude_bots: 0 });
        const pixel = ownPixels(control)[at];
        if (pixel) control.editPixel(pixel.id, { value: "drifted" });
      }),
    ),
    place.map((at) =>
      command(`lose(${at})`, (_model, { control }) => {
        const website = ownWebsites(control)[at];
        if (website) control.deleteWebsite(website.id);
      }),
    ),
    cut.map((fault) =>
      command(`fault(${JSON.stringify(fault)})`, (_model, { control }) => control.addFault(fault)),
    ),
  ];
}

/** A command against the service, whatever its outcome. */
export const up: fc.Arbitrary<Command> = fc.constant(
  command("up", ({ declared }, { stack }) => stack.up([...declared.values()])),
);
/** What is never to be missed, however few cases are tried: a lost answer, and then what someone does by hand. */
export const decisive: readonly Command[] = [
  command("lostAnswer", async ({ declared }, { control, stack }) => {
    for (const at of [0, 1]) declared.set(at, resource(at, 0, 0));
    control.addFault({ match: { method: "POST", times: 2 }, commit: "before", reply: "reset" });
    expect(await stack.up([...declared.values()])).toMatchObject({ errors: [] });
  }),
  command("byHand", (_model, { control }) => {
    for (const { id } of ownWebsites(control)) control.deleteWebsite(id);
  }),
];
export const refresh: fc.Arbitrary<Command> = fc.constant(
  command("refresh", (_model, { stack }) => stack.refresh()),
);

/**
 * Runs a sequence, then the commands that repair everything, and checks: one record per resource and no other, no
 * change to make, and nothing left at the end.
 */
export async function expectSound(real: Real, sequence: Iterable<Command>): Promise<void> {
  const { control, stack } = real;
  control.seed(OTHERS);
  const before = [control.websites(), control.pixels()];
  const model: Model = { declared: new Map() };
  await fc.asyncModelRun(() => ({ model, real }), sequence);

  control.clearFaults();
  const declared = [...model.declared.values()];
  expect((await stack.mend(declared)).errors).toEqual([]);
  const due = declared.map(({ args }) => String(args.domain ?? args.name));
  expect(keysOf(control).filter((key) => !isOthers(key))).toEqual(due.sort());
  const ids = [...ownWebsites(control), ...ownPixels(control)].map(({ id }) => String(id));
  expect(await stack.ids()).toEqual(ids.sort());
  expect((await stack.preview(declared)).steps).toEqual([]);
  expect((await stack.destroy()).errors).toEqual([]);
  expect([control.websites(), control.pixels()]).toEqual(before);
}
