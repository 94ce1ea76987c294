import { expect, it } from "vitest";
import { declare, useHarness } from "./harness";

const world = useHarness();

it("ignoreChanges keeps a change from the service, and that alone, and options without effect are named", async () => {
  const program = (later: boolean) => {
    const changed = later ? { privacy: "public" } : { privacy: "private", excludeIps: ["192.0.2.7"] };
    const options = { ignoreChanges: later ? ["privacy", "excludeIps"] : [] };
    const useless = { ...options, replaceOnChanges: ["privacy"], customTimeouts: { create: "5m" } };
    const site = (name: string, args: object, opts: object) =>
      declare("Website", name, { domain: `${name}.example.com`, ...args }, opts);
    return world.program(
      site("ignoring", changed, useless) + site("partly", { ...changed, emailReports: later }, options),
    );
  };
  await program(false);
  const { output } = await world.up();
  for (const option of ["replaceOnChanges", "customTimeouts"])
    expect(output).toContain(`warning: Website "ignoring": the resource option "${option}" has no effect`);
  const ignoring = await world.website("ignoring.example.com");
  const partly = await world.website("partly.example.com");
  await world.expectNoDiff();
  await program(true);
  expect((await world.up()).written.map(({ path, form }) => [path, form])).toEqual([
    [`/api/v1/websites/${partly.id}`, { email: "1" }],
  ]);
  expect(await world.website("ignoring.example.com")).toEqual(ignoring);
  expect(await world.website("partly.example.com")).toEqual({
    ...partly,
    email: 1,
    updated_at: expect.any(String),
  });
  await world.expectNoDiff();
});
