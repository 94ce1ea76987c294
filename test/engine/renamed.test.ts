import { describe, expect, it } from "vitest";
import { declare, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();
const YES = ["--yes", "--skip-preview"];

const site = (name: string, domain: string, opts: object = {}) =>
  declare("Website", name, { domain, privacy: "private" }, opts);
const pixel = (name: string, label = name) =>
  declare("Pixel", name, { name: label, type: "bing", value: "1" });
const domains = () =>
  world.service
    .websites()
    .map(({ domain }) => domain)
    .sort();

describe.each([true, false])("a website renamed by hand, protect: %s", (protect) => {
  const program = (domain: string) =>
    world.program(
      site("shop", domain, { protect }) + site("blog", "blog.example", { protect }) + pixel("tag"),
    );

  /** Someone renames the website, and changes another one. */
  async function renamed() {
    await program("old.example");
    await world.up();
    world.service.editWebsite(world.website("old.example").id, { domain: "new.example" });
    world.service.editWebsite(world.website("blog.example").id, { email: 1 });
    return (await world.resource("shop")).id;
  }

  it("is shown by a refresh with the drift of the others, and followed by one edit", async () => {
    const id = await renamed();
    for (const command of [
      ["refresh", ...YES],
      ["refresh", ...YES],
    ]) {
      const { stdout } = await world.run(command);
      expect(stdout).toMatch(
        /"old\.example" \(id \d+\) is "new\.example" on the service now: someone has renamed it: declare the domain/,
      );
    }
    expect((await world.resource("blog")).outputs).toMatchObject({ emailReports: true });
    expect((await world.resource("shop")).outputs).toMatchObject({ domain: "new.example" });
    const failed = await world.fail(["up", ...YES]);
    expect(failed.output).toMatch(/declare the domain that the service has, or rename it back there/);
    expect(failed.written.filter(({ path }) => path.endsWith(`/${id}`) || path.endsWith("websites"))).toEqual(
      [],
    );

    await program("new.example");
    await world.up();
    await world.expectNoDiff();
    await world.expectNoChange({ args: ["--refresh"] });
    expect((await world.resource("shop")).id).toBe(id);
    expect(domains()).toEqual(["blog.example", "new.example"]);
    expect(world.website("blog.example").email).toBe(0);
  });

  it("is followed by one edit without a refresh too, and a refresh after it changes nothing in the program", async () => {
    const id = await renamed();
    world.service.editWebsite(world.website("blog.example").id, { email: 0 });
    await program("new.example");
    expect((await world.expectNoChange()).written).toEqual([]);
    await world.expectNoChange({ args: ["--refresh"] });
    expect((await world.up()).written).toEqual([]);
    await world.refresh();
    await world.expectNoDiff();
    expect(await world.resource("shop")).toMatchObject({ id, outputs: { domain: "new.example" } });
  });

  it("is neither replaced nor deleted by a program that does not follow, and may be renamed back", async () => {
    await renamed();
    for (const command of [
      ["up", ...YES, "--refresh"],
      ["up", ...YES, "--refresh", "--run-program"],
      ["up", ...YES],
    ]) {
      const failed = await world.fail(command);
      expect(failed.output).toMatch(/declare the domain that the service has, or rename it back there/);
      expect(failed.written.filter(({ method }) => method !== "PUT")).toEqual([]);
    }
    expect(domains()).toEqual(["blog.example", "new.example"]);
    world.service.editWebsite(world.website("new.example").id, { domain: "old.example" });
    await world.up({ args: ["--refresh"] });
    await world.expectNoDiff();
    expect((await world.resource("shop")).outputs).toMatchObject({ domain: "old.example" });
  });
});

it("a pixel renamed by hand is renamed back by up --refresh, or followed by one edit", async () => {
  const program = (label: string) => world.program(pixel("tag", label) + pixel("other"));
  await program("old");
  await world.up();
  const { id } = world.pixel("old");
  const rename = () => world.service.editPixel(id, { name: "new" });
  rename();
  expect((await world.run(["refresh", ...YES, "--diff"])).stdout).toMatch(/name *: "old" => "new"/);
  expect((await world.up({ args: ["--refresh"] })).written).toMatchObject([
    { method: "PUT", path: `/api/v1/pixels/${id}`, form: { name: "old" } },
  ]);
  await world.expectNoDiff();

  rename();
  await program("new");
  expect((await world.expectNoChange()).written).toEqual([]);
  expect((await world.up()).written).toEqual([]);
  await world.refresh();
  await world.expectNoDiff();
  expect(await world.resource("tag")).toMatchObject({ id: String(id), outputs: { name: "new" } });
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

it("the only record of a stack may be another account's: the message's ways lead out of it", async () => {
  await world.program(site("shop", "old.example"));
  await world.up();
  const { id, urn } = await world.resource("shop");
  world.service.editWebsite(Number(id), { domain: "new.example" });
  const refused = await world.fail(["refresh", ...YES]);
  expect(refused.output).toMatch(
    /is "new\.example" on the service now.* First check .* If this is the right account/,
  );
  await world.program(site("shop", "new.example"));
  await world.expectNoChange();
  expect((await world.fail(["refresh", ...YES])).output).toContain(
    '"pulumi state delete --force URN" drops it',
  );
  await world.run(["state", "delete", "--force", "--yes", urn]);
  expect(await importing(world, ["--declared", "--apply"]).finished).toMatchObject({ code: 0 });
  await world.expectNoChange({ args: ["--refresh"] });
  expect((await world.resource("shop")).id).toBe(id);
});
