import { expect, it } from "vitest";
import { declare, STACK, useHarness } from "./harness";

const world = useHarness();

/** Every argument of a website, all wrong. */
const wrong = {
  domain: "https://shop.example.com/x",
  privacy: "secret",
  password: 918273645,
  emailReports: "yes",
  excludeBots: 1,
  excludeParams: ["ref", "two\nlines"],
  excludeIps: ["192.0.2.7", "300.1.1.1"],
  adopt: "please",
};

it("invalid arguments are each named at preview, and nothing is sent", async () => {
  await world.program(declare("Website", "faulty", { ...wrong, colour: "red" }));
  const preview = await world.fail(["preview"]);
  for (const name of Object.keys(wrong))
    expect(preview.output).toContain(`resource 'faulty' has a problem: ${name} must be`);
  expect(preview.output).toContain(`resource 'faulty' has a problem: unknown argument "colour"`);
  expect(preview.output).not.toContain("918273645");
  expect(preview.output).not.toMatch(STACK);
  expect(preview.sent).toEqual([]);
});

it("invalid arguments that come from another resource are refused by up once they are known", async () => {
  await world.program(`const first = ${declare("Pixel", "first", { name: "P", type: "quora", value: "1" })}
const shop = ${declare("Website", "shop", { domain: "shop.example.com" })}
const value = pulumi.all([first.id, shop.id]).apply(([id]) => "not\\n" + id);
new tracking.Pixel("second", { name: "Q", type: "quora", value });
`);
  expect((await world.preview()).sent).toEqual([]);
  const late = await world.fail(["up", "--yes", "--skip-preview"]);
  expect(late.output).toContain("value must be text of 1 to 255 characters on one line");
  expect((await world.service.pixels()).map(({ name }) => name)).toEqual(["P"]);
  expect(Object.keys(await world.resources()).sort()).toEqual(["first", "shop"]);
});
