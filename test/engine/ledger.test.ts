import { expect, it } from "vitest";
import { creationEntry } from "../../provider/schema/identity";
import type { EmulatorClient, FaultReply, PixelSeed } from "../service";
import { KEY, literal, longAgo, type Ran, type StateResource, useHarness } from "./harness";
import { installed } from "./importing";
import { type Story as Shared, together } from "./stories";

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

/** An explicit provider, by default for the account of all others. Stories that name the same one share it, and its process. */
function provider(name: string, url = world.service.url, apiKey = KEY): string {
  const args = { apiKey, analyticsBaseUrl: url, dataBaseUrl: url };
  return `var ${name} = globalThis.${name} ??= new tracking.Provider("${name}", ${literal(args)});\n`;
}

const adopt = { adopt: true };
const DBR = "deleteBeforeReplace: true";
const UP = ["up", "--yes", "--skip-preview"];
/** With it, the engine goes on to what does not depend on a failed resource, and to what the program no longer has. */
const GOES_ON = [...UP, "--continue-on-error"];
const REST = "/api/v1/";
const urn = async (name: string) => (await world.resource(name)).urn;
/** An option for each of these resources. */
const options = async (option: string, ...names: string[]) =>
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

const tell = (command: () => Promise<Ran>) => async (): Promise<Told> => {
  const before = stored();
  const ran = await command();
  const keys = { ...stored(), ...before };
  const written = ran.written.map(({ method, path, form }) => {
    const [collection = "", id = ""] = path.replace(REST, "").split("/");
    const key = method === "POST" ? shorten(form.domain ?? form.name) : keys[`${collection}/${id}`];
    return `${method} ${collection} ${key}`;
  });
  return { ...ran, wrote: (word) => written.filter((line) => line.includes(word)) };
};

/** Its keys have a word in them that those of no other story have. */
type Story = Shared<Told>;

/** What a message says to run: the arguments of `pulumi-tracking`. */
let importing = "";

/** Resources are renamed, and one gets another provider of its account. */
async function* takesOver(): Story {
  yield ["first", site("old", "named") + pixel("old-tag", "named")];
  const before = stored("named");
  const preview = yield [
    "preview",
    provider("second") + site("new", "named", adopt) + pixel("new-tag", "named", adopt, "provider: second"),
  ];
  expect(preview.output).toMatch(/"named.example.com" exists already \(id \d+\) and will be adopted/);
  const up = yield ["fail"];
  expect(up.wrote("named")).toEqual([]);
  expect(stored("named")).toEqual(before);
  expect(await held("named")).toEqual({ new: "named", "new-tag": "named" });
  yield ["fail again", ""];
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
  const up = yield ["fail"];
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
  const up = yield ["fail", site("stays-new", "cut", adopt) + pixel("back", "cut")];
  expect(up.wrote("cut")).toEqual([]);
  expect(up.output).toMatch(/"cut.example.com" \(id \d+\) is kept: .* manages it now/);
  expect(stored("cut")).toEqual(before);
  expect(await held("cut")).toEqual({ "stays-new": "cut", back: "cut" });
}

/** Nothing is kept for what the engine brings to its provider only after the delete. */
async function* late(): Story {
  yield ["first", site("moves", "late-x", {}, DBR)];
  const moves = `const moves = ${site("moves", "late-y", {}, DBR)}`;
  const { wrote } = yield ["fail", moves + site("comes", "late-x", adopt, "dependsOn: [moves]")];
  expect(wrote("late").map((line) => line.replace("websites ", ""))).toEqual([
    "DELETE late-x",
    "POST late-y",
    "POST late-x",
  ]);
  expect(await held("late")).toEqual({ moves: "late-y", comes: "late-x" });
}

