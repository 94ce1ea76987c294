import fc from "fast-check";
import { expect, it } from "vitest";
import { catalogue } from "../../provider/resources";
import type { Resource } from "../../provider/schema/resource";
import type { Declared } from "../faults/stack";
import { edits, expectSound, PLACES, refresh, up } from "../model/sequence";
import { parametersOf } from "../model/sizes";
import { argumentsOf } from "../provider/arguments";
import { dialectNames } from "../service";
import { useHarness } from "./harness";
import { EngineStack } from "./stack";

const world = useHarness();
const stack = new EngineStack(world);

/** Starting an engine is slow: a sequence is this many at once, each with its own resources. */
const ABREAST = 5;

/** A few changes in each sequence, and the command after them: `up` in most cases. */
const changes = Array.from({ length: ABREAST }, (_, at) =>
  fc.array(fc.oneof(...edits(at * PLACES)), { minLength: 1, maxLength: 4 }),
);
const round = fc
  .tuple(fc.tuple(...changes), fc.oneof({ weight: 4, arbitrary: up }, { weight: 1, arbitrary: refresh }))
  .map(([all, run]) => [...all.flat(), run]);

it("keeps exactly one record per resource through any sequence of changes and faults", async () => {
  const { numRuns } = parametersOf("engineModel");
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 3 }), async (rounds) => {
      world.service.clearFaults();
      await expectSound({ control: world.service, stack }, rounds.flat());
    }),
    { numRuns, endOnFailure: true },
  );
}, 7_200_000);

/** How many are in one program, in one dialect; the next program uses the next dialect. */
const TOGETHER = 7;
/** Any arguments, with a key that no other resource of the program has. */
const configurations = fc.uniqueArray(
  fc.constantFrom(...catalogue).chain((resource) =>
    argumentsOf(resource).map((args) => ({
      type: resource.type as Declared["type"],
      args,
      key: keyOf(resource, args),
    })),
  ),
  { minLength: TOGETHER, maxLength: TOGETHER, selector: ({ key }) => key },
);

/** As on the strictest server, where case in pixel names and www. in domains do not distinguish. */
function keyOf({ type, key, inputs }: Resource, args: Readonly<Record<string, unknown>>): string {
  return `${type} ${String(inputs[key]?.canonical(args[key]))
    .toLowerCase()
    .trim()
    .replace(/^www\./, "")}`;
}

it("has no diff after applying a configuration, and writes nothing more, in every dialect", async () => {
  const { numRuns } = parametersOf("engineConfigurations");
  let { seed: turn = 0 } = fc.readConfigureGlobal();
  await fc.assert(
    fc.asyncProperty(configurations, async (all) => {
      world.service.configure({ dialect: dialectNames[turn++ % dialectNames.length] ?? "reference" });
      const declared = all.map(({ type, args }, place) => ({ type, name: `r${place}`, args }));
      expect(await stack.up(declared)).toEqual({ errors: [] });
      await world.expectNoDiff();
      expect((await world.refresh()).written).toEqual([]);
      expect((await world.expectNoChange()).written).toEqual([]);
      expect(await stack.destroy()).toEqual({ errors: [] });
    }),
    { numRuns: Math.ceil(numRuns / TOGETHER), endOnFailure: true },
  );
}, 3_600_000);
