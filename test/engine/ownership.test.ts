import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type EmulatorClient, startEmulator } from "../../emulator";
import { frontOf } from "../faults/front";
import { KEY, literal, type Ran, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

/** Declares a website, with its options as a program writes them. */
function site(name: string, domain: string, args: object = {}, opts = ""): string {
  return `new tracking.Website(${literal(name)}, ${literal({ domain, ...args })}, { protect: false, ${opts} });\n`;
}

function pixel(name: string, label: string, args: object = {}, opts = ""): string {
  const all = { name: label, type: "bing", value: "1", ...args };
  return `new tracking.Pixel(${literal(name)}, ${literal(all)}, { ${opts} });\n`;
}

/** An explicit provider, by default for the same account. */
function provider(name = "other", url = world.service.url, apiKey = KEY): string {
  const args = { apiKey, analyticsBaseUrl: url, dataBaseUrl: url };
  return `const ${name} = new tracking.Provider("${name}", ${literal(args)});\n`;
}

const adopt = { adopt: true };

/** Every record in state is on the service, and belongs to one resource. */
async function expectSound(): Promise<Record<string, string>> {
  const held = Object.entries(await world.resources()).map(([name, { type, id }]) => ({
    name,
    record: `${type.split(":").at(-1)} ${id}`,
  }));
  const stored = [
    ...(await world.service.websites()).map(({ id }) => `Website ${id}`),
    ...(await world.service.pixels()).map(({ id }) => `Pixel ${id}`),
  ];
  expect(new Set(held.map(({ record }) => record)).size, "no record belongs to two").toBe(held.length);
  for (const { record } of held) expect(stored).toContain(record);
  return Object.fromEntries(held.map(({ name, record }) => [name, record]));
}

const up = ["up", "--yes", "--skip-preview"];
const urn = async (name: string) => (await world.resource(name)).urn;
const refused = (ran: Ran) => expect(ran.written).toEqual([]);

describe("a record that a renamed resource adopts", () => {
  it("is kept, even if the resource moves to another provider in the same edit, whatever address that has of the service", async () => {
    const both = (suffix: string, args: object, opts: string) =>
      site(`shop${suffix}`, "shop.example.com", args, opts) + pixel(`ga${suffix}`, "GA", args, opts);
    await world.program(both("", {}, "") + site("blog", "blog.example.com") + pixel("tag", "TAG"));
    await world.up();
    const before = [await world.service.websites(), await world.service.pixels()];
    const nearby = provider("nearby", world.service.url.replace("127.0.0.1", "localhost"));
    await world.program(
      provider() +
        both("-new", adopt, "provider: other") +
        nearby +
        site("blog-new", "blog.example.com", adopt, "provider: nearby") +
        pixel("tag-new", "TAG", adopt, "provider: nearby"),
    );
    const moved = await world.up();
    expect(moved.written).toEqual([]);
    expect([await world.service.websites(), await world.service.pixels()]).toEqual(before);
    expect(Object.keys(await expectSound()).sort()).toEqual(["blog-new", "ga-new", "shop-new", "tag-new"]);
  });

  it("is kept by a targeted update while the program declares it; a destroy of everything deletes it", async () => {
    await world.program(site("shop", "shop.example.com") + site("blog", "blog.example.com"));
    await world.up();
    const before = await world.service.websites();
    const [shop, blog] = [await urn("shop"), await urn("blog")];
    await world.program(
      site("shop-new", "shop.example.com", adopt) + site("blog-new", "blog.example.com", adopt),
    );
    await world.run([...up, "--target", shop.replace(/shop$/, "shop-new")]);
    await world.run([...up, "--target", blog.replace(/blog$/, "blog-new")]);
    expect(Object.keys(await world.resources())).toHaveLength(4);

    const targeted = await world.run([...up, "--target", shop]);
    expect(targeted.written).toEqual([]);
    expect(targeted.output).toContain("shop-new");
    const excluded = await world.run([...up, "--exclude", blog.replace(/blog$/, "blog-new")]);
    expect(excluded.written).toEqual([]);
    expect(await world.service.websites()).toEqual(before);
    expect(Object.keys(await expectSound()).sort()).toEqual(["blog-new", "shop-new"]);

    await world.run(["destroy", "--yes", "--skip-preview", "--run-program"]);
    expect(await world.service.websites()).toEqual([]);
  });
});

describe("two resources of one program", () => {
  it.each([
    [
      "in two spellings",
      "preview",
      ["preview"],
      site("one", "a.example.com") + site("two", "A.example.com."),
    ],
    [
      "one of which would adopt the other's",
      "up",
      up,
      site("one", "a.example.com") + site("two", "a.example.com", adopt),
    ],
  ])("that declare one key %s are refused by %s, by both names", async (_says, _by, command, program) => {
    await world.program(program);
    const ran = await world.fail(command);
    expect(ran.output).toMatch(/"one"[^\n]*"two"|"two"[^\n]*"one"/);
    refused(ran);
    expect(await world.service.websites()).toEqual([]);
  });

  it("under two providers of one account are refused too, and neither adopts the existing record", async () => {
    const there = await world.service.insertWebsite({ domain: "a.example.com", privacy: 0 });
    await world.program(
      provider() +
        site("one", "a.example.com", adopt) +
        site("two", "a.example.com", adopt, "provider: other"),
    );
    for (const command of [["preview"], up]) {
      const ran = await world.fail(command);
      expect(ran.output).toMatch(/"one"[^\n]*"two"|"two"[^\n]*"one"/);
    }
    await expectSound();
    expect((await world.service.websites()).map(({ id }) => id)).toEqual([there.id]);
  });

  it("one of which already has a record: the other never adopts it, and it does not change", async () => {
    await world.program(site("shop", "shop.example.com"));
    await world.up();
    const before = await world.service.websites();
    await world.program(
      site("shop", "shop.example.com") + site("copy", "shop.example.com", { ...adopt, privacy: "public" }),
    );
    const preview = await world.fail(["preview"]);
    expect(preview.output).toMatch(/"shop"[^\n]*"copy"|"copy"[^\n]*"shop"/);
    refused(await world.fail(up));
    expect(await world.service.websites()).toEqual(before);
  });
});

describe("a record whose resource gets another domain or name", () => {
  const dbr = "deleteBeforeReplace: true";

  it("is recreated for the one that adopts it, after the old one is deleted or renamed, and the preview says so", async () => {
    await world.program(
      // The adopting resource comes first, so that it is checked before the others.
      site("a", "x.example.com", {}, dbr) +
        site("c", "y1.example.com", adopt, dbr) +
        site("d", "y2.example.com", adopt, dbr) +
        pixel("p1", "GA") +
        pixel("p3", "TA"),
    );
    await world.up();
    const old = await expectSound();
    await world.program(
      site("b", "x.example.com", adopt) +
        site("a", "z.example.com", {}, dbr) +
        site("c", "y2.example.com", adopt, dbr) +
        site("d", "y1.example.com", adopt, dbr) +
        pixel("p2", "GA", { value: "2", ...adopt }) +
        pixel("p1", "GB") +
        // That this one moves away is known only after the other has adopted its record.
        `const p4 = ${pixel("p4", "TA", { value: "2", ...adopt })}` +
        pixel("p3", "TB", {}, "dependsOn: p4"),
    );
    const preview = await world.preview();
    for (const label of ["x.example.com", "y1.example.com", "y2.example.com", "GA"])
      expect(preview.output).toMatch(
        new RegExp(
          `"${label}": (exists already \\(id \\d+\\), and|is not taken over after all:) .*made again`,
        ),
      );
    expect(preview.output).toMatch(/"TA": .*will be taken over, unless "p3", which waits for another/);
    await world.up();
    const now = await expectSound();
    for (const name of ["a", "b", "c", "d", "p2"]) expect(Object.values(old), name).not.toContain(now[name]);
    expect(now.p1).toBe(old.p1);
    expect((await world.service.websites()).map(({ domain }) => domain).sort()).toEqual(
      ["x", "y1", "y2", "z"].map((each) => `${each}.example.com`),
    );
    expect((await world.service.pixels()).map(({ name, value }) => [name, value]).sort()).toEqual([
      ["GA", "2"],
      ["GB", "1"],
      ["TA", "2"],
      ["TB", "1"],
    ]);
    await world.expectNoChange();

    // With --replace, the engine checks it as a new one, and calls nothing else before the delete.
    const forced = await world.run([...up, "--replace", await urn("a")]);
    expect(forced.written.map(({ method }) => method)).toEqual(["DELETE", "POST"]);
    expect((await expectSound()).a).not.toBe(now.a);
  });
});

describe("two installations in one stack", () => {
  it("have separate ids, for import too, whatever a provider is named", async () => {
    const second = await startEmulator({ rateLimit: false });
    onTestFinished(() => second.close());
    const [here, there] = [world.service, second.control];
    // Ids continue from the records of other tests.
    const seeded = (...domains: string[]) => ({
      websites: domains.map((domain, at) => ({ id: at + 1, domain, privacy: 1 as const })),
    });
    await here.seed(seeded("only.example.com", "shop.example.com"));
    await there.seed(seeded("shop.example.com", "blog.example.com"));
    const blog = (name: string) =>
      provider(name, second.url, "local-key").replace("const default", "const other") +
      site("blog", "blog.example.com", adopt, "provider: other");
    // The name of the stack's default one, which this program does not use.
    await world.program(blog("default"));
    await world.up();
    const unmanaged = async (out: string) => {
      const { code, stdout, stderr } = await importing(world, ["--format", "yaml", "--out", out]).finished;
      expect(code, stdout + stderr).toBe(0);
      const file = await readFile(join(world.project.folder, out), "utf8");
      return file.match(/\w+\.example\.com/g);
    };
    expect(await unmanaged("all.yaml")).toEqual(["only.example.com", "shop.example.com"]);
    await world.program(blog("other"));
    await world.up();

    const shops = (args: object) =>
      site("shop", "shop.example.com", args) +
      site("shop-there", "shop.example.com", args, "provider: other");
    await world.program(blog("other") + shops({}));
    const declared = await importing(world, ["--declared", "--apply"]).finished;
    expect(declared.code, declared.stdout + declared.stderr).toBe(0);
    const ids = async (name: string) => (await world.resource(name)).id;
    expect([await ids("shop"), await ids("shop-there"), await ids("blog")]).toEqual(["2", "1", "2"]);

    await world.program(blog("other") + shops({ privacy: "public" }));
    await world.up();
    const stored = async (control: EmulatorClient) =>
      (await control.websites()).map(({ id, domain, privacy }) => [id, domain, privacy]);
    expect([await stored(here), await stored(there)]).toEqual([
      [
        [1, "only.example.com", 1],
        [2, "shop.example.com", 0],
      ],
      [
        [1, "shop.example.com", 0],
        [2, "blog.example.com", 1],
      ],
    ]);
    expect(await unmanaged("rest.yaml")).toEqual(["only.example.com"]);
  });
});

describe("a domain and the same one with www.", () => {
  it("are never confused: not if the service says that one is taken, nor after an ambiguous answer", async () => {
    const shop = await world.service.insertWebsite({ domain: "shop.example.com", privacy: 0 });
    await world.service.addFault({
      match: { method: "POST", field: { domain: "www.shop.example.com" } },
      reply: { status: 422, body: { message: { domain: ["taken"] }, status: 422 } },
    });
    await world.program(site("www", "www.shop.example.com", adopt));
    const taken = await world.fail(up);
    expect(taken.output).toContain(`"shop.example.com" (id ${shop.id})`);
    expect(await world.service.websites()).toEqual([shop]);
    expect(await world.resources()).toEqual({});

    // The answer to one create is lost while the other is in flight.
    await world.service.seed({ websites: [] });
    await world.service.clearFaults();
    await world.service.addFault({
      match: { method: "POST", field: { domain: "www.new.example.com" } },
      commit: "never",
      reply: { status: 502 },
      delay: 500,
    });
    await world.service.addFault({
      match: { method: "POST", field: { domain: "new.example.com" } },
      delay: 2500,
    });
    const two = site("www", "www.new.example.com") + site("bare", "new.example.com");
    await world.program(two);
    const cut = await world.fail([...up, "--continue-on-error"]);
    expect(cut.output).toContain('"www.new.example.com" could not be confirmed as created');
    await expectSound();
    await world.service.clearFaults();
    await world.up();
    expect(Object.keys(await expectSound()).sort()).toEqual(["bare", "www"]);
    expect((await world.service.websites()).map(({ domain }) => domain).sort()).toEqual([
      "new.example.com",
      "www.new.example.com",
    ]);
  });
});

it("another stack's record is not mistaken for the one that an ambiguous answer left in doubt", async () => {
  const front = await frontOf(world.service.url, "POST");
  await world.configureHere({ url: front.url, key: KEY, plain: { requestTimeout: "600" } });
  await world.service.addFault({
    match: { method: "POST", field: { domain: "second.example.com" } },
    commit: "never",
    reply: { status: 500 },
  });
  await world.program(
    `const first = ${site("first", "first.example.com")}${site("second", "second.example.com", {}, "dependsOn: first")}`,
  );
  const running = world.project.start(up);
  // By then the list has been read, and is not read again. The second is sent after the first has its answer.
  await Promise.race([front.held, running.finished]);
  const theirs = await world.service.insertWebsite({
    domain: "second.example.com",
    privacy: 1,
    email: 0,
    exclude_bots: 1,
    created_at: "2026-01-01T00:00:00.000000Z",
  });
  front.release();
  const { code, stdout } = await running.finished;
  expect(code).not.toBe(0);
  expect(stdout).toContain(`id ${theirs.id}`);
  expect(Object.keys(await world.resources())).toEqual(["first"]);
  expect((await world.service.websites()).map(({ domain }) => domain).sort()).toEqual([
    "first.example.com",
    "second.example.com",
  ]);
});
