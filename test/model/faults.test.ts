import fc from "fast-check";
import { expect, it } from "vitest";
import type { Fault } from "../../emulator";
import type { Declared } from "../faults/stack";
import { keysOf, useService } from "./service";
import { parametersOf } from "./sizes";

const begin = useService();
const keys = ["a.example.com", "b.example.com", "c.example.com"];

const fault: fc.Arbitrary<Fault> = fc.record({
  match: fc.record({
    method: fc.constantFrom("POST", "GET"),
    nth: fc.integer({ min: 1, max: 3 }),
    times: fc.integer({ min: 1, max: 5 }),
  }),
  commit: fc.constantFrom("before" as const, "after" as const, "never" as const),
  reply: fc.constantFrom("reset", "truncate", "half-headers", "html", "hang-up"),
  status: fc.constantFrom(401, 404, 500, 502, 503, 504),
});

it("leaves no duplicate and no orphan after any two faults", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 2 }), async (faults) => {
      const { control, stack } = await begin();
      for (const each of faults) await control.addFault(each);
      const declared = (adopt: boolean): Declared[] =>
        keys.map((domain) => ({ type: "Website", name: domain, args: { domain, adopt } }));
      await stack.up(declared(false));
      expect(new Set(await keysOf(control)).size, "keys, of which none is there twice").toBe(
        (await keysOf(control)).length,
      );
      await control.clearFaults();
      // The message of a failed create recommends adopting.
      const second = await stack.up(declared(false));
      for (const error of second.errors) expect(error).toMatch(/adopt: true/);
      expect((await stack.up(declared(true))).errors).toEqual([]);
      expect(await keysOf(control)).toEqual(keys);
      expect(stack.ids()).toEqual((await control.websites()).map(({ id }) => String(id)).sort());
      await stack.destroy();
      expect(await keysOf(control)).toEqual([]);
    }),
    await parametersOf("faultRuns"),
  );
}, 3_600_000);
