import { expect, it } from "vitest";
import { declare, KEY, longAgo, useHarness } from "./harness";

const world = useHarness();
const YES = ["--yes", "--skip-preview"];
const COMMANDS = [
  ["up", ...YES, "--refresh"],
  ["up", ...YES, "--refresh", "--run-program"],
  ["up", ...YES],
];

const site = (name: string, domain: string, opts: object = {}, args: object = {}) =>
  declare("Website", name, { domain, privacy: "private", ...args }, opts);
const pixel = (name: string, label = name, args: object = {}) =>
  declare("Pixel", name, { name: label, type: "bing", value: "1", ...args });
const domains = () =>
  world.service
    .websites()
    .map(({ domain }) => domain)
    .sort();
const LOST = /omeone has renamed it: set domain: "[^"]+" in the program, and run "pulumi up"/;

/** Two websites and a pixel that someone renames, a protected one among them, and a website that is only changed. */
const program = ([shop, open, tag]: readonly [string, string, string], more = "") =>
  world.program(
    site("shop", shop) +
      site("open", open, { protect: false }) +
      pixel("tag", tag) +
      site("blog", "blog.example") +
      more,
  );
const OLD = ["old.example", "open-old.example", "old"] as const;
const NEW = ["new.example", "open-new.example", "new"] as const;

async function renamed() {
  await program(OLD);
  await world.up();
  const ids = Object.entries(await world.resources()).map(([name, { id }]) => [name, id]);
  for (const at of [0, 1] as const) world.service.editWebsite(world.website(OLD[at]).id, { domain: NEW[at] });
  world.service.editPixel(world.pixel("old").id, { name: "new" });
  return Object.fromEntries(ids) as Record<string, string>;
}

async function expectFollowed(ids: Record<string, string>) {
  await world.expectNoDiff();
  await world.expectNoChange({ args: ["--refresh"] });
  const kept = await world.kept();
  expect(Object.fromEntries(Object.entries(kept).map(([name, { id }]) => [name, id]))).toEqual(ids);
  expect(kept.shop?.outputs).toMatchObject({ domain: "new.example" });
  expect(kept.tag?.outputs).toMatchObject({ name: "new" });
  expect(JSON.stringify(kept)).not.toMatch(/__declaredKey|old\.example/);
}

it("what someone renamed is shown by a refresh with the drift of the others, refused as it is, and followed by one edit for good", async () => {
  const ids = await renamed();
  world.service.editWebsite(world.website("blog.example").id, { email: 1 });
  for (const command of [
    ["refresh", ...YES],
    ["refresh", ...YES],
  ])
    expect((await world.run(command)).stdout).toMatch(
      /"old\.example" \(id \d+\) is "new\.example" on the service now: someone has renamed it: set domain: "new\.example"/,
    );
  expect((await world.resource("blog")).outputs).toMatchObject({ emailReports: true });
  expect((await world.resource("shop")).outputs).toMatchObject({ domain: "new.example" });
  for (const command of COMMANDS) {
    const failed = await world.fail(command);
    expect(failed.output).toMatch(LOST);
    expect(failed.written.filter(({ method }) => method !== "PUT")).toEqual([]);
  }
  expect(domains()).toEqual(["blog.example", "new.example", "open-new.example"]);

  // Whether an up came to the pixel before it failed for a website.
  world.service.editPixel(Number(ids.tag), { name: "new" });
  await program(NEW);
  expect(await world.plan()).toMatchObject({ shop: "update", open: "update" });
  expect((await world.up()).written).toEqual([]);
  await expectFollowed(ids);
});

it("what someone renamed is followed by one edit without a refresh, and stays so when the old names exist again", async () => {
  const ids = await renamed();
  await program(NEW);
  expect(await world.plan()).toEqual({ shop: "update", open: "update", tag: "update" });
  expect((await world.up()).written).toEqual([]);
  await expectFollowed(ids);

  await program(NEW, site("again", "old.example", { protect: false }) + pixel("again", "old"));
  await world.up();
  await world.refresh({ args: ["--expect-no-changes"] });
  // A migration of the service swaps two ids.
  const [open, again] = [world.website("open-new.example"), world.website("old.example")];
  world.service.editWebsite(open.id, { domain: again.domain, created_at: again.created_at });
  world.service.editWebsite(again.id, { domain: open.domain, created_at: open.created_at });
  await world.program(
    site("shop", NEW[0]) + site("again", "old.example", { protect: false }) + site("blog", "blog.example"),
  );
  const failed = await world.fail(["up", ...YES]);
  expect(failed.output).toContain("has another id on the service now");
  expect(failed.written.filter(({ path }) => path.includes("website"))).toEqual([]);
  expect(domains()).toEqual(["blog.example", "new.example", "old.example", "open-new.example"]);
});

it("what someone renamed may be renamed back", async () => {
  const ids = await renamed();
  await world.run(["refresh", ...YES]);
  for (const at of [0, 1] as const) world.service.editWebsite(world.website(NEW[at]).id, { domain: OLD[at] });
  await world.up({ args: ["--refresh"] });
  await world.expectNoDiff();
  expect(await world.resource("shop")).toMatchObject({ id: ids.shop, outputs: { domain: "old.example" } });
  expect(JSON.stringify(await world.kept())).not.toContain("__declaredKey");
});

it("another installation with the same ids, which the program then names, is not taken over, unless it adopts", async () => {
  const both = (place: string, args: object = {}) =>
    world.program(
      ["a", "b"].map((name) => site(name, `${name}.${place}.example`, { protect: false }, args)).join("") +
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
  await both("production");
  for (const command of [
    ["up", ...YES],
    ["up", ...YES, "--refresh"],
    ["destroy", ...YES],
  ]) {
    const { output } = await world.fail(command);

    expect(output).toMatch(/"\w+[.-]\w+(\.example)?" \(id \d+\) is .* on the service now/);
    expect(output).toMatch(
      /First check .*tracking:(analytics|data)BaseUrl.*: is this the right account\?\n +If it is, /,
    );
  }
  expect([production.websites(), production.pixels()]).toEqual(theirs);
  expect(production.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await world.kept()).toEqual(before);

  await both("production", { adopt: true });
  await world.up();
  await world.expectNoChange({ args: ["--refresh"] });
  const sites = production.websites().map(({ id, domain, privacy }) => [String(id), domain, privacy]);
  expect(sites.toSorted()).toEqual(
    ["a", "b"].map((name) => [before[name]?.id, `${name}.production.example`, 1]).toSorted(),
  );
  expect(production.pixels()).toMatchObject([{ name: "production-tag", type: "bing", value: "1" }]);
});

it("a website whose www. the service strips keeps the program's spelling, through every command", async () => {
  world.service.configure({ dialect: "newer" });
  const declared = (privacy: string) =>
    declare("Website", "shop", { domain: "www.shop.example", privacy }, { protect: false });
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
