import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { creationEntry } from "../../provider/schema/identity";
import type { FaultReply, PixelSeed } from "../service";
import { KEY, literal, longAgo, type Ran, useHarness } from "./harness";
import { installed } from "./importing";

const world = useHarness();

/** Declares a website, with its options as a program writes them. */
function site(name: string, domain: string, args: object = {}, opts = ""): string {
  return `new tracking.Website(${literal(name)}, ${literal({ domain: `${domain}.example.com`, ...args })}, { protect: false, ${opts} });\n`;
}

function pixel(name: string, label: string, args: object = {}, opts = ""): string {
  return `new tracking.Pixel(${literal(name)}, ${literal({ name: label, type: "bing", value: "1", ...args })}, { ${opts} });\n`;
}

/** An explicit provider for the same account. */
function provider(name: string, url = world.service.url): string {
  const args = { apiKey: KEY, analyticsBaseUrl: url, dataBaseUrl: url };
  return `const ${name} = new tracking.Provider("${name}", ${literal(args)});\n`;
}

const adopt = { adopt: true };
const DBR = "deleteBeforeReplace: true";
const UP = ["up", "--yes", "--skip-preview"];
const urn = async (name: string) => (await world.resource(name)).urn;
const REST = "/api/v1/";

/** What the service holds: the key of each record by its id. */
function stored(): Record<string, string> {
  const websites = world.service
    .websites()
    .map(({ id, domain }) => [`websites/${id}`, domain.replace(".example.com", "")]);
  const pixels = world.service.pixels().map(({ id, name }) => [`pixels/${id}`, name]);
  return Object.fromEntries([...websites, ...pixels]);
}

/** The key of each resource's record. No record belongs to two, and none is missing or left over. */
async function sound(): Promise<Record<string, string>> {
  const records = stored();
  const held = Object.entries(await world.resources()).map(
    ([name, { type, id }]) => [name, `${type.split(":").at(-1)?.toLowerCase()}s/${id}`] as const,
  );
  expect(held.map(([, record]) => record).sort()).toEqual(Object.keys(records).sort());
  return Object.fromEntries(held.map(([name, record]) => [name, records[record] ?? ""]));
}

const lines = ({ written }: Ran) => written.map(({ method, path }) => `${method} ${path.replace(REST, "")}`);

it("a record that changes hands is kept by a rename with adopt, including to another provider, by a swap, and by one that leaves what another adopts", async () => {
  await world.program(
    site("shop", "shop") + pixel("tag", "TAG") + site("one", "x") + site("two", "y") + site("leaves", "z"),
  );
  await world.up();
  const before = stored();
  await world.program(
    provider("other") +
      site("shop-new", "shop", adopt) +
      pixel("tag-new", "TAG", adopt, "provider: other") +
      site("one", "y", adopt) +
      site("two", "x", adopt) +
      site("takes", "z", adopt) +
      site("leaves", "new"),
  );
  const preview = await world.preview();
  for (const key of ["shop", "x", "y", "z"])
    expect(preview.output).toMatch(
      new RegExp(`"${key}.example.com" exists already \\(id \\d+\\) and will be adopted`),
    );
  expect(preview.written).toEqual([]);
  const up = await world.up();
  expect(lines(up)).toEqual(["POST websites"]);
  expect(stored()).toMatchObject(before);
  expect(await sound()).toEqual({
    "shop-new": "shop",
    "tag-new": "TAG",
    one: "y",
    two: "x",
    takes: "z",
    leaves: "new",
  });
});

