import { expect, it } from "vitest";
import { declare, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

const WAY_OUT = `run "pulumi state delete --force 'URN'" for each such resource`;
const YES = ["--yes", "--skip-preview"];

const both = (args: object, opts: object = {}) =>
  declare("Website", "shop", { domain: "shop.example.com", ...args }, opts) +
  declare("Pixel", "pixel", { name: "P", type: "bing", value: "1", ...args }, opts);
const records = () => [world.service.websites(), world.service.pixels()];

it("keeps everything after an upgrade that gave every record another id, and is imported by them as the message says, also with a dependent", async () => {
  const [website, pixel] = both({}, { protect: false }).split("\n");
  await world.program(`const shop = ${website}\n${pixel?.replace("false}", "false, dependsOn: [shop]}")}`);
  await world.up();
  const moved = <R extends { id: number }>(rows: R[]) => rows.map((row) => ({ ...row, id: row.id + 70 }));
  const [websites, pixels] = [moved(world.service.websites()), moved(world.service.pixels())];
  world.service.seed({ websites, pixels });
  const before = [records(), await world.kept()];
  const held = await world.resources();
  const now = [held.shop, held.pixel].map((each) => String(Number(each?.id) + 70));
  for (const args of [
    ["refresh", ...YES],
    ["destroy", ...YES, "--continue-on-error"],
  ]) {
    const ran = await world.fail(args);
    expect(ran.output).toMatch(new RegExp(`another id on the service now \\(id (${now.join("|")})\\)`));
    expect(ran.output).toContain(WAY_OUT);
    expect(ran.written).toEqual([]);
    expect([records(), await world.kept()]).toEqual(before);
  }

  const refused = await importing(world, ["--declared", "--apply"]).finished;
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining(WAY_OUT) });
  expect(await world.kept()).toEqual(before[1]);
  // By the message, and by the section that it names.
  await world.run(["state", "delete", "--force", "--yes", held.pixel?.urn ?? ""]);
  await world.run(["state", "delete", "--all", "--force", "--yes"]);
  const taken = await importing(world, ["--declared", "--apply"]).finished;
  expect(taken, taken.stdout).toMatchObject({ code: 0, stderr: "" });
  const ids = Object.values(await world.resources()).map(({ id }) => id);
  expect(ids.sort()).toEqual(now.sort());
  // What is imported is protected until the program says otherwise.
  expect((await world.up()).written).toEqual([]);
  await world.expectNoChange();
  await world.expectNoChange({ args: ["--refresh", "--run-program"] });
  expect((await world.destroy()).written.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  expect(records()).toEqual([[], []]);
});
