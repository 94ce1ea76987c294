import { beforeAll, describe, expect, it } from "vitest";
import type { PixelSeed, WebsiteSeed } from "../../emulator";
import { declare, literal, useHarness } from "./harness";

const world = useHarness();

const NAMES = ["a", "b", "c"];
const websites = (privacy = "private", at = "example.com") =>
  NAMES.map((name) =>
    declare("Website", name, { domain: `${name}.${at}`, privacy }, { protect: false }),
  ).join("");
const PIXELS = `const pixels = ${literal(NAMES)}.map((name) =>
  new tracking.Pixel("pixel-" + name, { name: "P" + name, type: "quora", value: name }));\n`;
/** Created after the pixels were compared, so that the provider knows of them. */
const ANOTHER = 'new tracking.Website("new", { domain: "new.example.com" }, { dependsOn: pixels });\n';

const domains = () =>
  world.service
    .websites()
    .map(({ domain }) => domain)
    .sort();

/** The stack after an `up`, and its account. */
let restore: () => Promise<void>;
/** The id of one of its websites. */
let taken: number;
beforeAll(async () => {
  await world.program(websites() + PIXELS);
  await world.up();
  restore = await world.keep();
  ({ id: taken } = world.website("b.example.com"));
});

/** Other accounts: without records, with ids of its own, with an id of the stack, with a name of the stack. */
const accounts: Record<string, () => { websites: WebsiteSeed[]; pixels: PixelSeed[] }> = {
  "an empty account": () => ({ websites: [], pixels: [] }),
  "an account with records": () => ({
    websites: [{ id: 901, domain: "x.example.com" }],
    pixels: [{ id: 902, name: "X", type: "bing", value: "x" }],
  }),
  "an account with one of the ids": () => ({
    websites: [{ id: taken, domain: "x.example.com" }],
    pixels: [{ id: 902, name: "X", type: "bing", value: "x" }],
  }),
  "an account with one of the names": () => ({
    websites: [],
    pixels: [{ id: 902, name: "Pa", type: "quora", value: "a" }],
  }),
};

const refresh = ["refresh", "--yes", "--skip-preview"];
const up = ["up", "--yes", "--skip-preview"];
/** The commands that ask for records of the state. */
const commands: Record<string, string[]> = {
  refresh,
  destroy: ["destroy", "--yes", "--skip-preview"],
  "up with changes": up,
  "refresh --run-program": [...refresh, "--run-program"],
  "preview --refresh": ["preview", "--refresh"],
  "up --refresh": [...up, "--refresh"],
  "up --refresh --run-program": [...up, "--refresh", "--run-program"],
};

describe.each(Object.entries(accounts))("with the key of %s", (name, seed) => {
  // One account sees every command.
  const all = Object.entries(commands);
  it.each(name.includes("with one of") ? all.slice(0, 3) : all)(
    "%s drops, writes and creates nothing, and the right key shows no change",
    async (verb, args) => {
      await restore();
      const before = await world.kept();
      world.service.seed(seed());
      await world.program(
        verb === "up with changes" ? websites("public") + PIXELS + ANOTHER : websites() + PIXELS,
      );
      const failed = await world.fail(args);
      expect(failed.written).toEqual([]);
      expect(await world.kept()).toEqual(before);
      await restore();
      await world.program(websites() + PIXELS);
      await world.expectNoChange({ args: ["--refresh"] });
    },
  );
});

it.each(["an empty account", "an account with records"])(
  "with the key of %s, an up that replaces every website creates no second one, and the right key replaces them",
  async (name) => {
    await world.begin();
    await world.program(websites());
    await world.up();
    const right = await world.keep();
    world.service.seed(accounts[name]?.() ?? {});
    await world.program(websites("private", "example.net"));
    const failed = await world.fail(up);
    // The engine may begin the first one before it compares another.
    expect(failed.written.length).toBeLessThan(2);
    const [, diagnostics = ""] = failed.stdout.split("Diagnostics:");
    expect(diagnostics.match(/First check tracking:apiKey/g), diagnostics).toHaveLength(1);
    await right();
    await world.up();
    expect(domains()).toEqual(NAMES.map((each) => `${each}.example.net`));
    await world.expectNoChange({ args: ["--refresh"] });
  },
);

it("records that are really gone, all of them, are made again by the message's way out", async () => {
  await restore();
  await world.program(websites() + PIXELS);
  world.service.seed({ websites: [], pixels: [] });
  const { stdout } = await world.fail(refresh);
  expect(stdout).toContain('"pulumi state delete --all --force"');
  await world.project.pulumi(["state", "delete", "--all", "--force", "--yes"]);
  await world.up();
  expect(domains()).toEqual(NAMES.map((each) => `${each}.example.com`));
  await world.expectNoChange({ args: ["--refresh"] });
});

it("they are dropped one by one also if another provider's resource depends on them, which is not made again", async () => {
  await world.begin();
  await world.program(`const sites = ["a", "b"].map((name) => new tracking.Website(name, { domain: name + ".example.com" }));
new pulumi.dynamic.Resource({ create: async () => ({ id: require("node:crypto").randomUUID() }) }, "dns", {}, { dependsOn: sites });\n`);
  await world.up();
  const others = async () =>
    (await world.state()).filter(({ type }) => type === "pulumi-nodejs:dynamic:Resource");
  const before = await others();
  world.service.seed({ websites: [] });
  expect((await world.fail(refresh)).stdout).toContain('"pulumi refresh --target URN", one at a time');
  for (const { urn } of Object.values(await world.resources()))
    await world.refresh({ args: ["--target", urn] });
  expect(await world.resources()).toEqual({});
  await world.up();
  expect((await others()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(world.service.websites()).toHaveLength(2);
  await world.expectNoChange({ args: ["--refresh"] });
});
