import fc from "fast-check";
import { it } from "vitest";
import { edits, expectSound, PLACES, refresh, up } from "../model/sequence";
import { parametersOf } from "../model/sizes";
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
