import fc from "fast-check";

/** A resource as the program of one run declares it. */
export interface Line {
  /** Its place in the program, which is not its name. */
  readonly slot: number;
  /** Another version is another name: without `alias` it is another resource. */
  readonly version: number;
  readonly alias: boolean;
  readonly key: number;
  readonly variant: number;
  readonly provider: number;
  readonly adopt: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly retainOnDelete: boolean;
  /** The engine is told to replace it, and asks the provider nothing about that. */
  readonly forced: boolean;
}

/** One run of the program. */
export interface Command {
  readonly lines: readonly Line[];
  /** The engine asks for the last one first. */
  readonly reversed: boolean;
  /** The engine is left to the names of which this says so; to all, where there is none. */
  readonly targets: readonly boolean[] | undefined;
  /** The engine is killed before, or after, the step of this number. */
  readonly crash: { readonly at: number; readonly done: boolean } | undefined;
  /** What is on the service is read first. */
  readonly refresh: boolean;
}

/** All that happens to one stack. */
export interface Story {
  readonly type: "Website" | "Pixel";
  /** The second provider speaks to an installation of its own. */
  readonly apart: boolean;
  /** The keys of records that are there and that nobody has declared. */
  readonly planted: readonly number[];
  readonly commands: readonly Command[];
}

/** So few places and keys that resources meet. */
const SLOTS = 4;
const KEYS = 3;

const few = (max: number) => fc.nat({ max });
/** True once in so many times. */
const rarely = (times: number) => fc.nat({ max: times - 1 }).map((number) => number === 1);
const change = fc.record({
  version: few(1),
  alias: rarely(4),
  key: few(KEYS - 1),
  variant: few(1),
  provider: few(1),
  adopt: fc.boolean(),
  deleteBeforeReplace: fc.boolean(),
  retainOnDelete: rarely(4),
  forced: rarely(8),
});

const lines = fc
  .tuple(
    fc.array(fc.option(change, { freq: 3 }), { minLength: SLOTS, maxLength: SLOTS }),
    fc.shuffledSubarray(
      Array.from({ length: KEYS }, (_, key) => key),
      { minLength: KEYS, maxLength: KEYS },
    ),
    rarely(6),
  )
  .map(([changes, keys, twice]) => {
    const declared = changes.flatMap((one, slot) => (one === null ? [] : [{ ...one, slot }]));
    // Most programs declare a key once: one that declares it twice is refused, and no more comes of it.
    return twice
      ? declared
      : declared.slice(0, KEYS).map((line, at) => ({ ...line, key: keys[at] ?? line.key }));
  });

const command: fc.Arbitrary<Command> = fc.record({
  lines,
  reversed: fc.boolean(),
  targets: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.array(fc.boolean(), { minLength: 2 * SLOTS, maxLength: 2 * SLOTS }) },
  ),
  crash: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.record({ at: few(4), done: fc.boolean() }) },
  ),
  refresh: rarely(3),
});

export const story: fc.Arbitrary<Story> = fc.record({
  type: fc.constantFrom("Website", "Pixel"),
  apart: rarely(5),
  planted: fc.uniqueArray(few(KEYS - 1), { maxLength: 2 }),
  commands: fc.array(command, { minLength: 2, maxLength: 6 }),
});

export function nameOf({ slot, version }: Pick<Line, "slot" | "version">): string {
  return `r${slot}-${version}`;
}

/** Whether the engine is to see to the resource of this name. */
export function isTarget({ targets }: Command, { slot, version }: Pick<Line, "slot" | "version">): boolean {
  return targets === undefined || targets[2 * slot + version] === true;
}