it("a record that its resource leaves is not kept for one that failed, as in another account", async () => {
  await world.program(site("old", "shop") + pixel("old-tag", "TAG") + site("other", "other"));
  await world.up();
  const before = stored();
  const { url } = world.service;
  const elsewhere = literal({ apiKey: "of-another", analyticsBaseUrl: url, dataBaseUrl: url });
  await world.program(
    `const elsewhere = new tracking.Provider("elsewhere", ${elsewhere});\n${site("new", "shop", adopt, "provider: elsewhere")}${pixel("new-tag", "TAG")}${site("other", "other")}`,
  );
  const { output, written } = await world.fail([...UP, "--continue-on-error"]);
  expect(written, output).toEqual([]);
  expect(output).not.toContain("is kept");
  expect(output).toMatch(
    /"shop.example.com" \(id \d+\) was not deleted: "new" declares its domain, and failed\n +Correct or remove "new", and run "pulumi up" again/,
  );
  expect(Object.keys(await sound()).sort()).toEqual(["old", "old-tag", "other"]);
  await world.program(site("new", "shop", adopt) + pixel("new-tag", "TAG", adopt) + site("other", "other"));
  // What announces to adopt a record may fail before it does.
  for (const name of ["old", "old-tag"]) {
    const { type, id } = await world.resource(name);
    const path = `${REST}${type.endsWith("Website") ? "websites" : "pixels"}/${id}`;
    world.service.addFault({ match: { method: "GET", path, times: 0 }, reply: { status: 403, body: {} } });
  }
  const refused = await world.fail([...UP, "--continue-on-error"]);
  expect(refused.output).toContain('"shop.example.com" exists already');
  for (const [name, field] of [
    ["new", "domain"],
    ["new-tag", "name"],
  ])
    expect(refused.output).toMatch(
      new RegExp(
        `was not deleted: "${name}" declares its ${field}, and failed\\n +Correct or remove "${name}"`,
      ),
    );
  expect([refused.written, stored()]).toEqual([[], before]);
  expect(Object.keys(await sound()).sort()).toEqual(["old", "old-tag", "other"]);
  world.service.clearFaults();
  await world.up();
  expect(await sound()).toEqual({ new: "shop", "new-tag": "TAG", other: "other" });
  expect(stored()).toEqual(before);
  await world.expectNoDiff();
});

describe("a resource that is renamed in the program", () => {
  it("and moved to another provider of its account, without adopt, is refused, keeps its record, and follows the advice of the up and of the import", async () => {
    await world.program(site("old", "shop") + pixel("old-tag", "TAG"));
    await world.up();
    const before = stored();
    const moved = (opts = "") =>
      provider("other") +
      site("new", "shop", {}, `provider: other, ${opts}`) +
      pixel("new-tag", "TAG", {}, `provider: other, ${opts.replace("old", "old-tag")}`);
    await world.program(moved());
    // With it, the engine goes on to what the program no longer has.
    const up = await world.fail([...UP, "--continue-on-error"]);
    expect(up.output).toMatch(
      /exists already \(id \d+\)\n +If the resource was renamed or moved, .*\n.*\n +Else see "When a record exists already" in /,
    );
    expect(lines(up)).toEqual([]);
    expect(Object.keys(await sound()).sort()).toEqual(["old", "old-tag"]);
    const imported = await installed(world, ["import", "--declared", "--apply"]).finished;
    for (const name of ["old", "old-tag"])
      expect(imported.stdout).toMatch(
        new RegExp(
          `as "${name}"\\. If it was renamed or moved, give that name in aliases; else declare it once`,
        ),
      );
    await world.program(moved('aliases: [{ name: "old" }]'));
    expect(lines(await world.up())).toEqual([]);
    await world.expectNoDiff();
    expect(await sound()).toEqual({ new: "shop", "new-tag": "TAG" });
    expect(stored()).toEqual(before);
  });

  it("without an alias is led by the up to the import, and by that to a command for each, after which a preview is empty", async () => {
    await world.program(site("old", "shop") + pixel("old-tag", "TAG"));
    await world.up();
    const before = stored();
    await world.program(site("new", "shop") + pixel("new-tag", "TAG"));
    const [, named = ""] = /run "npx pulumi-tracking (.+?)"/.exec((await world.fail(UP)).output) ?? [];
    for (const says of [/ 2 records of the stack under other names:\n/, / as "new(-tag)?", but /]) {
      const { code, stderr } = await installed(world, named.split(" ")).finished;
      expect(code, stderr).toBe(1);
      expect(stderr).toMatch(says);
      const [, command = ""] = /^Run "pulumi (state rename .+?)"/m.exec(stderr) ?? [];
      await world.run([...command.split(" "), "--yes"]);
    }
    expect(await installed(world, named.split(" ")).finished).toMatchObject({ code: 0, stderr: "" });
    await world.expectNoDiff();
    expect(stored()).toEqual(before);
    expect(await sound()).toEqual({ new: "shop", "new-tag": "TAG" });
  });

  it("keeps its record if the run ended before it dropped the old name, whichever name the program has then", async () => {
    await world.program(site("old", "shop") + pixel("back", "TAG"));
    await world.up();
    const before = stored();
    const targets = ["old", "back"].map(async (name) => [
      "--target",
      (await urn(name)).replace(/\w+$/, `${name}-new`),
    ]);
    await world.program(site("old-new", "shop", adopt) + pixel("back-new", "TAG", adopt));
    await world.run([...UP, ...(await Promise.all(targets)).flat()]);
    expect(Object.keys(await world.resources())).toHaveLength(4);
    await world.program(site("old-new", "shop", adopt) + pixel("back", "TAG"));
    const up = await world.up();
    expect(lines(up)).toEqual([]);
    expect(up.output).toMatch(/"shop.example.com" \(id \d+\) is kept: .* manages it now/);
    expect(await sound()).toEqual({ "old-new": "shop", back: "TAG" });
    expect(stored()).toEqual(before);
  });
});

