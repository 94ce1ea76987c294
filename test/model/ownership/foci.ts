import type { Focus } from "./edits";
import { lost, racing, renamed, slow, stopped, unchecked, waiting } from "./plots";
import type { Story } from "./program";

const usual: Focus = {
  adopt: 50,
  deleteBeforeReplace: 40,
  retainOnDelete: 10,
  alias: 20,
  forced: 5,
  waits: 10,
  twice: 4,
  targets: 10,
  crash: 10,
  faults: 10,
  acts: 10,
  drift: 0,
  slow: 0,
  edits: 80,
};
const calm = { crash: 0, faults: 0, acts: 0, targets: 0, drift: 0, slow: 0 };
/** What a story is about. */
export const foci: readonly Focus[] = [
  usual,
  // Adopters of one record; some of them wait for others.
  { ...usual, ...calm, adopt: 90, alias: 5 },
  { ...usual, ...calm, adopt: 80, waits: 60 },
  // The engine stops before it has come to all.
  { ...usual, ...calm, adopt: 90, twice: 60, edits: 95 },
  // A record is left to two, of which a later run comes to one alone.
  { ...usual, ...calm, adopt: 90, targets: 80, twice: 0, edits: 40 },
  { ...usual, ...calm, adopt: 30, faults: 90, waits: 40 },
  { ...usual, acts: 90, adopt: 90 },
  { ...usual, crash: 70, adopt: 80 },
  // What is replaced by force is taken meanwhile.
  { ...usual, ...calm, forced: 50, deleteBeforeReplace: 80, retainOnDelete: 20, edits: 60 },
  // Two make a record of one key, and the answer to one is lost.
  {
    ...usual,
    ...calm,
    adopt: 10,
    faults: 95,
    suits: ({ second }) => second === "other key",
    duplicates: ["allowed"],
  },
  // What a failed run has left to two is deleted first for one of them, while yet another fails.
  {
    ...usual,
    ...calm,
    deleteBeforeReplace: 80,
    forced: 40,
    twice: 40,
    edits: 90,
    suits: ({ second }) => second === "same",
  },
  { ...usual, ...calm, plot: stopped, suits: ({ type, second }) => type === "Pixel" && second === "same" },
  { ...usual, ...calm, plot: unchecked, suits: ({ second }) => second === "same" },
  { ...usual, ...calm, plot: waiting, suits: ({ type, second }) => type === "Website" && second === "same" },
  { ...usual, ...calm, plot: slow, suits: ({ second }) => second === "same" },
  { ...usual, ...calm, plot: renamed, suits: ({ type, second }) => type === "Pixel" && second === "same" },
  { ...usual, ...calm, plot: lost, suits: ({ second }) => second === "other key", duplicates: ["allowed"] },
  { ...usual, ...calm, plot: racing, suits: ({ type, second }) => type === "Pixel" && second === "same" },
];

/**
 * Nobody can tell that a pixel which one resource renames is the one that another has taken over by another address:
 * of websites, which are never renamed, the one that is to go is kept.
 */
export const kinds: readonly Pick<Story, "type" | "second">[] = (["Website", "Pixel"] as const).flatMap(
  (type) =>
    (
      ["same", "other key", "apart", ...(type === "Website" ? (["other address"] as const) : [])] as const
    ).map((second) => ({ type, second })),
);
