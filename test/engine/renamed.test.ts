import { expect, it } from "vitest";
import { declare, KEY, longAgo, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();
const YES = ["--yes", "--skip-preview"];

const site = (name: string, domain: string, args: object = {}) =>
  declare("Website", name, { domain, privacy: "private", ...args }, { protect: false });
const pixel = (name: string, label = name, args: object = {}) =>
  declare("Pixel", name, { name: label, type: "bing", value: "1", ...args });
const domains = () =>
  world.service
    .websites()
    .map(({ domain }) => domain)
    .sort();

it("a pixel that someone renamed is drift like any other, and a website whose id shows another domain is another record, whose message leads out", async () => {
  const program = (type: string) =>
    world.program(
      site("shop", "shop.example") +
        site("blog", "blog.example") +
        pixel("tag", "tag", { type }) +
        pixel("ad"),
    );
  await program("bing");
  await world.up();
  const ids = async () =>
    Object.fromEntries(Object.entries(await world.resources()).map(([name, { id }]) => [name, id]));
  const before = await ids();
  for (const name of ["tag", "ad"])
    world.service.editPixel(world.pixel(name).id, { name: `${name}-by-hand` });

  // Without a refresh, a change of something else puts the name back too; with one, it is shown first.
  await program("quora");
  await world.up();
  await world.refresh();
  expect(await world.resource("ad")).toMatchObject({ outputs: { name: "ad-by-hand" } });
  expect(await world.plan()).toEqual({ ad: "update" });
  await world.up();
  await world.expectNoChange({ args: ["--refresh"] });
  // Which of the two was created first is the engine's.
  const types = world.service.pixels().map(({ name, type }) => [name, type]);
  expect(Object.fromEntries(types)).toEqual({ tag: "quora", ad: "bing" });
  expect(await ids()).toEqual(before);

  // What no page of the service can do, and a database can.
  world.service.editWebsite(world.website("shop.example").id, { domain: "theirs.example" });
  const theirs = structuredClone(world.website("theirs.example"));
  for (const command of ["refresh", "destroy"]) {
    const { output, written } = await world.fail([
      command,
      ...YES,
      "--target",
      (await world.resource("shop")).urn,
    ]);
    expect(output).toMatch(
      /"shop\.example" \(id \d+\) is another record on the service now: "theirs\.example", created at /,
    );
    expect(written).toEqual([]);
  }
  await world.run(["state", "delete", "--force", "--yes", (await world.resource("shop")).urn]);
  expect((await importing(world, ["--declared", "--apply"]).finished).code).toBe(0);
  await world.up();
  await world.expectNoChange({ args: ["--refresh"] });
  expect(world.website("theirs.example")).toEqual(theirs);
  expect(domains()).toEqual(["blog.example", "shop.example", "theirs.example"]);
});

it("another installation with the same ids, which the program then names, is not taken over, with adopt neither", async () => {
  const both = (place: string, args: object = {}) =>
    world.program(
      ["a", "b"].map((name) => site(name, `${name}.${place}.example`, args)).join("") +
        pixel("tag", `${place}-tag`, args),
    );
  await both("staging");
  await world.up();
  const before = await world.kept();
  const production = await world.anotherService();
  const created_at = longAgo();
  production.seed({
    websites: ["a", "b"].map((name) => ({
      id: Number(before[name]?.id),
      domain: `${name}.production.example`,
      privacy: 0,
      created_at,
    })),
    pixels: [{ id: Number(before.tag?.id), name: "production-tag", type: "quora", value: "9", created_at }],
  });
  const theirs = [production.websites(), production.pixels()];
  await world.configureHere({ url: production.url, key: KEY });
  for (const [command, args] of [
    [["up", ...YES], {}],
    [["up", ...YES, "--refresh"], { adopt: true }],
    [["destroy", ...YES], {}],
  ] as const) {
    await both("production", args);
    const { output } = await world.fail([...command]);
    expect(output).toMatch(/"\w+[.-]\w+(\.example)?" \(id \d+\) is another record on the service now/);
    expect(output).toMatch(
      /First check .*tracking:(analytics|data)BaseUrl.*: is this the right account\?\n +If it is, /,
    );
  }
  expect([production.websites(), production.pixels()]).toEqual(theirs);
  expect(production.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await world.kept()).toEqual(before);
});

it("a website whose www. the service strips keeps the program's spelling, through every command", async () => {
  world.service.configure({ dialect: "newer" });
  const declared = (privacy: string) => site("shop", "www.shop.example", { privacy });
  await world.program(declared("private"));
  await world.up();
  await world.expectNoDiff();
  await world.refresh({ args: ["--expect-no-changes"] });
  await world.program(declared("public"));
  await world.up();
  await world.expectNoChange({ args: ["--refresh"] });
  expect((await world.resource("shop")).outputs).toMatchObject({ domain: "www.shop.example" });
  expect(domains()).toEqual(["shop.example"]);
  await world.destroy();
  expect(domains()).toEqual([]);
});