/** `test/provider/lifecycle/ledger.test.ts` and `test/sdk/duplicates.test.ts` have the other ways; here, what takes an engine. */
const held = site("held", "x");
const refusedAtOnce: Record<string, () => string> = {
  "of one that exists": () => site("six", "x", adopt),
  "under one name in two components": () => `for (const name of ["left", "right"])
${site("child", "y", {}, 'parent: new pulumi.ComponentResource("test:index:" + name, name)')}`,
};
const refusedByProvider: Record<string, () => string> = {
  "of one that exists, and one that adopts under another provider": () =>
    provider("other") + site("six", "x", adopt, "provider: other"),
  "of one that exists, and one that adopts by an output": () =>
    site("six", "x", adopt).replace('"x.example.com"', "pulumi.output($&)"),
};

it("one key twice is refused by the preview, and costs no record without one", async () => {
  await world.program(held);
  await world.up();
  const before = stored();
  const refused =
    /is declared twice in this program, by "(.+)" and "(.+)"\n +Remove one of the two, or change/;
  for (const [says, twice] of Object.entries({ ...refusedAtOnce, ...refusedByProvider })) {
    await world.program(twice() + held);
    const preview = await world.fail(["preview"]);
    expect(preview.output, says).toMatch(refused);
    expect(preview.written, says).toEqual([]);
    const up = await world.fail(UP);
    expect(up.output, says).toMatch(refused);
    // By the program itself, before the engine brings the second to its provider.
    if (says in refusedAtOnce) expect(lines(up).filter((line) => !line.startsWith("POST"))).toEqual([]);
    expect(stored(), says).toMatchObject(before);
    await world.program(held);
    await world.up();
    expect(stored(), says).toEqual(before);
    expect(await sound(), says).toEqual({ held: "x" });
    await world.expectNoDiff();
  }
});

it("one record that state holds for two, protected, and a name that passes from one to another are refused by a preview, whose message leads on", async () => {
  const protectedSite = (name: string, domain: string) =>
    `new tracking.Website("${name}", { domain: "${domain}.example.com" });\n`;
  await world.program(protectedSite("a", "x") + pixel("old", "TAG"));
  await world.up();
  const before = stored();
  const state = JSON.parse(await readFile(world.stateFile, "utf8"));
  const { resources } = state.checkpoint.latest;
  const held = resources.find((each: { urn: string }) => each.urn.endsWith("::a"));
  resources.push({ ...held, urn: held.urn.replace(/::a$/, "::b") });
  await writeFile(world.stateFile, JSON.stringify(state));
  await world.program(protectedSite("a", "x") + protectedSite("b", "y") + pixel("old", "TAG"));
  const twice = await world.fail(["preview"]);
  expect(twice.output).toMatch(
    /\(id \d+\) also belongs to "[ab]" in state\n +Remove one of the two from the program, and /,
  );
  const [, command = ""] = /run "pulumi (state delete --force) 'URN'" for it/.exec(twice.output) ?? [];
  await world.program(protectedSite("a", "x") + pixel("old", "TAG"));
  await world.run([...command.split(" "), "--yes", await urn("b")]);
  await world.expectNoDiff();
  expect(stored()).toEqual(before);

  const renames = pixel("old", "BANNER");
  for (const both of [renames + pixel("takes", "TAG", adopt), pixel("takes", "TAG", adopt) + renames]) {
    await world.program(protectedSite("a", "x") + both);
    expect((await world.fail(["preview"])).output).toMatch(
      /is to be adopted by "takes" too\n +Run "pulumi up --refresh" without "takes", then with it|already belongs to "old"\n.*\n +If you are renaming or removing "old", do that first: run "pulumi up --refresh" without this resource, then with it/,
    );
  }
  await world.program(protectedSite("a", "x") + renames);
  expect((await world.up()).written.map(({ method }) => method)).toEqual(["PUT"]);
  await world.program(protectedSite("a", "x") + renames + pixel("takes", "TAG", adopt));
  expect(lines(await world.up())).toEqual(["POST pixels"]);
  await world.expectNoDiff();
  expect(await sound()).toEqual({ a: "x", old: "BANNER", takes: "TAG" });
});

