import fc from "fast-check";
import { chance, edit, edited, type Focus, few, first, perhaps } from "./edits";
import { foci, kinds } from "./foci";
import { staged } from "./plots";
import { type Command, type Duplicates, KEYS, type Line, SLOTS, type Story } from "./program";

const duplicates: readonly Duplicates[] = ["refused", "500", "answered", "allowed"];

const command = (focus: Focus) =>
  fc.record({
    edits: perhaps(focus.edits, fc.array(edit(focus), { minLength: 1, maxLength: 3 })),
    forced: fc.array(chance(focus.forced), { minLength: SLOTS, maxLength: SLOTS }),
    twice: chance(focus.twice),
    reversed: fc.boolean(),
    targets: perhaps(focus.targets, fc.array(fc.boolean(), { minLength: 2 * SLOTS, maxLength: 2 * SLOTS })),
    crash: perhaps(
      focus.crash,
      fc.record({
        who: fc.constantFrom("engine" as const, "provider" as const),
        nth: few(3),
        done: fc.boolean(),
      }),
    ),
    faults: perhaps(
      focus.faults,
      fc.array(
        fc.record({
          method: fc.constantFrom(
            "POST" as const,
            "POST" as const,
            "POST" as const,
            "PUT" as const,
            "DELETE" as const,
            "GET" as const,
          ),
          nth: few(2),
          is: fc.constantFrom("lost" as const, "never came" as const),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    acts: perhaps(
      focus.acts,
      fc.array(
        fc.record({
          after: fc.constantFrom("list" as const, "post" as const),
          nth: few(2),
          does: fc.constantFrom("plant" as const, "drop" as const),
          key: few(KEYS - 1),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    refresh: chance(15),
    drift: perhaps(focus.drift, fc.record({ from: few(KEYS - 1), to: few(KEYS - 1) })),
    slow: perhaps(focus.slow, few(5)),
  });

export const story: fc.Arbitrary<Story> = fc.constantFrom(...foci).chain((focus) =>
  fc
    .record({
      kind: fc.constantFrom(...kinds.filter(focus.suits ?? (() => true))),
      duplicates: fc.constantFrom(...(focus.duplicates ?? duplicates)),
      pace: fc.noShrink(fc.nat()),
      planted: fc.uniqueArray(few(KEYS - 1), { maxLength: focus.plot === undefined ? 2 : 0 }),
      first,
      commands: fc.array(command(focus), { minLength: Math.max(2, focus.plot?.length ?? 0), maxLength: 6 }),
    })
    .map(({ first, commands, kind, ...rest }) => {
      const told = { ...kind, ...rest };
      let program = first;
      const runs = commands.map(({ edits, forced, twice, faults, acts, ...rest }, at): Command => {
        const scene = focus.plot?.[at];
        program = scene === undefined ? (edits ?? []).reduce(edited, program) : staged(program, scene);
        const declared = program.filter(({ there }) => there);
        const lines = declared.filter(
          (line, at) =>
            ((scene?.twice ?? twice) && told.second !== "other address") ||
            declared.findIndex((each) => isSameKey(told, each, line)) === at,
        );
        const { lines: _, twice: __, ...happens } = scene ?? {};
        return {
          ...rest,
          faults: faults ?? [],
          acts: acts ?? [],
          ...happens,
          lines: lines.map(({ there: _, ...line }) => ({
            ...line,
            forced: scene?.lines[line.slot]?.forced ?? forced[line.slot] === true,
            // Nobody can tell that what another address takes over is what is to be deleted first.
            deleteBeforeReplace: line.deleteBeforeReplace && told.second !== "other address",
          })),
        };
      });
      return { ...told, commands: runs };
    }),
);

/** Whether two lines declare one key of one account, as far as their settings say. */
export function isSameKey(
  { second }: Pick<Story, "second">,
  one: Pick<Line, "key" | "provider">,
  other: Pick<Line, "key" | "provider">,
): boolean {
  return (
    one.key === other.key && (one.provider === other.provider || !["apart", "other key"].includes(second))
  );
}
