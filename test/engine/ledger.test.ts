import { expect, it } from "vitest";
import { creationEntry } from "../../provider/schema/identity";
import type { EmulatorClient, FaultReply, PixelSeed } from "../service";
import { KEY, literal, longAgo, type Ran, type StateResource, useHarness } from "./harness";
import { installed } from "./importing";

const world = useHarness();

/** Declares a website, with its options as a program writes them. */
function site(name: string, domain: string, args: object = {}, opts = ""): string {
  return `new tracking.Website(${literal(name)}, ${literal({ domain: `${domain}.example.com`, ...args })}, { protect: false, ${opts} });\n`;
}

function pixel(name: string, label: string, args: object = {}, opts = ""): string {
  return `new tracking.Pixel(${literal(name)}, ${literal({ name: label, type: "bing", value: "1", ...args })}, { ${opts} });\n`;
}

/** A website, and a pixel with the same key. */
function both(name: string, key: string, args: object = {}, opts = ""): string {
  return site(name, key, args, opts) + pixel(`${name}-tag`, key, args, opts);
}

/** An explicit provider, by default for the account of all others. */
function provider(name: string, url = world.service.url, apiKey = KEY): string {
  const args = { apiKey, analyticsBaseUrl: url, dataBaseUrl: url };
  return `const ${name} = new tracking.Provider("${name}", ${literal(args)});\n`;
}

const adopt = { adopt: true };
const DBR = "deleteBeforeReplace: true";
const UP = ["up", "--yes", "--skip-preview"];
/** With it, the engine goes on to what does not depend on a failed resource, and to what the program no longer has. */
const GOES_ON = [...UP, "--continue-on-error"];
const REST = "/api/v1/";
const urn = async (name: string) => (await world.resource(name)).urn;
/** An option for each of these resources. */
const each = async (option: string, ...names: string[]) =>
  (await Promise.all(names.map(async (name) => [option, await urn(name)]))).flat();

const shorten = (key: unknown) => String(key).replace(".example.com", "");
const keyIn = ({ outputs = {} }: StateResource) => shorten(outputs.domain ?? outputs.name);

/** What a service holds: the key of each record by its id, of those whose key has this word in it. */
function stored(word = "", service: EmulatorClient = world.service): Record<string, string> {
  const websites = service.websites().map(({ id, domain }) => [`websites/${id}`, shorten(domain)]);
  const pixels = service.pixels().map(({ id, name }) => [`pixels/${id}`, name]);
  return Object.fromEntries([...websites, ...pixels].filter(([, key = ""]) => key.includes(word)));
}

/** What the stack holds: the key of each resource, of those whose key has this word in it. */
async function held(word: string): Promise<Record<string, string>> {
  const all = Object.entries(await world.resources()).map(([name, each]) => [name, keyIn(each)] as const);
  return Object.fromEntries(all.filter(([, key]) => key.includes(word)));
}

/** No record belongs to two resources, and none is missing, left over, or has another key. */
async function expectSound(...others: EmulatorClient[]): Promise<void> {
  const resources = Object.values(await world.resources()).map(
    (each) => `${each.type.split(":").at(-1)?.toLowerCase()}s/${each.id} ${keyIn(each)}`,
  );
  const records = [world.service, ...others].flatMap((each) => Object.entries(stored("", each)));
  expect(resources.sort()).toEqual(records.map((each) => each.join(" ")).sort());
}

/** What came of a command. */
interface Told extends Ran {
  /** What it made, changed and deleted, of the records whose key has this word in it. */
  wrote: (word: string) => string[];
}

async function tell(command: () => Promise<Ran>): Promise<Told> {
  const before = stored();
  const ran = await command();
  const keys = { ...stored(), ...before };
  const written = ran.written.map(({ method, path, form }) => {
    const [collection = "", id = ""] = path.replace(REST, "").split("/");
    const key = method === "POST" ? shorten(form.domain ?? form.name) : keys[`${collection}/${id}`];
    return `${method} ${collection} ${key}`;
  });
  return { ...ran, wrote: (word) => written.filter((line) => line.includes(word)) };
}

/**
 * One of several stories that share a stack and its commands. It has names of its own, and a word in its keys that others have not.
 * It yields a command, and its part of the program if that changes before it, and gets what came of that.
 */
