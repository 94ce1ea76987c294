import { expect, it } from "vitest";
import { declare, longAgo, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();
const YES = ["--yes", "--skip-preview"];

const site = (name: string, domain: string, args: object = {}) =>
  declare("Website", name, { domain, ...args }, { protect: false });
const pixel = (name: string, args: object = {}) =>
  declare("Pixel", name, { name, type: "bing", value: "1", ...args });
const SITES = site("a", "a.example") + site("b", "b.example");
const records = () => [world.service.websites(), world.service.pixels()];
const imported = async () => {
  const { code, stdout } = await importing(world, ["--declared", "--apply"]).finished;
  expect(code, stdout).toBe(0);
  return stdout;
};

it("a record that someone deleted and made again is gone, the new one stays, and is imported as the up says", async () => {
  await world.program(SITES + pixel("tag"));
  await world.up();
  const restore = await world.keep();
  const [website] = [world.website("a.example"), world.service.deleteWebsite(world.website("a.example").id)];
  const [tag] = [world.pixel("tag"), world.service.deletePixel(world.pixel("tag").id)];
  world.service.insertWebsite({ ...website, id: 71, created_at: longAgo() });
  world.service.insertPixel({ ...tag, id: 72, created_at: longAgo() });
  const remade = await world.keep();

  const gone = await world.refresh();
  expect(gone.output).toMatch(/website "a\.example" \(id \d+\) is gone from the service/);
  expect(gone.output).toMatch(/pixel "tag" \(id \d+\) is gone from the service/);
  expect(Object.keys(await world.resources())).toEqual(["b"]);
  const { output } = await world.fail(["up", ...YES, "--continue-on-error"]);
  for (const what of ['website "a.example" exists already (id 71)', 'pixel "tag" exists already (id 72)'])
    expect(output).toContain(what);
  expect(output).toContain('run "npx pulumi-tracking import --declared --apply"');
  await imported();
  expect((await world.up()).written).toEqual([]);
  await world.expectNoChange({ args: ["--refresh"] });

  await restore();
  await remade();
  expect((await world.destroy()).output).toContain('"a.example" (id ');
  expect(await world.resources()).toEqual({});
  expect(records().map((all) => all.map(({ id }) => id))).toEqual([[71], [72]]);
});

it("a record of another creation and another name under an id is another one, and is left alone by whoever follows the message", async () => {
  await world.program(SITES + pixel("tag"));
  await world.up();
  const { a, tag } = await world.resources();
  const created_at = longAgo();
  const [theirs, pixels] = [
    world.service.editWebsite(Number(a?.id), { domain: "theirs.example", created_at }),
    world.service.editPixel(Number(tag?.id), { name: "theirs", created_at } as object),
  ].map((row) => structuredClone(row));
  for (const command of [["refresh"], ["destroy", "--continue-on-error"]]) {
    const { output, written } = await world.fail([...command, ...YES]);
    for (const [name, other] of [
      ["a.example", "theirs.example"],
      ["tag", "theirs"],
    ])
      expect(output).toMatch(
        new RegExp(
          `"${name}" \\(id \\d+\\) is another record on the service now: "${other}", created at ${created_at.slice(0, 19)}`,
        ),
      );
    expect(output).not.toContain("renamed");
    expect(output).toContain(`"pulumi state delete --force 'URN'"`);
    const paths = [`/api/v1/websites/${a?.id}`, `/api/v1/pixels/${tag?.id}`];
    expect(written.filter(({ path }) => paths.includes(path))).toEqual([]);
  }
  for (const { urn = "" } of [a ?? {}, tag ?? {}])
    await world.run(["state", "delete", "--force", "--yes", urn]);
  await imported();
  await world.up();
  await world.expectNoChange({ args: ["--refresh"] });
  expect(world.website("theirs.example")).toEqual(theirs);
  expect(world.pixel("theirs")).toEqual(pixels);
});

it("a website whose www. the service strips is not gone because the service has renumbered it, and is led out by the messages", async () => {
  world.service.configure({ dialect: "newer" });
  const plain = site("plain", "plain.example");
  await world.program(site("shop", "www.shop.example") + plain);
  await world.up();
  world.service.seed({ websites: world.service.websites().map((row) => ({ ...row, id: row.id + 70 })) });
  const before = await world.kept();
  for (const command of [["refresh"], ["destroy", "--continue-on-error"]]) {
    const { output, written } = await world.fail([...command, ...YES]);
    for (const name of ["www.shop.example", "plain.example"])
      expect(output).toMatch(new RegExp(`"${name}" \\(id \\d+\\) has another id on the service now`));
    expect([written, await world.kept()]).toEqual([[], before]);
  }
  await world.run(["state", "delete", "--all", "--force", "--yes"]);
  expect(await imported()).toMatch(
    /"www\.shop\.example": .* but "shop\.example" does \(id \d+\)\. .* in this spelling/,
  );
  await world.program(site("shop", "shop.example") + plain);
  await imported();
  expect((await world.up()).written).toEqual([]);
  await world.expectNoChange({ args: ["--refresh"] });
});
