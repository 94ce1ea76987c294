import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Clock } from "./ownership/clock";
import { story } from "./ownership/stories";
import { tell } from "./ownership/tell";
import { parametersOf } from "./sizes";

// Who reads a list, or reads a record once more, waits by these timers, which the story's clock moves.
vi.mock("node:timers/promises", async (actual) => ({
  ...(await actual<typeof import("node:timers/promises")>()),
  setTimeout: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}));

let clock: Clock;
beforeEach(() => {
  clock = new Clock();
  vi.stubGlobal("setTimeout", (wake: () => void, milliseconds?: number) => clock.later(wake, milliseconds));
  vi.spyOn(performance, "now").mockImplementation(() => clock.now);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** `npm test` tells the same stories each time; `npm run soak -- ownership` tells ten times as many of a random seed. */
const SEED = 1;

it("leaves each record with the one resource that has it, in any order of runs, providers and crashes", async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      expect(await tell(told, clock)).toEqual([]);
    }),
    await parametersOf("ownership", SEED),
  );
}, 3_600_000);