describe("a replacement", () => {
  it("with --replace names the guide, whose deleteBeforeReplace does it; with adopt it keeps the record", async () => {
    await world.program(site("shop", "shop") + site("kept", "kept", adopt));
    await world.up();
    const before = stored();
    const replace = async (name: string) => ["--replace", await urn(name)];
    const refused = await world.fail([...UP, ...(await replace("shop"))]);
    expect(refused.output).toContain('Else see "When a record exists already" in ');
    expect(lines(refused)).toEqual([]);
    expect(lines(await world.run([...UP, ...(await replace("kept"))]))).toEqual([]);
    expect(stored()).toEqual(before);
    await world.program(site("shop", "shop", {}, DBR) + site("kept", "kept", adopt));
    const forced = await world.run([...UP, ...(await replace("shop"))]);
    expect(forced.written.map(({ method }) => method)).toEqual(["DELETE", "POST"]);
    expect(await sound()).toEqual({ shop: "shop", kept: "kept" });
  });

  it("of a pixel deletes first, with its website or because it is tainted", async () => {
    const both = (domain: string) =>
      `const shop = ${site("shop", domain)}${pixel("tag", "TAG", {}, "deletedWith: shop")}`;
    await world.program(both("x"));
    await world.up();
    await world.program(both("y"));
    await world.up();
    expect(await sound()).toEqual({ shop: "y", tag: "TAG" });
    await world.run(["state", "taint", "--yes", await urn("tag")]);
    // A list that is some seconds behind.
    world.service.addFault({
      match: { method: "GET", path: `${REST}pixels`, times: 0 },
      reply: { body: { data: world.service.pixels() } },
    });
    // Whatever fails beside it.
    await world.program(site("refused", "refused") + both("y"));
    world.service.addFault({
      match: { method: "POST", field: { domain: "refused.example.com" }, times: 0 },
      reply: { status: 422, body: { message: { privacy: ["odd"] } } },
    });
    const tainted = await world.fail([...UP, "--continue-on-error", "--parallel", "1"]);
    expect(lines(tainted).filter((line) => line.includes("pixels"))).toEqual([
      expect.stringMatching(/^DELETE pixels/),
      "POST pixels",
    ]);
    expect(await sound()).toEqual({ shop: "y", tag: "TAG" });
  });

  it("that deletes first takes what depends on it along, and after a create that failed the advice leads on", async () => {
    const chain = (domain: string) =>
      `const first = ${site("first", domain, {}, DBR)}for (const prefix of ["www", "m"])
  new tracking.Website(prefix, { domain: first.domain.apply((each) => prefix + "." + each) }, { protect: false, dependsOn: [first] });\n`;
    await world.program(chain("a"));
    await world.up();
    await world.program(chain("b"));
    world.service.addFault({
      match: { method: "POST", field: { domain: "b.example.com" }, times: 0 },
      reply: { status: 422, body: { message: { privacy: ["odd"] } } },
    });
    await world.fail(UP);
    world.service.clearFaults();
    // Some engines delete the dependents once more, and the others ask for them: the run finds neither.
    const { output } = await world.fail(UP);
    expect(output).toMatch(/drop each from state .*\n.* one that stays, see "When all records are gone" in /);
    for (const name of ["www", "m"])
      await world.run(["state", "delete", "--force", "--yes", await urn(name)]);
    await world.up();
    expect(await sound()).toEqual({ first: "b", www: "www.b", m: "m.b" });
    await world.expectNoDiff();
  });
});

