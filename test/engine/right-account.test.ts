import { expect, it } from "vitest";
import type { Seed } from "../../emulator/seed";
import { declare, literal, useHarness } from "./harness";
import { installed } from "./importing";

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

/** Other accounts; `test/provider/session.test.ts` has those with an id or a name of the stack. */
const EMPTY: Seed = { websites: [], pixels: [] };
const FILLED: Seed = {
  websites: [{ id: 901, domain: "x.example.com" }],
  pixels: [{ id: 902, name: "X", type: "bing", value: "x" }],
};

const refresh = ["refresh", "--yes", "--skip-preview"];
const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

it("with the key of another account, no command that asks for records of the state drops, writes or creates anything, and the right key shows no change", async () => {
  await world.program(websites() + PIXELS);
  await world.up();
  const restore = await world.keep();
  const before = await world.kept();
  const refused = async (args: string[], account: Seed) => {
    world.service.seed(account);
    const failed = await world.fail(args);
    expect(failed.written, args.join(" ")).toEqual([]);
    expect(await world.kept(), args.join(" ")).toEqual(before);
  };
  await refused(refresh, EMPTY);
  await refused(destroy, FILLED);
  await refused([...refresh, "--run-program"], FILLED);
  await refused(["preview", "--refresh"], EMPTY);
  await refused([...up, "--refresh"], FILLED);
  await refused([...up, "--refresh", "--run-program"], EMPTY);
  await world.program(websites("public") + PIXELS + ANOTHER);
  await refused(up, EMPTY);
  await refused(up, FILLED);

  await restore();
  await world.program(websites() + PIXELS);
  await world.expectNoChange({ args: ["--refresh"] });
});

it("records that are really gone, all of them, are dropped one by one, even if another provider's resource depends on them, which is not made again", async () => {
  await world.program(`const sites = ["a", "b"].map((name) => new tracking.Website(name, { domain: name + ".example.com" }));
new pulumi.dynamic.Resource({ create: async () => ({ id: require("node:crypto").randomUUID() }) }, "dns", {}, { dependsOn: sites });\n`);
  await world.up();
  const others = async () =>
    (await world.state()).filter(({ type }) => type === "pulumi-nodejs:dynamic:Resource");
  const before = await others();
  world.service.seed({ websites: [] });
  expect((await world.fail(refresh)).stdout).toContain(`"pulumi refresh --target 'URN'", one at a time`);
  for (const { urn } of Object.values(await world.resources()))
    await world.refresh({ args: ["--target", urn] });
  expect(await world.resources()).toEqual({});
  await world.up();
  expect((await others()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(world.service.websites()).toHaveLength(2);
  await world.expectNoChange({ args: ["--refresh"] });
});

it("a website and a pixel that are both gone are doubted by doctor as by refresh, and its advice leads to an empty preview", async () => {
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }) +
      declare("Pixel", "ga", { name: "GA", type: "bing", value: "1" }),
  );
  await world.up();
  // As an emulator does that ends.
  world.service.seed(EMPTY);
  const doctor = await installed(world, ["doctor", "--json"]).finished;
  const { findings } = JSON.parse(doctor.stdout) as { findings: { code: string; remedy: string }[] };
  const [found] = findings.filter(({ code }) => code === "wrong-account");
  expect(found?.remedy).toContain(`"pulumi refresh --target 'URN'", one at a time`);
  const { stdout } = await world.fail(refresh);
  const [, question, line] = /^First check (.*\?) (If it is, .*)\. For many/.exec(found?.remedy ?? "") ?? [];
  expect(question).toMatch(/is this the right account\?$/);
  expect(stdout).toContain(`\n    ${line}\n`);
  for (const { urn } of Object.values(await world.resources()))
    await world.refresh({ args: ["--target", urn] });
  await world.up();
  await world.expectNoChange({ args: ["--refresh"] });
  expect([world.service.websites().length, world.service.pixels().length]).toEqual([1, 1]);
});