/** Another account's resource adopts the key of what a program no longer has, or has it already. */
async function* elsewhere(production: EmulatorClient): Story {
  const live = (name: string) => both(`${name}-live`, `live-${name}`, adopt, "provider: live");
  const account = provider("live", production.url);
  const tests = both("soon-test", "live-soon", adopt) + both("there-test", "live-there", adopt);
  yield ["first", account + live("there") + tests];
  expect(Object.values(stored("live"))).toHaveLength(4);
  const targets = yield ["targets", account + live("there") + live("soon")];
  expect(stored("live"), targets.output).toEqual({});
  expect(Object.keys(await held("live")).sort()).toEqual(["there-live", "there-live-tag"]);
  yield ["fail"];
  expect(Object.values(stored("live", production))).toHaveLength(4);
  yield ["fail again", ""];
  expect(stored("live", production)).toEqual({});
}

const ids = (each: EmulatorClient) => [...each.websites(), ...each.pixels()].map(({ id }) => id);

/** New installations, as an agency has one for each customer: ids and seconds of creation are the same. */
async function* installations(near: EmulatorClient, far: EmulatorClient): Story {
  const providers = provider("near", near.url) + provider("far", far.url);
  const records = (nearDomain: string, type: string) =>
    site("near", nearDomain, {}, "provider: near") +
    site("far", "far-x", {}, "provider: far") +
    ["near", "far"].map((at) => pixel(`tag-${at}`, "TAG", { type }, `provider: ${at}`)).join("");
  yield ["fail", providers + records("near-x", "bing")];
  const created_at = "2026-01-02T03:04:05.000000Z";
  for (const each of [near, far]) {
    for (const { id } of each.websites()) each.editWebsite(id, { created_at });
    for (const { id } of each.pixels()) each.editPixel(id, { created_at } as object);
  }
  expect(ids(far)).toEqual(ids(near));
  await world.editState(({ latest }) => {
    for (const { urn, outputs } of latest.resources)
      if (/near$|far$/.test(urn) && outputs?.__at !== undefined)
        Object.assign(outputs, creationEntry({}, { createdAt: created_at }));
  });

  // One installation's website is replaced, and the other's, which has the same id, stays.
  yield ["fail again", providers + records("near-y", "quora")];
  expect(Object.values(stored("", near)).sort()).toEqual(["TAG", "near-y"]);
  expect(Object.values(stored("", far)).sort()).toEqual(["TAG", "far-x"]);
  for (const each of [near, far]) expect(each.pixels()).toMatchObject([{ type: "quora" }]);
  yield ["up", ""];
  expect([ids(near), ids(far)]).toEqual([[], []]);
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
  yield ["fail", lost + pixel("found", "lost-new")];
  world.service.insertPixel(made);
  expect((await world.resource("found")).id).toBe((await world.resource("lost")).id);
  const { output, wrote } = yield ["fail again", pixel("found", "lost-new", { type: "quora" })];
  expect(output).toMatch(/pixel "lost" \(id \d+\) is kept: "found" manages it now/);
  expect(wrote("lost")).toEqual(["PUT pixels lost-new"]);
}

/** All but what is excluded is deleted, then all, which the program adopts. */
async function* destroyed(): Story {
  yield ["first", ["b", "c"].map((name) => both(`end-${name}`, `end-${name}`, adopt)).join("")];
  const { output } = yield ["destroy most"];
  expect(output).not.toContain("is kept");
  // What is deleted with its website is the service's to delete.
  expect(Object.values(stored()).sort()).toEqual(["end-c", "end-c", "taint"]);
  expect(Object.keys(await held("")).sort()).toEqual(["end-c", "end-c-tag"]);
  yield ["destroy"];
  expect([Object.values(stored()), await held("")]).toEqual([["taint"], {}]);
}

/** A resource of another package whose create fails. */
const FAILS = `class Fails extends pulumi.dynamic.Resource {
  constructor(name) { super({ create: async () => { throw new Error("fails"); } }, name, {}); }
}
const fails = new Fails("fails");
`;

