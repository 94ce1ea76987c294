import { expect, it } from "vitest";
import { declare, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

const WAY_OUT =
  '"npx pulumi-tracking import --declared --apply --new-ids" gives it the record that the program declares';
const YES = ["--yes", "--skip-preview"];

const both = (args: object, opts: object = {}) =>
  declare("Website", "shop", { domain: "shop.example.com", ...args }, opts) +
  declare("Pixel", "pixel", { name: "P", type: "bing", value: "1", ...args }, opts);
const records = async () => [await world.service.websites(), await world.service.pixels()];

it("finds what a list shows on a later page though its total counts one page, and imports all of it", async () => {
  world.service.become({ says: ({ here }) => ({ total: here }) });
  const others = Array.from({ length: 101 }, (_, at) => at + 1);
  await world.service.seed({
    websites: others.map((id) => ({ id, domain: `site-${id}.example.com`, privacy: 1, email: 0 })),
    pixels: others.map((id) => ({ id, name: `P-${id}` })),
  });
  await world.service.insertWebsite({ domain: "shop.example.com", privacy: 1, email: 0, exclude_bots: 1 });
  await world.service.insertPixel({ name: "P", type: "bing", value: "1" });
  await world.program(both({ adopt: true }));
  expect((await world.up()).written).toEqual([]);
  const { shop, pixel } = await world.resources();
  expect([shop?.id, pixel?.id]).toEqual(["102", "102"]);

  await importing(world, ["--only", "pixels", "--apply"]).finished;
  const held = Object.values(await world.resources()).filter(({ type }) => type.endsWith("Pixel"));
  expect(held).toHaveLength(102);
});

it("keeps everything after an upgrade that gave every record another id, and takes the new ids as the message says, also with a dependent", async () => {
  const [website, pixel] = both({}, { protect: false }).split("\n");
  await world.program(`const shop = ${website}\n${pixel?.replace("false}", "false, dependsOn: [shop]}")}`);
  await world.up();
  const before = [await records(), await world.kept()];
  world.service.become({ upgraded: true });
  const held = await world.resources();
  const now = [held.shop, held.pixel].map((each) => `web_${each?.id}`);
  for (const args of [
    ["refresh", ...YES],
    ["destroy", ...YES, "--continue-on-error"],
  ]) {
    const ran = await world.fail(args);
    expect(ran.output).toMatch(new RegExp(`another id on the service now \\(id (${now.join("|")})\\)`));
    expect(ran.output).toContain(WAY_OUT);
    expect(ran.written).toEqual([]);
    expect([await records(), await world.kept()]).toEqual(before);
  }

  expect(await importing(world, ["--declared", "--apply"]).finished).toMatchObject({ code: 0 });
  expect(await world.kept()).toEqual(before[1]);
  const taken = await importing(world, ["--declared", "--apply", "--new-ids"]).finished;
  expect(taken, taken.stdout).toMatchObject({ code: 0, stderr: "" });
  expect(Object.values(await world.resources()).map(({ id }) => id)).toEqual(now);
  // What is imported is protected until the program says otherwise.
  expect((await world.up()).written).toEqual([]);
  expect((await world.destroy()).written.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  expect(await records()).toEqual([[], []]);
});

it("sends all fields once more if an update of one sets the others to 0", async () => {
  const shop = (emailReports: boolean) =>
    world.program(declare("Website", "shop", { domain: "shop.example.com", emailReports }));
  await shop(false);
  await world.up();
  world.service.become({ put: "clears" });
  await shop(true);
  const { written } = await world.up();
  expect(written.map(({ method }) => method)).toEqual(["PUT", "PUT"]);
  expect(await world.website("shop.example.com")).toMatchObject({ privacy: 1, email: 1, exclude_bots: 1 });
  expect((await world.expectNoChange({ args: ["--refresh"] })).written).toEqual([]);
});

it("takes no record for its own that another made meanwhile, if its time has no zone", async () => {
  world.service.become({ overtaken: true, zoneless: true });
  await world.program(both({}));
  const up = await world.fail(["up", ...YES, "--continue-on-error"], { env: { TZ: "America/New_York" } });
  for (const record of ["website", "pixel"])
    expect(up.output).toMatch(
      new RegExp(`${record} ".*does not say when it was created, or in which time zone`),
    );
  expect(up.output).toContain("npx pulumi-tracking import --declared --apply");
  expect(await world.kept()).toEqual({});
  expect((await records()).map((all) => all.length)).toEqual([1, 1]);
});