it("two installations in one program, with the same ids and second of creation, are two: each record is made, changed, replaced and deleted", async () => {
  const [first, second] = [await world.anotherService(), await world.anotherService()];
  // New installations, as an agency has one for each customer.
  const both = (domain: string, type: string, at = ["near", "far"]) =>
    provider("near", first.url) +
    provider("far", second.url) +
    at.map((name) => site(name, `${name}-${domain}`, {}, `provider: ${name}`)).join("") +
    at.map((name) => pixel(`tag-${name}`, "TAG", { type }, `provider: ${name}`)).join("");
  const created_at = "2026-01-02T03:04:05.000000Z";
  const all = [first, second];
  await world.program(both("x", "bing"));
  await world.up();
  for (const each of all) {
    for (const { id } of each.websites()) each.editWebsite(id, { created_at });
    for (const { id } of each.pixels()) each.editPixel(id, { created_at } as object);
  }
  const ids = (each: typeof second) => [...each.websites(), ...each.pixels()].map(({ id }) => id);
  expect(ids(second)).toEqual(ids(first));
  const state = JSON.parse(await readFile(world.stateFile, "utf8"));
  for (const { outputs } of state.checkpoint.latest.resources)
    if (outputs?.__at !== undefined) Object.assign(outputs, creationEntry({}, { createdAt: created_at }));
  await writeFile(world.stateFile, JSON.stringify(state));

  await world.program(both("x", "quora"));
  await world.up();
  await world.program(both("y", "quora"));
  await world.up();
  await world.expectNoDiff();
  await world.program(both("y", "quora", ["near"]));
  await world.up();
  expect(ids(second)).toEqual([]);
  expect(ids(first)).toHaveLength(2);
  await world.destroy();
  expect(ids(first)).toEqual([]);
});

it("an id of which one account has lost its record, and which a POST of another account then gets, is no conflict, and the message of neither is needed", async () => {
  const { url } = world.service;
  world.service.keys.add("of-another");
  const args = { apiKey: "of-another", analyticsBaseUrl: url, dataBaseUrl: url };
  const lost = `const another = new tracking.Provider("another", ${literal(args)});\n${pixel("lost", "LOST", {}, "provider: another")}`;
  await world.program(lost);
  await world.up();
  const [row] = world.service.pixels();
  world.service.deletePixel(Number(row?.id));
  const created_at = longAgo();
  const made = { ...row, name: "TAG", created_at } as PixelSeed;
  const reply = { status: 201, body: { data: made } } as FaultReply;
  world.service.addFault({ match: { method: "POST" }, commit: "never", reply });
  const both = lost + pixel("tag", "TAG");
  await world.program(both);
  await world.up();
  world.service.insertPixel(made);
  expect((await world.resource("tag")).id).toBe((await world.resource("lost")).id);
  await world.expectNoDiff();
  await world.program(pixel("tag", "TAG", { type: "quora" }));
  const { output, written } = await world.up();
  expect(output).toMatch(/pixel "LOST" \(id \d+\) is kept: "tag" manages it now/);
  expect(written.map(({ method }) => method)).toEqual(["PUT"]);
  await world.expectNoDiff();
  expect(await sound()).toEqual({ tag: "TAG" });
});

/** A resource of another package whose create fails. */
const FAILS = `class Fails extends pulumi.dynamic.Resource {
  constructor(name) { super({ create: async () => { throw new Error("fails"); } }, name, {}); }
}
const fails = new Fails("fails");
`;

