import fc from "fast-check";
import { expect, it } from "vitest";
import { catalogue } from "../../provider/resources";
import type { Resource } from "../../provider/schema/resource";
import type { Declared } from "../faults/stack";
import { parametersOf } from "../model/sizes";
import { argumentsOf } from "../provider/arguments";
import { dialectNames } from "../service";
import { useHarness } from "./harness";
import { EngineStack } from "./stack";

const world = useHarness();

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
  const stack = new EngineStack(world);
  const { numRuns } = parametersOf("engineConfigurations");
  let { seed: turn = 0 } = fc.readConfigureGlobal();
  await fc.assert(
    fc.asyncProperty(configurations, async (all) => {
      const dialect = dialectNames[turn++ % dialectNames.length] ?? "reference";
      world.service.configure({ dialect });
      const declared = all.map(({ type, args }, place) => ({ type, name: `r${place}`, args }));
      expect(await stack.up(declared)).toEqual({ errors: [] });
      expect((await world.expectNoChange()).sent).toEqual([]);
      const refreshed = await world.refresh();
      expect(refreshed.written).toEqual([]);
      const second = await world.expectNoChange();
      expect(second.sent.filter(({ method }) => method !== "GET")).toEqual([]);
      expect(await stack.destroy()).toEqual({ errors: [] });
    }),
    { numRuns: Math.ceil(numRuns / TOGETHER), endOnFailure: true },
  );
}, 3_600_000);