type Story = AsyncGenerator<[command: string, part?: string], void, Told>;

/** Runs the commands one after the other, each with the program that the stories have come to. */
async function together(commands: Record<string, () => Promise<Ran>>, ...stories: Story[]): Promise<void> {
  const told: { story: Story; next: Awaited<ReturnType<Story["next"]>>; part: string }[] = [];
  for (const story of stories) told.push({ story, next: await story.next(), part: "" });
  for (const [name, command] of Object.entries(commands)) {
    const waiting = told.filter(({ next: { value } }) => value?.[0] === name);
    for (const each of waiting) each.part = each.next.value?.[1] ?? each.part;
    await world.program(told.map(({ part }) => part).join(""));
    const outcome = await tell(command);
    for (const each of waiting) each.next = await each.story.next(outcome);
  }
  for (const { next } of told) expect(next).toEqual({ value: undefined, done: true });
}

async function expectNoDiff(): Promise<Ran> {
  const preview = await world.expectNoChange();
  expect(preview.sent).toEqual([]);
  return preview;
}

it("a record that changes hands is kept, whatever way it goes, and what the program no longer has is deleted", async () => {
  const production = await world.anotherService();

  /** Resources are renamed, and one gets another provider of its account. */
  async function* renamed(): Story {
    yield ["first", site("old", "ren") + pixel("old-tag", "ren")];
    const before = stored("ren");
    const preview = yield [
      "preview",
      provider("other") + site("new", "ren", adopt) + pixel("new-tag", "ren", adopt, "provider: other"),
    ];
    expect(preview.output).toMatch(/"ren.example.com" exists already \(id \d+\) and will be adopted/);
    const up = yield ["up"];
    expect(up.wrote("ren")).toEqual([]);
    expect(stored("ren")).toEqual(before);
    expect(await held("ren")).toEqual({ new: "ren", "new-tag": "ren" });
  }

  /** Two swap their domains, and one leaves its domain, which another adopts. */
  async function* swapped(): Story {
    yield ["first", site("one", "swap-x") + site("two", "swap-y") + site("leaves", "swap-z")];
    const before = stored("swap");
    const swap = site("one", "swap-y", adopt) + site("two", "swap-x", adopt);
    const preview = yield ["preview", swap + site("takes", "swap-z", adopt) + site("leaves", "swap-new")];
    for (const key of Object.values(before))
      expect(preview.output).toMatch(
        new RegExp(`"${key}.example.com" exists already \\(id \\d+\\) and will be adopted`),
      );
    const up = yield ["up"];
    expect(up.wrote("swap")).toEqual(["POST websites swap-new"]);
    expect(stored("swap")).toMatchObject(before);
    expect(await held("swap")).toEqual({ one: "swap-y", two: "swap-x", takes: "swap-z", leaves: "swap-new" });
  }

  /** A run ends before it drops the old names; then the program has the new name, or the old one again. */
  async function* cut(): Story {
    yield ["first", site("stays", "cut") + pixel("back", "cut")];
    const before = stored("cut");
    yield ["targets", site("stays-new", "cut", adopt) + pixel("back-new", "cut", adopt)];
    expect(Object.keys(await held("cut")).sort()).toEqual(["back", "back-new", "stays", "stays-new"]);
    const up = yield ["up", site("stays-new", "cut", adopt) + pixel("back", "cut")];
    expect(up.wrote("cut")).toEqual([]);
    expect(up.output).toMatch(/"cut.example.com" \(id \d+\) is kept: .* manages it now/);
    expect(stored("cut")).toEqual(before);
    expect(await held("cut")).toEqual({ "stays-new": "cut", back: "cut" });
  }

  /** Nothing is kept for what the engine brings to its provider only after the delete. */
  async function* late(): Story {
    yield ["first", site("moves", "late-x", {}, DBR)];
    const moves = `const moves = ${site("moves", "late-y", {}, DBR)}`;
    const { wrote } = yield ["up", moves + site("comes", "late-x", adopt, "dependsOn: [moves]")];
    expect(wrote("late").map((line) => line.replace("websites ", ""))).toEqual([
      "DELETE late-x",
      "POST late-y",
      "POST late-x",
    ]);
    expect(await held("late")).toEqual({ moves: "late-y", comes: "late-x" });
  }

  /** Another account's resource adopts the key of what a program no longer has, or has it already. */
  async function* elsewhere(): Story {
    const live = (name: string) => both(`${name}-live`, `live-${name}`, adopt, "provider: live");
    const account = provider("live", production.url);
    const tests = both("soon-test", "live-soon", adopt) + both("there-test", "live-there", adopt);
    yield ["first", account + live("there") + tests];
    expect(Object.values(stored("live"))).toHaveLength(4);
    const targets = yield ["targets", account + live("there") + live("soon")];
    expect(stored("live"), targets.output).toEqual({});
    expect(Object.keys(await held("live")).sort()).toEqual(["there-live", "there-live-tag"]);
    yield ["up"];
    expect(Object.values(stored("live", production))).toHaveLength(4);
  }

  await together(
    {
      first: () => world.up(),
      // Of stories with another program, nothing is checked.
      targets: async () => {
        const gone = await each("--target", "soon-test", "soon-test-tag", "there-test", "there-test-tag");
        const cut = (await each("--target", "stays", "back")).map((each) => each.replace(/::\w+$/, "$&-new"));
        return world.run([...UP, ...gone, ...cut]);
      },
      preview: async () => {
        const preview = await world.preview();
        expect(preview.written).toEqual([]);
        return preview;
      },
      up: () => world.up(),
      end: expectNoDiff,
    },
    renamed(),
    swapped(),
    cut(),
    late(),
    elsewhere(),
  );
  await expectSound(production);
});

