import { expect, it } from "vitest";
import { useHarness } from "./harness";

const world = useHarness();

it("get reads records that are managed elsewhere, and only reads them", async () => {
  const website = world.service.insertWebsite({
    domain: "shop.example.com",
    privacy: 2,
    password: "theirs",
    email: 1,
    exclude_bots: 0,
    exclude_ips: "192.0.2.7\n198.51.100.0/24",
  });
  const pixel = world.service.insertPixel({ name: "P", type: "google-ads", value: "AW-1" });
  const before = [world.service.websites(), world.service.pixels()];
  await world.program(`
const website = tracking.Website.get("theirs", "${website.id}");
tracking.Website.get("sealed", "${website.id}", { password: "canary-of-get" });
const pixel = tracking.Pixel.get("pixel", pulumi.output("${pixel.id}"));
const take = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));
exports.website = take(website, ["id", "domain", "privacy", "emailReports", "excludeBots", "excludeIps", "password"]);
exports.pixel = take(pixel, ["id", "name", "type", "value"]);
exports.instances = [website instanceof tracking.Website, tracking.Website.isInstance(website), tracking.Pixel.isInstance(website)];
`);
  expect((await world.up()).written).toEqual([]);
  expect((await world.resource("sealed")).outputs?.password).toMatchObject({
    ciphertext: expect.any(String),
  });
  const state = await world.state();
  expect(JSON.stringify(state)).not.toContain("canary-of-get");
  expect(state.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs).toEqual({
    website: {
      id: String(website.id),
      domain: "shop.example.com",
      privacy: "password",
      emailReports: true,
      excludeBots: false,
      excludeIps: ["192.0.2.7", "198.51.100.0/24"],
    },
    pixel: { id: String(pixel.id), name: "P", type: "google-ads", value: "AW-1" },
    instances: [true, true, false],
  });
  expect((await world.expectNoChange({ args: ["--refresh"] })).written).toEqual([]);
  expect([world.service.websites(), world.service.pixels()]).toEqual(before);
  // What the engine only reads it never deletes.
  for (const each of Object.values(await world.resources())) expect(each.external, each.urn).toBe(true);
});
