import type { Command, Line, Program } from "./program";

/**
 * One run of a plot: the resources by their places in the program, and what happens to it. What is not said is as in
 * any other story.
 */
export interface Scene
  extends Partial<Pick<Command, "targets" | "reversed" | "drift" | "slow" | "faults" | "refresh" | "crash">> {
  readonly lines: Readonly<Record<number, Partial<Omit<Line, "slot">>>>;
  readonly twice?: true;
}

const plain = { waits: false, retainOnDelete: false, forced: false, alias: false } as const;
const inOrder = { reversed: false, refresh: false, targets: undefined, crash: undefined } as const;
const only = (slot: number) => Array.from({ length: 8 }, (_, at) => Math.floor(at / 2) === slot);

/** A record comes to two. */
const both: readonly Scene[] = [
  { ...inOrder, lines: { 0: { ...plain, key: 0 } } },
  { ...inOrder, lines: { 0: { ...plain, key: 1 }, 3: { ...plain, key: 0, adopt: true } }, targets: only(3) },
];

/** One of the two has it deleted first, and the other waits. */
export const waiting: readonly Scene[] = [
  ...both,
  {
    ...inOrder,
    lines: {
      0: { ...plain, key: 1, adopt: false, deleteBeforeReplace: true },
      3: { ...plain, key: 0, adopt: false, waits: true },
    },
  },
];

/** One of the two is replaced by force, and the engine stops before it comes to the other, which renames the record. */
export const stopped: readonly Scene[] = [
  ...both,
  {
    ...inOrder,
    lines: {
      0: { ...plain, key: 0, adopt: false, forced: true, deleteBeforeReplace: true },
      1: { ...plain, key: 2 },
      2: { ...plain, key: 2 },
      3: { ...plain, key: 1, adopt: false },
    },
    twice: true,
  },
];

/** One would take a record over, and the engine stops before it comes to the one that has it. */
export const unchecked: readonly Scene[] = [
  { ...inOrder, lines: { 3: { ...plain, key: 0, version: 0 } } },
  {
    ...inOrder,
    lines: {
      0: { ...plain, key: 0, adopt: true },
      1: { ...plain, key: 2 },
      2: { ...plain, key: 2 },
      3: { ...plain, key: 1, version: 0 },
    },
    twice: true,
  },
];

/** One would take a record over; before it is known that another has it, a check's question is answered late. */
export const slow: readonly Scene[] = [
  { ...inOrder, lines: { 2: { ...plain, key: 0, version: 0 } } },
  {
    ...inOrder,
    lines: {
      0: { ...plain, key: 0, adopt: true, provider: 0 },
      1: { ...plain, key: 2, adopt: true, provider: 1 },
      2: { ...plain, key: 1, version: 0, deleteBeforeReplace: true },
    },
    slow: 1,
  },
];

/** A record is renamed; who asks next has a list of before. */
export const renamed: readonly Scene[] = [
  { ...inOrder, lines: { 1: { ...plain, key: 0, version: 0, provider: 1 } } },
  {
    ...inOrder,
    lines: {
      0: { ...plain, key: 2, adopt: true, provider: 0 },
      1: { ...plain, key: 1, version: 0, provider: 1 },
      2: { ...plain, key: 0, adopt: true, provider: 0, waits: true },
    },
  },
];

/** Two accounts of one service make a record of one key, and the answer to one is lost. */
export const lost: readonly Scene[] = [0, 1].map((nth) => ({
  ...inOrder,
  lines: { 0: { ...plain, key: nth, provider: 0 }, 1: { ...plain, key: nth, provider: 1 } },
  faults: [{ method: "POST", nth, is: "lost" }],
}));

/** Somebody has renamed a record: the one that has it is replaced by force, and another would take it over. */
export const racing: readonly Scene[] = [
  { ...inOrder, lines: { 1: { ...plain, key: 0, version: 0, provider: 1 } } },
  {
    ...inOrder,
    lines: {
      0: { ...plain, key: 1, adopt: true, provider: 0 },
      1: { ...plain, key: 0, version: 0, provider: 1, adopt: false, forced: true, deleteBeforeReplace: true },
    },
    drift: { from: 0, to: 1 },
  },
];

/** The program as a scene has it. */
export function staged(program: Program, { lines }: Scene): Program {
  return program.map((line) => ({ ...line, there: line.slot in lines, ...lines[line.slot] }));
}
