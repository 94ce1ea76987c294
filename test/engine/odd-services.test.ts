import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { FaultReply } from "../service";
import { declare, nameOf, useHarness } from "./harness";
import { importing, installed } from "./importing";

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

  const pointed = await importing(world, ["--declared", "--apply"]).finished;
  const count = '2 of the stack are gone or changed on the service: "npx pulumi-tracking doctor" says';
  expect(pointed).toMatchObject({ code: 0, stdout: expect.stringContaining(count) });
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

it("a state that someone edited, and a service of an old version that shows no key, change nothing, and end well as the messages say", async () => {
  await world.program(both({}, { protect: false }));
  await world.up();
  const before = records();
  const odd: Record<string, object> = { shop: { excludeIps: "192.0.2.1" }, pixel: { value: 1 } };
  const state = JSON.parse(await readFile(world.stateFile, "utf8"));
  for (const { urn, inputs, outputs } of state.checkpoint.latest.resources)
    for (const values of [inputs, outputs]) Object.assign(values ?? {}, odd[nameOf(urn)]);
  await writeFile(world.stateFile, JSON.stringify(state));
  for (const command of [["preview"], ["refresh", ...YES]]) {
    const { output, written } = await world.fail(command);
    expect(output).toMatch(
      /(website "shop.example.com" \(id \d+\) can't be read from state: excludeIps|pixel "P" \(id \d+\) can't be read from state: value)\n +Run "pulumi state delete --force 'URN'" for each such resource .* then "npx pulumi-tracking import --declared --apply"\n/,
    );
    expect(written).toEqual([]);
  }
  for (const { urn } of Object.values(await world.resources()))
    await world.run(["state", "delete", "--force", "--yes", urn]);
  const imported = await importing(world, ["--declared", "--apply"]).finished;
  expect(imported, imported.stdout).toMatchObject({ code: 0, stderr: "" });
  expect((await world.up()).written).toEqual([]);
  await world.expectNoDiff();

  const [website] = world.service.websites();
  const { domain: url, ...others } = website ?? { domain: "" };
  const shown = { ...others, url };
  const answers: [path: string, body: object][] = [
    ["/api/v1/websites", { data: [shown], meta: { total: 1 } }],
    [`/api/v1/websites/${website?.id}`, { data: shown }],
  ];
  for (const [path, body] of answers)
    world.service.addFault({ match: { method: "GET", path, times: 0 }, reply: { body } as FaultReply });
  const refused = await world.fail(["refresh", ...YES]);
  expect(refused.output).toMatch(
    /is shown without a domain that can be read, so nothing was changed\n.*\n +If it is, ask the service's operator for a version whose API sends a domain, and run the same command again/,
  );
  const doctor = await installed(world, ["doctor"]).finished;
  expect(doctor).toMatchObject({
    code: 1,
    stderr: "",
    stdout: expect.stringContaining("is shown without a domain"),
  });
  world.service.clearFaults();
  await world.refresh();
  await world.expectNoDiff();
  expect(records()).toEqual(before);
});

it("two records with one key are refused by the up and by the import, and the one that is left is imported, as both say", async () => {
  await world.program(both({}, { protect: false }));
  const site = { domain: "shop.example.com", privacy: 1, email: 0, exclude_bots: 1 };
  const websites = [1, 2].map(() => world.service.insertWebsite(site));
  const pixels = ["1", "2"].map((value) => world.service.insertPixel({ name: "P", type: "bing", value }));
  const up = await world.fail(["up", ...YES, "--continue-on-error"]);
  const [, command = ""] = /Then run "npx pulumi-tracking import (.+?)"/.exec(up.output) ?? [];
  const refused = await importing(world, command.split(" ")).finished;
  for (const said of [up.output, refused.stdout]) {
    expect(said).toMatch(/website "shop.example.com": 2 records match \(id \d+, id \d+\)/);
    expect(said).toMatch(/pixel "P": 2 records match \(id \d+, id \d+\)/);
    expect(said).toContain("Compare them in the service's web interface, and delete all but one");
  }
  expect(refused).toMatchObject({ code: 1, stdout: expect.not.stringContaining("pulumi up") });
  world.service.deleteWebsite(websites[0]?.id ?? 0);
  world.service.deletePixel(pixels[1]?.id ?? 0);
  const imported = await importing(world, command.split(" ")).finished;
  expect(imported, imported.stdout).toMatchObject({ code: 0, stderr: "" });
  expect((await world.up()).written).toEqual([]);
  await world.expectNoChange();
  expect(await world.resources()).toMatchObject({
    shop: { id: String(websites[1]?.id) },
    pixel: { id: String(pixels[0]?.id) },
  });
});