/** A record that its resource leaves is kept for none that failed, as in another account, nor deleted. */
async function* failed(): Story {
  yield ["first", both("left", "fails")];
  const before = stored("fails");
  const expectLeft = async ({ output, wrote }: Told) => {
    expect(wrote("fails"), output).toEqual([]);
    expect(output).not.toMatch(/"fails.*is kept/);
    for (const [name, field] of [
      ["wants", "domain"],
      ["wants-tag", "name"],
    ])
      expect(output).toMatch(
        new RegExp(
          `"fails.*" \\(id \\d+\\) was not deleted: "${name}" declares its ${field}, and failed\\n +Correct or remove "${name}", and run "pulumi up" again`,
        ),
      );
    expect(stored("fails")).toEqual(before);
    expect(Object.keys(await held("fails")).sort()).toEqual(["left", "left-tag"]);
  };
  const elsewhere = provider("elsewhere", world.service.url, "of-nobody");
  const moved = site("wants", "fails", adopt, "provider: elsewhere") + pixel("wants-tag", "fails");
  await expectLeft(yield ["fail", elsewhere + moved]);
  // What announces to adopt a record may fail before it does.
  for (const path of Object.keys(before))
    world.service.addFault({
      match: { method: "GET", path: `${REST}${path}`, times: 0 },
      reply: { status: 403, body: {} },
    });
  const refused = yield ["fail again", both("wants", "fails", adopt)];
  expect(refused.output).toContain('"fails.example.com" exists already');
  await expectLeft(refused);
  yield ["up"];
  expect(stored("fails")).toEqual(before);
  expect(await held("fails")).toEqual({ wants: "fails", "wants-tag": "fails" });
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
  expect(refused.output).toMatch(/"force.example.com" exists already \(id \d+\)\n/);
  // An advice is printed once.
  expect(refused.output).toContain('Else see "When a record exists already" in ');
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
  // As by `pulumi state taint`.
  const tag = await urn("tag");
  await world.editState(({ latest: { resources } }) => {
    for (const each of resources) if (each.urn === tag) each.taint = true;
  });
  // A list that is some seconds behind.
  world.service.addFault({
    match: { method: "GET", path: `${REST}pixels`, times: 0 },
    reply: { body: { data: world.service.pixels() } },
  });
  expect(wrotePixel(yield ["fail again"])).toEqual(deletedFirst);
  expect(await held("taint")).toEqual({ site: "taint-y", tag: "taint" });
}

/** What depends on a website that is deleted first goes along. If then its create fails, nothing is left of the account. */
async function* chained(alone: EmulatorClient): Story {
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
  yield ["destroy most"];
  expect(stored("", alone)).toEqual({});
}

/** State holds one record for two, which are protected. */
async function* heldTwice(): Story {
  const a = 'new tracking.Website("a", { domain: "state.example.com" });\n';
  yield ["first", a];
  const before = stored("state");
  yield ["fail again"];
  const { urn: ofA } = await world.resource("a");
  await world.editState(({ latest: { resources } }) => {
    const twins = resources.filter((each) => each.urn === ofA);
    resources.push(...twins.map((each) => ({ ...each, urn: ofA.replace(/::a$/, "::b") })));
  });
  const { output } = yield ["preview state", a + a.replace('"a"', '"b"').replace("state", "state-b")];
  expect(output).toMatch(
    /\(id \d+\) also belongs to "[ab]" in state\n +Remove one of the two from the program, and run "pulumi state delete --force 'URN'" for it/,
  );
  yield ["drop", a];
  // The end destroys it.
  const { wrote } = yield ["up", site("a", "state")];
  expect(wrote("state")).toEqual([]);
  expect(stored("state")).toEqual(before);
}

/** A pixel is renamed in place, then another adopts its old name. */
async function* passedOn(): Story {
  const [renamed, gets] = [pixel("passes", "pass-on"), pixel("gets", "pass", adopt)];
  yield ["first", pixel("passes", "pass")];
  expect((yield ["fail again", renamed]).wrote("pass")).toEqual(["PUT pixels pass"]);
  expect((yield ["up", renamed + gets]).wrote("pass")).toEqual(["POST pixels pass"]);
  expect(await held("pass")).toEqual({ passes: "pass-on", gets: "pass" });
}

/** A resource that is renamed in the program, without adopt, is refused; it is also moved to another provider of its account, and gets an alias. */
async function* moved(): Story {
  const old = both("from", "move");
  yield ["first", old];
  const before = stored("move");
  const renamed = (optsOf = (_name: string) => "") =>
    provider("second") +
    site("to", "move", {}, `provider: second, ${optsOf("from")}`) +
    pixel("to-tag", "move", {}, `provider: second, ${optsOf("from-tag")}`);
  const refused = yield ["fail", renamed()];
  expect(refused.output).toMatch(
    /exists already \(id \d+\)\n +If the resource was renamed or moved, .*\n.*\n +Else see "When a record exists already" in /,
  );
  expect(refused.wrote("move")).toEqual([]);
  expect(Object.keys(await held("move")).sort()).toEqual(["from", "from-tag"]);
  const up = yield ["up", renamed((name) => `aliases: [{ name: "${name}" }]`)];
  expect(up.wrote("move")).toEqual([]);
  expect(stored("move")).toEqual(before);
  expect(await held("move")).toEqual({ to: "move", "to-tag": "move" });
}

/** Without an alias, the up leads to the import, and that to a command. */
async function* renamed(): Story {
  const [old, after] = [pixel("before-tag", "rename"), pixel("after-tag", "rename")];
  yield ["first", old];
  const before = stored("rename");
  const refused = yield ["fail", after];
  expect(refused.wrote("rename")).toEqual([]);
  [, importing = ""] = /run "npx pulumi-tracking (import .+?)"/.exec(refused.output) ?? [];
  const { code, stderr } = yield ["import"];
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/ as "after-tag", but /);
  // Other stories rename records too, and the message has the command for the first of all.
  expect(stderr).toMatch(/^Run "pulumi state rename urn:\S+ \S+"/m);
  expect((yield ["up"]).wrote("rename")).toEqual([]);
  expect(stored("rename")).toEqual(before);
  expect(await held("rename")).toEqual({ "after-tag": "rename" });
}

