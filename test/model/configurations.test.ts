import fc from "fast-check";
import { expect, it } from "vitest";
import { catalogue } from "../../provider/resources";
import type { Declared } from "../faults/stack";
import { argumentsOf } from "../provider/arguments";
import { dialectNames } from "../service";
import { useService } from "./service";
import { parametersOf } from "./sizes";

const begin = useService();

const configuration = fc.constantFrom(...catalogue).chain((resource) =>
  fc.record({
    type: fc.constant(resource.type as Declared["type"]),
    args: argumentsOf(resource),
    dialect: fc.constantFrom(...dialectNames),
  }),
);

it("has no diff after applying a configuration, and writes nothing more, in every dialect", async () => {
  await fc.assert(
    fc.asyncProperty(configuration, async ({ dialect, ...resource }) => {
      const { control, stack } = begin();
      control.configure({ dialect });
      const declared = [{ name: "one", ...resource }];
      expect((await stack.up(declared)).errors).toEqual([]);
      control.clearRequests();
      expect((await stack.preview(declared)).steps, "steps at once").toEqual([]);
      expect(await stack.refresh()).toMatchObject({ steps: [], errors: [] });
      expect((await stack.preview(declared)).steps, "steps after a refresh").toEqual([]);
      expect(control.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    }),
    parametersOf("configurations"),
  );
}, 3_600_000);
