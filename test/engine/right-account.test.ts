import { beforeAll, describe, expect, it } from "vitest";
import type { PixelSeed, WebsiteSeed } from "../../emulator";
import { declare, literal, useHarness } from "./harness";

const world = useHarness();

const NAMES = ["a", "b", "c"];
const websites = (privacy = "private") =>
  NAMES.map((name) =>
    declare("Website", name, { domain: `${name}.example.com`, privacy }, { protect: false }),
  ).join("");
const PIXELS = `const pixels = ${literal(NAMES)}.map((name) =>
  new tracking.Pixel("pixel-" + name, { name: "P" + name, type: "quora", value: name }));\n`;
/** Created after the pixels were compared, so that the provider knows of them. */
const ANOTHER = 'new tracking.Website("new", { domain: "new.example.com" }, { dependsOn: pixels });\n';

/** The stack after an `up`, and its account. */
let restore: () => Promise<void>;
beforeAll(async () => {
  await world.program(websites() + PIXELS);
  await world.up();
  restore = await world.keep();
});

/** Other accounts; `test/provider/session.test.ts` has those with an id or a name of the stack. */
const accounts: Record<string, () => { websites: WebsiteSeed[]; pixels: PixelSeed[] }> = {
  "an empty account": () => ({ websites: [], pixels: [] }),
  "an account with records": () => ({
    websites: [{ id: 901, domain: "x.example.com" }],
    pixels: [{ id: 902, name: "X", type: "bing", value: "x" }],
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

describe.each(Object.entries(accounts))("with the key of %s", (_name, seed) => {
  it.each(Object.entries(commands))(
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

it("records that are really gone, all of them, are dropped one by one, even if another provider's resource depends on them, which is not made again", async () => {
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