/**
 * `test/provider/lifecycle/ledger.test.ts`, `test/model/ledger.test.ts` and `test/sdk/duplicates.test.ts` have what the ledger
 * answers; here, what takes an engine.
 */
it("whatever changes hands, fails, is held twice or is renamed beside each other, no record is lost or belongs to two, the messages lead on, and destroy --run-program keeps nothing for its program", async () => {
  const [production, alone] = [await world.anotherService(), await world.anotherService()];
  const [near, far] = [await world.anotherService(), await world.anotherService()];
  const destroy = (...args: string[]) => world.destroy({ args: ["--run-program", ...args] });
  const commands: Record<string, () => Promise<Ran>> = {
    first: () => world.up(),
    // Of stories with another program, nothing is checked.
    targets: async () => {
      const gone = await options("--target", "soon-test", "soon-test-tag", "there-test", "there-test-tag");
      const cut = (await options("--target", "stays", "back")).map((each) =>
        each.replace(/::\w+$/, "$&-new"),
      );
      return world.run([...UP, ...gone, ...cut]);
    },
    preview: async () => {
      const preview = await world.preview();
      expect(preview.written).toEqual([]);
      return preview;
    },
    fail: () => world.fail(GOES_ON),
    "fail again": async () =>
      world.fail([...GOES_ON, "--parallel", "1", ...(await options("--replace", "shop", "kept"))]),
    // Such a preview ends at the first that is refused.
    "preview state": () => world.fail(["preview"]),
    drop: async () => {
      world.service.clearFaults();
      const urns = await Promise.all(["www", "m", "b"].map(urn));
      return world.run(["state", "delete", "--force", "--yes", ...urns]);
    },
    import: () => world.recorded(() => installed(world, importing.split(" ")).finished),
    rename: async () => world.run(["state", "rename", await urn("before-tag"), "after-tag", "--yes"]),
    up: async () => world.run([...UP, ...(await options("--replace", "shop"))]),
    "destroy most": async () => {
      await expectSound(alone);
      return destroy(...(await options("--exclude", "end-c", "end-c-tag")));
    },
    destroy: () => destroy(),
  };
  await together(
    world,
    Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, tell(command)])),
    [
      takesOver(),
      swapped(),
      cut(),
      late(),
      elsewhere(production),
      installations(near, far),
      lost(),
      destroyed(),
      failed(),
      never(),
      forced(),
      tainted(),
      chained(alone),
      heldTwice(),
      passedOn(),
      moved(),
      renamed(),
    ],
  );
});
