import fc from "fast-check";
import type { Scene } from "./plots";
import { type Duplicates, KEYS, type Line, type Program, SLOTS, type Story } from "./program";

/** How often, in percent, something is so. A story is about a few things: each more often than in others. */
export interface Focus {
  readonly adopt: number;
  readonly deleteBeforeReplace: number;
  readonly retainOnDelete: number;
  readonly alias: number;
  readonly forced: number;
  readonly waits: number;
  /** A run declares a key twice. */
  readonly twice: number;
  readonly targets: number;
  readonly crash: number;
  readonly faults: number;
  readonly acts: number;
  /** Somebody has renamed a record. */
  readonly drift: number;
  /** A question is answered late. */
  readonly slow: number;
  /** The program is another one than that of the run before. */
  readonly edits: number;
  /** The kinds of resources and accounts that it is about; all by default. */
  readonly suits?: (kind: Pick<Story, "type" | "second">) => boolean;
  /** What its service does with a second record of a key; all by default. */
  readonly duplicates?: readonly Duplicates[];
  /** How its first runs go. */
  readonly plot?: readonly Scene[];
}

export const few = (max: number) => fc.nat({ max });
/** True so often, in percent. */
export const chance = (percent: number) => fc.nat({ max: 99 }).map((number) => number > 99 - percent);
export const perhaps = <T>(percent: number, arbitrary: fc.Arbitrary<T>) =>
  chance(percent).chain((is) => (is ? arbitrary : fc.constant(undefined)));

/** What becomes of a program from one run to the next. */
export interface Edit {
  readonly slot: number;
  readonly other: number;
  readonly does:
    | "rename"
    | "key"
    | "swap"
    | "hand over"
    | "provider"
    | "drop"
    | "add"
    | "variant"
    | "options";
  readonly line: Omit<Line, "slot" | "version" | "variant" | "provider" | "forced">;
}

export const edit = (focus: Focus): fc.Arbitrary<Edit> =>
  fc.record({
    slot: few(SLOTS - 1),
    other: few(SLOTS - 1),
    does: fc.constantFrom<Edit["does"][]>(
      "rename",
      "key",
      "swap",
      "hand over",
      "hand over",
      "provider",
      "drop",
      "add",
      "variant",
      "options",
    ),
    line: fc.record({
      key: few(KEYS - 1),
      alias: chance(focus.alias),
      adopt: chance(focus.adopt),
      deleteBeforeReplace: chance(focus.deleteBeforeReplace),
      retainOnDelete: chance(focus.retainOnDelete),
      waits: chance(focus.waits),
    }),
  });

export function edited(program: Program, { slot, other, does, line }: Edit): Program {
  const { adopt, deleteBeforeReplace, retainOnDelete, waits, alias, key } = line;
  const options = { adopt, deleteBeforeReplace, retainOnDelete, waits };
  const change = (at: number, to: Partial<Program[number]>) => (all: Program) =>
    all.map((each, place) => (place === at ? { ...each, ...to } : each));
  const [mine, theirs] = [program[slot], program[other]];
  if (mine === undefined || theirs === undefined) return program;
  switch (does) {
    case "rename":
      return change(slot, { version: 1 - mine.version, alias, ...options })(program);
    case "key":
      return change(slot, { key, ...options, there: true })(program);
    case "swap":
      return change(other, { key: mine.key, deleteBeforeReplace })(
        change(slot, { key: theirs.key, ...options })(program),
      );
    // One that is new takes what another had, which moves on.
    case "hand over":
      return change(other, { key, deleteBeforeReplace, retainOnDelete })(
        change(slot, { key: theirs.key, there: true, ...options, version: 1 - mine.version, alias: false })(
          program,
        ),
      );
    case "provider":
      return change(slot, {
        provider: 1 - mine.provider,
        ...options,
        version: alias ? mine.version : 1 - mine.version,
        alias: false,
      })(program);
    case "drop":
      return change(slot, { there: false })(program);
    case "add":
      return change(slot, { there: true, key, ...options })(program);
    case "variant":
      return change(slot, { variant: 1 - mine.variant })(program);
    default:
      return change(slot, options)(program);
  }
}

export const first: fc.Arbitrary<Program> = fc
  .tuple(
    fc.array(fc.tuple(few(KEYS - 1), few(1), fc.boolean(), fc.boolean()), {
      minLength: SLOTS,
      maxLength: SLOTS,
    }),
  )
  .map(([places]) =>
    places.map(([key, provider, there, adopt], slot) => ({
      slot,
      version: 0,
      alias: false,
      key,
      variant: 0,
      provider,
      adopt,
      deleteBeforeReplace: false,
      retainOnDelete: false,
      forced: false,
      waits: false,
      there,
    })),
  );