it("an id that two accounts or installations have is two records, and destroy --run-program keeps nothing for its program", async () => {
  const [first, second] = [await world.anotherService(), await world.anotherService()];
  const ids = (each: EmulatorClient) => [...each.websites(), ...each.pixels()].map(({ id }) => id);

  /** New installations, as an agency has one for each customer: ids and seconds of creation are the same. */
  async function* installations(): Story {
    const providers = provider("near", first.url) + provider("far", second.url);
    const sites = (domain: string) =>
      ["near", "far"].map((at) => site(at, `${at}-${domain}`, {}, `provider: ${at}`)).join("");
    const tags = (type: string, at = ["near", "far"]) =>
      at.map((at) => pixel(`tag-${at}`, "TAG", { type }, `provider: ${at}`)).join("");
    yield ["first", providers + sites("x") + tags("bing")];
    const created_at = "2026-01-02T03:04:05.000000Z";
    for (const each of [first, second]) {
      for (const { id } of each.websites()) each.editWebsite(id, { created_at });
      for (const { id } of each.pixels()) each.editPixel(id, { created_at } as object);
    }
    expect(ids(second)).toEqual(ids(first));
    await world.editState(({ latest }) => {
      for (const { urn, outputs } of latest.resources)
        if (/near$|far$/.test(urn) && outputs?.__at !== undefined)
          Object.assign(outputs, creationEntry({}, { createdAt: created_at }));
    });

    yield ["change", providers + sites("x") + tags("quora")];
    expect(ids(second)).toEqual(ids(first));
    yield ["replace", providers + sites("y") + tags("quora", ["near"])];
    expect(Object.values(stored("", first)).sort()).toEqual(["TAG", "near-y"]);
    expect(Object.values(stored("", second))).toEqual(["far-y"]);
    yield ["destroy"];
    expect([ids(first), ids(second)]).toEqual([[], []]);
  }

  /** An account has lost the record of an id, with which the POST of another account is answered. */
  async function* lost(): Story {
    world.service.keys.add("of-another");
    const another = provider("another", world.service.url, "of-another");
    const lost = another + pixel("lost", "lost", {}, "provider: another");
    yield ["first", lost];
    const row = world.pixel("lost");
    world.service.deletePixel(Number(row.id));
    const made = { ...row, name: "lost-new", created_at: longAgo() } as PixelSeed;
    const reply = { status: 201, body: { data: made } } as FaultReply;
    world.service.addFault({
      match: { method: "POST", field: { name: "lost-new" } },
      commit: "never",
      reply,
    });
    yield ["change", lost + pixel("found", "lost-new")];
    world.service.insertPixel(made);
    expect((await world.resource("found")).id).toBe((await world.resource("lost")).id);
    const { output, wrote } = yield ["replace", pixel("found", "lost-new", { type: "quora" })];
    expect(output).toMatch(/pixel "lost" \(id \d+\) is kept: "found" manages it now/);
    expect(wrote("lost")).toEqual(["PUT pixels lost-new"]);
    await expectSound(first, second);
  }

  /** A target, all but what is excluded, and all are deleted, which the program adopts. */
  async function* destroyed(): Story {
    yield ["first", ["one", "two", "three"].map((name) => both(name, `end-${name}`, adopt)).join("")];
    const { output } = yield ["destroy one"];
    expect(output).not.toContain("is kept");
    expect(Object.values(stored("end")).sort()).toEqual(["end-three", "end-three", "end-two", "end-two"]);
    expect(Object.keys(await held("end")).sort()).toEqual(["three", "three-tag", "two", "two-tag"]);
    yield ["destroy two"];
    expect(Object.values(stored("end"))).toEqual(["end-three", "end-three"]);
    expect(Object.keys(await held("end")).sort()).toEqual(["three", "three-tag"]);
    yield ["destroy"];
    expect([stored(), await held("")]).toEqual([{}, {}]);
  }

  const destroy = (...args: string[]) => world.destroy({ args: ["--run-program", ...args] });
  await together(
    {
      first: () => world.up(),
      change: () => world.up(),
      changed: expectNoDiff,
      replace: () => world.up(),
      replaced: expectNoDiff,
      "destroy one": async () => destroy(...(await each("--target", "one", "one-tag"))),
      "destroy two": async () => destroy(...(await each("--exclude", "three", "three-tag"))),
      destroy: () => destroy(),
    },
    installations(),
    lost(),
    destroyed(),
  );
});