describe("nothing is kept for a resource that never comes for it", () => {
  it("destroy --run-program deletes what its program adopts: a target, all but what is excluded, and all", async () => {
    const names = ["one", "two", "three"];
    await world.program(
      names.map((name) => site(name, name, adopt) + pixel(`${name}-tag`, name, adopt)).join(""),
    );
    await world.up();
    expect(Object.values(await sound()).sort()).toEqual([...names, ...names].sort());
    const destroy = async (option: string, name: string) => {
      const chosen = [name, `${name}-tag`].map(async (each) => [option, await urn(each)]);
      return (await world.destroy({ args: ["--run-program", ...(await Promise.all(chosen)).flat()] })).output;
    };
    expect(await destroy("--target", "one")).not.toContain("is kept");
    expect(Object.keys(await sound()).sort()).toEqual(["three", "three-tag", "two", "two-tag"]);
    await destroy("--exclude", "three");
    expect(Object.keys(await sound()).sort()).toEqual(["three", "three-tag"]);
    await world.destroy({ args: ["--run-program"] });
    expect(await sound()).toEqual({});
  });

  it("what the engine brings to its provider after the delete, or never, finds no record", async () => {
    await world.program(site("shop", "shop") + pixel("tag", "TAG"));
    await world.up();
    const renamed = (opts: string) =>
      site("shop-new", "shop", adopt, opts) + pixel("tag-new", "TAG", adopt, opts);
    await world.program(FAILS + renamed("dependsOn: [fails]"));
    const { written, output } = await world.fail([...UP, "--continue-on-error"]);
    expect(
      written.map(({ method }) => method),
      output,
    ).toEqual(["DELETE", "DELETE"]);
    expect(await sound()).toEqual({});
    await world.program(renamed(""));
    await world.up();
    expect(await sound()).toEqual({ "shop-new": "shop", "tag-new": "TAG" });
    await world.program(renamed("") + site("moves", "x", {}, DBR));
    await world.up();
    await world.program(
      `${renamed("")}const moves = ${site("moves", "y", {}, DBR)}${site("takes", "x", adopt, "dependsOn: [moves]")}`,
    );
    expect((await world.up()).written.map(({ method }) => method)).toEqual(["DELETE", "POST", "POST"]);
    expect(await sound()).toMatchObject({ moves: "y", takes: "x" });
    await world.expectNoDiff();
  });

  it("what leaves its domain by deleteBeforeReplace is refused while another is to adopt that, and the message leads on", async () => {
    await world.configureHere({ url: world.service.url, key: KEY, plain: { requestTimeout: "2" } });
    const moves = (domain: string) => site("moves", domain, {}, DBR);
    await world.program(moves("x"));
    await world.up();
    const { id } = await world.resource("moves");
    // The adoption begins, and takes its time.
    world.service.addFault({ match: { method: "GET", path: `/api/v1/websites/${id}` }, reply: "stall" });
    await world.program(site("takes", "x", adopt) + moves("y"));
    const refused = await world.fail(UP);
    expect(refused.output).toMatch(
      /was not deleted: "takes" declares its domain, and has no record yet\n +Run "pulumi up --refresh" without "takes", then with it/,
    );
    expect(refused.written).toEqual([]);
    await world.program(moves("y"));
    await world.up();
    await world.program(site("takes", "x", adopt) + moves("y"));
    await world.up();
    expect(await sound()).toEqual({ takes: "x", moves: "y" });
    await world.expectNoDiff();
  });

  it("what a program no longer has is deleted, though another account's resource adopts the same name, or has it already", async () => {
    const production = await world.anotherService();
    const args = { apiKey: KEY, analyticsBaseUrl: production.url, dataBaseUrl: production.url };
    const live = `const live = new tracking.Provider("live", ${literal(args)});\n`;
    const both = (name: string, opts = "") =>
      site(name, "shop", adopt, opts) + pixel(`${name}-tag`, "TAG", adopt, opts);
    const targets = async () => ["--target", await urn("test"), "--target", await urn("test-tag")];
    await world.program(both("test"));
    await world.up();
    for (const isThere of [false, true]) {
      await world.program(live + both("live", "provider: live"));
      const { output } = await world.run([...UP, ...(await targets())]);
      expect(stored(), output).toEqual({});
      expect(Object.keys(await world.resources()).sort(), output).toEqual(
        isThere ? ["live", "live-tag"] : [],
      );
      await world.program(live + both("live", "provider: live") + both("test"));
      await world.up();
    }
    expect(production.websites()).toHaveLength(1);
    await world.expectNoDiff();
  });
});