/** A resource of another package whose create fails. */
const FAILS = `class Fails extends pulumi.dynamic.Resource {
  constructor(name) { super({ create: async () => { throw new Error("fails"); } }, name, {}); }
}
const fails = new Fails("fails");
`;

it("what fails takes no record along, none is kept for what never comes, and a replacement ends well or says how it does", async () => {
  const alone = await world.anotherService();

  /** A record that its resource leaves is kept for none that failed, as in another account, nor deleted. */
  async function* failed(): Story {
    yield ["first", both("old", "fails")];
    const before = stored("fails");
    const expectLeft = async ({ output, wrote }: Told) => {
      expect(wrote("fails"), output).toEqual([]);
      expect(output).not.toMatch(/"fails.*is kept/);
      for (const [name, field] of [
        ["new", "domain"],
        ["new-tag", "name"],
      ])
        expect(output).toMatch(
          new RegExp(
            `"fails.*" \\(id \\d+\\) was not deleted: "${name}" declares its ${field}, and failed\\n +Correct or remove "${name}", and run "pulumi up" again`,
          ),
        );
      expect(stored("fails")).toEqual(before);
      expect(Object.keys(await held("fails")).sort()).toEqual(["old", "old-tag"]);
    };
    const elsewhere = provider("elsewhere", world.service.url, "of-nobody");
    const moved = site("new", "fails", adopt, "provider: elsewhere") + pixel("new-tag", "fails");
    await expectLeft(yield ["fail", elsewhere + moved]);
    // What announces to adopt a record may fail before it does.
    for (const path of Object.keys(before))
      world.service.addFault({
        match: { method: "GET", path: `${REST}${path}`, times: 0 },
        reply: { status: 403, body: {} },
      });
    const refused = yield ["fail again", both("new", "fails", adopt)];
    expect(refused.output).toContain('"fails.example.com" exists already');
    await expectLeft(refused);
    yield ["up"];
    expect(stored("fails")).toEqual(before);
    expect(await held("fails")).toEqual({ new: "fails", "new-tag": "fails" });
  }

  /** What depends on a resource that fails is never brought to its provider, and finds no record later. */
  async function* never(): Story {
    yield ["first", both("away", "never")];
    const renamed = (opts = "") => both("away-new", "never", adopt, opts);
    const { wrote, output } = yield ["fail", FAILS + renamed("dependsOn: [fails]")];
    expect(wrote("never").sort(), output).toEqual(["DELETE pixels never", "DELETE websites never"]);
    expect([await held("never"), stored("never")]).toEqual([{}, {}]);
    yield ["up", renamed()];
    expect(await held("never")).toEqual({ "away-new": "never", "away-new-tag": "never" });
  }

  /** With adopt, `--replace` keeps the record; else it names the guide, whose deleteBeforeReplace does it. */
  async function* forced(): Story {
    const kept = site("kept", "force-kept", adopt);
    yield ["first", site("shop", "force") + kept];
    const before = stored("force");
    const refused = yield ["fail again"];
    expect(refused.output).toMatch(
      /"force.example.com" exists already \(id \d+\)\n.*\n.*\n +Else see "When a record exists already" in /,
    );
    expect(refused.wrote("force")).toEqual([]);
    expect(stored("force")).toEqual(before);
    const { wrote } = yield ["up", site("shop", "force", {}, DBR) + kept];
    expect(wrote("force")).toEqual(["DELETE websites force", "POST websites force"]);
    expect(await held("force")).toEqual({ shop: "force", kept: "force-kept" });
  }

  /** A pixel is deleted first, with its website or because it is tainted, whatever fails beside it. */
  async function* tainted(): Story {
    const shop = (domain: string) =>
      `const site = ${site("site", domain)}${pixel("tag", "taint", {}, "deletedWith: site")}`;
    const wrotePixel = ({ wrote }: Told) => wrote("pixels taint");
    yield ["first", shop("taint-x")];
    const deletedFirst = ["DELETE pixels taint", "POST pixels taint"];
    expect(wrotePixel(yield ["fail", shop("taint-y")])).toEqual(deletedFirst);
    expect(await held("taint")).toEqual({ site: "taint-y", tag: "taint" });
    // A list that is some seconds behind.
    world.service.addFault({
      match: { method: "GET", path: `${REST}pixels`, times: 0 },
      reply: { body: { data: world.service.pixels() } },
    });
    expect(wrotePixel(yield ["fail again"])).toEqual(deletedFirst);
    expect(await held("taint")).toEqual({ site: "taint-y", tag: "taint" });
  }

  /** What depends on a website that is deleted first goes along. If then its create fails, nothing is left of the account. */
  async function* chained(): Story {
    const chain = (domain: string) => `${provider("alone", alone.url)}
const first = ${site("first", domain, {}, `provider: alone, ${DBR}`)}for (const prefix of ["www", "m"])
  new tracking.Website(prefix, { domain: first.domain.apply((each) => prefix + "." + each) }, { protect: false, provider: alone, dependsOn: [first] });\n`;
    yield ["first", chain("a")];
    alone.addFault({
      match: { method: "POST", field: { domain: "b.example.com" } },
      reply: { status: 422, body: { message: { privacy: ["odd"] } } },
    });
    yield ["fail", chain("b")];
    expect(stored("", alone)).toEqual({});
    // Some engines delete the dependents once more, and the others ask for them: the run finds neither.
    const { output } = yield ["fail again"];
    expect(output).toMatch(/drop each from state .*\n.* one that stays, see "When all records are gone" in /);
    yield ["up"];
    expect(Object.values(stored("", alone)).sort()).toEqual(["b", "m.b", "www.b"]);
  }

  await together(
    {
      first: () => world.up(),
      fail: () => world.fail(GOES_ON),
      taint: async () => world.run(["state", "taint", "--yes", await urn("tag")]),
      "fail again": async () =>
        world.fail([...GOES_ON, "--parallel", "1", ...(await each("--replace", "shop", "kept"))]),
      drop: async () => {
        world.service.clearFaults();
        return world.run(["state", "delete", "--force", "--yes", await urn("www"), await urn("m")]);
      },
      up: async () => world.run([...UP, ...(await each("--replace", "shop"))]),
      end: expectNoDiff,
    },
    failed(),
    never(),
    forced(),
    tainted(),
    chained(),
  );
  await expectSound(alone);
});

it("two that mean one record are refused, by a preview if it can know, no record is lost, and the message leads on", async () => {
  /** `test/provider/lifecycle/ledger.test.ts` and `test/sdk/duplicates.test.ts` have the other ways; here, what takes an engine. */
  async function* declaredTwice(): Story {
    const refused =
      /is declared twice in this program, by "(.+)" and "(.+)"\n +Remove one of the two, or change/;
    const held = site("held", "twice");
    yield ["first", held];
    const before = stored("twice");
    // By its provider: the program does not know an output's value, nor that two providers have one account.
    const six = site("six", "twice", adopt, "provider: other").replace(/"twice[^"]+"/, "pulumi.output($&)");
    const preview = yield ["preview twice", provider("other") + six + held];
    expect(preview.output).toMatch(refused);
    expect(preview.written).toEqual([]);
    expect((yield ["up twice"]).output).toMatch(refused);
    expect(stored("twice")).toEqual(before);
    // By the program itself, before the engine brings the second to its provider.
    const children = `for (const name of ["left", "right"])
${site("child", "twice-child", {}, 'parent: new pulumi.ComponentResource("test:index:" + name, name)')}`;
    const { output, wrote } = yield ["children", children + held];
    expect(output).toMatch(refused);
    expect(wrote("twice").filter((line) => !line.startsWith("POST"))).toEqual([]);
    expect(stored("twice")).toMatchObject(before);
    yield ["preview state", held];
    yield ["refresh"];
    expect(stored("twice")).toEqual(before);
  }

  let stateDelete = "";
  /** State holds one record for two, which are protected. */
  async function* heldTwice(): Story {
    const a = 'new tracking.Website("a", { domain: "state.example.com" });\n';
    yield ["first", a];
    const before = stored("state");
    yield ["children"];
    const { urn: ofA } = await world.resource("a");
    await world.editState(({ latest: { resources } }) => {
      const twins = resources.filter((each) => each.urn === ofA);
      resources.push(...twins.map((each) => ({ ...each, urn: ofA.replace(/::a$/, "::b") })));
    });
    const { output } = yield ["preview state", a + a.replace('"a"', '"b"').replace("state", "state-b")];
    expect(output).toMatch(
      /\(id \d+\) also belongs to "[ab]" in state\n +Remove one of the two from the program, and /,
    );
    [, stateDelete = ""] = /run "pulumi (state delete --force) 'URN'" for it/.exec(output) ?? [];
    yield ["drop", a];
    const { wrote } = yield ["refresh"];
    expect(wrote("state")).toEqual([]);
    expect(stored("state")).toEqual(before);
  }

  /** A pixel is renamed in place while another is to adopt its old name. */
  async function* passedOn(): Story {
    const [old, renamed, takes] = [
      pixel("old", "pass"),
      pixel("old", "pass-on"),
      pixel("takes", "pass", adopt),
    ];
    yield ["first", old];
    for (const [command, inOrder] of [
      ["preview pass", renamed + takes],
      ["preview takes", takes + renamed],
    ] as const)
      expect((yield [command, inOrder]).output).toMatch(
        /is to be adopted by "takes" too\n +Run "pulumi up --refresh" without "takes", then with it|already belongs to "old"\n.*\n +If you are renaming or removing "old", do that first: run "pulumi up --refresh" without this resource, then with it/,
      );
    expect((yield ["refresh", renamed]).wrote("pass")).toEqual(["PUT pixels pass"]);
    expect((yield ["refresh again", renamed + takes]).wrote("pass")).toEqual(["POST pixels pass"]);
    expect(await held("pass")).toEqual({ old: "pass-on", takes: "pass" });
  }

  const preview = () => world.fail(["preview"]);
  const refresh = () => world.up({ args: ["--refresh"] });
  await together(
    {
      first: () => world.up(),
      "preview twice": preview,
      "up twice": () => world.fail(UP),
      children: () => world.fail(UP),
      "preview state": preview,
      drop: async () => world.run([...stateDelete.split(" "), "--yes", await urn("b")]),
      "preview pass": preview,
      "preview takes": preview,
      refresh,
      "refresh again": refresh,
      end: expectNoDiff,
    },
    declaredTwice(),
    heldTwice(),
    passedOn(),
  );
  await expectSound();
});

// Alone: what is registered beside the two may bring the delete before the adoption.
it("what leaves its domain by deleteBeforeReplace is refused while another is to adopt that, and the message leads on", async () => {
  const moves = (domain: string) => site("moves", domain, {}, DBR);
  const comes = site("comes", "x", adopt);
  await world.program(moves("x"));
  await world.up();
  // The adoption begins, and takes its time.
  const { id } = await world.resource("moves");
  world.service.addFault({ match: { method: "GET", path: `${REST}websites/${id}` }, reply: "stall" });
  await world.program(comes + moves("y"));
  const refused = await world.fail(UP, { env: { TRACKING_REQUEST_TIMEOUT: "2" } });
  expect(refused.output).toMatch(
    /was not deleted: "comes" declares its domain, and has no record yet\n +Run "pulumi up --refresh" without "comes", then with it/,
  );
  expect(refused.written).toEqual([]);
  const refresh = { args: ["--refresh"] };
  await world.program(moves("y"));
  await world.up(refresh);
  await world.program(comes + moves("y"));
  await world.up(refresh);
  expect(await held("")).toEqual({ comes: "x", moves: "y" });
  await expectSound();
  await world.expectNoDiff();
});

it("a resource that is renamed in the program, without adopt, is refused, keeps its record, and follows the advice of the up and of the import", async () => {
  let stateRename = "";
  const imported = (args: string) => installed(world, args.split(" ")).finished;

  /** It is also moved to another provider of its account, and gets an alias. */
  async function* moved(): Story {
    yield ["first", both("old", "move")];
    const before = stored("move");
    const renamed = (optsOf = (_name: string) => "") =>
      provider("other") +
      site("new", "move", {}, `provider: other, ${optsOf("old")}`) +
      pixel("new-tag", "move", {}, `provider: other, ${optsOf("old-tag")}`);
    const refused = yield ["fail", renamed()];
    expect(refused.output).toMatch(
      /exists already \(id \d+\)\n +If the resource was renamed or moved, .*\n.*\n +Else see "When a record exists already" in /,
    );
    expect(refused.wrote("move")).toEqual([]);
    expect(Object.keys(await held("move")).sort()).toEqual(["old", "old-tag"]);
    yield ["rename again"];
    const { stdout } = await imported("import --declared --apply");
    for (const name of ["old", "old-tag"])
      expect(stdout).toMatch(
        new RegExp(
          `as "${name}"\\. If it was renamed or moved, give that name in aliases; else declare it once`,
        ),
      );
    const up = yield ["up", renamed((name) => `aliases: [{ name: "${name}" }]`)];
    expect(up.wrote("move")).toEqual([]);
    expect(stored("move")).toEqual(before);
    expect(await held("move")).toEqual({ new: "move", "new-tag": "move" });
  }

  /** Without an alias, the up leads to the import, and that to a command for each. */
  async function* renamed(): Story {
    yield ["first", both("before", "rename")];
    const before = stored("rename");
    const refused = yield ["fail", both("after", "rename")];
    expect(refused.wrote("rename")).toEqual([]);
    const [, named = ""] = /run "npx pulumi-tracking (.+?)"/.exec(refused.output) ?? [];
    const advice = async (says: RegExp) => {
      const { code, stderr } = await imported(named);
      expect(code, stderr).toBe(1);
      expect(stderr).toMatch(says);
      [, stateRename = ""] = /^Run "pulumi (state rename .+?)"/m.exec(stderr) ?? [];
    };
    await advice(/ 2 records of the stack under other names:\n/);
    yield ["rename"];
    await advice(/ as "after(-tag)?", but /);
    yield ["rename again"];
    expect((yield ["up"]).wrote("rename")).toEqual([]);
    expect(await imported(named)).toMatchObject({ code: 0, stderr: "" });
    expect(stored("rename")).toEqual(before);
    expect(await held("rename")).toEqual({ after: "rename", "after-tag": "rename" });
  }

  const rename = () => world.run([...stateRename.split(" "), "--yes"]);
  await together(
    {
      first: () => world.up(),
      fail: () => world.fail(GOES_ON),
      rename,
      "rename again": rename,
      up: () => world.up(),
      end: expectNoDiff,
    },
    moved(),
    renamed(),
  );
  await expectSound();
});
