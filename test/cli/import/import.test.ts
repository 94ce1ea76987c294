import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeOf, tokenOf } from "../../../provider/hosts/dynamic/code";
import { parseUrn } from "../../../provider/hosts/urn";
import { inGuide } from "../../../provider/lifecycle/advice";
import { pixel, website } from "../../../provider/resources";
import { service, type WebsiteSeed } from "../../service";
import { Project, urnOf } from "./harness";

const two = [
  { id: 1, domain: "a.example" },
  { id: 2, domain: "b.example" },
];
const NODE = { "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "index.ts": "" };

/** A project whose stack uses a service with these websites. */
async function project(files: Record<string, string> = NODE, websites: WebsiteSeed[] = two) {
  const { settings } = await service({ seed: { websites } });
  return new Project(settings).files(files);
}

const type = tokenOf(website);
/** A website that the program declares, and one that the stack holds. */
const declared = (name: string, inputs: object = { domain: `${name}.example` }) => ({
  type,
  name,
  inputs: { ...inputs },
});
const held = (name: string, id: string, domain = `${name}.example`) => ({
  urn: urnOf({ type, name }),
  type,
  id,
  inputs: { domain },
});

/** What a program declares that loads the files of every import. */
const imported = ({ state }: Project) =>
  state.map(({ urn, type, inputs = {} }) => ({ type, name: parseUrn(urn).name, inputs }));

test("what nothing declares gets a program first, and is imported under its names once the program loads that", async () => {
  const { settings, control } = await service({ seed: { websites: two } });
  const shop = await new Project(settings).files(NODE);
  const first = await shop.import({ apply: true });
  expect(shop.read("tracking.ts").match(/new .*/g)).toEqual(
    ["a", "b"].map((name) => `new tracking.Website("${name}-example", {`),
  );
  const add = 'dd the line import "./tracking"; to index.ts';
  expect(first.shown).toEqual([
    "2 are imported once the program declares them.",
    `A${add}, and run this again.`,
  ]);
  expect([shop.state, shop.commands.filter(([command]) => command === "import")]).toEqual([[], []]);
  // Nobody has added it yet, or an interrupt came before it was shown.
  const again = await shop.import({ apply: true });
  expect([again.lines, again.failure]).toEqual([first.lines, first.failure]);
  expect(readdirSync(shop.folder).sort()).toEqual(["Pulumi.yaml", "index.ts", "tracking.ts"]);
  expect((await shop.import({})).lines.slice(-2)).toEqual([
    `2 are imported once the program declares them: a${add}.`,
    "To import, run: npx pulumi-tracking import --apply",
  ]);

  shop.loads();
  const { lines, failure } = await shop.import({ apply: true });
  expect(failure).toBeUndefined();
  const __provider = 'exports.handler = () => require("pulumi-tracking/host").Website';
  // The time of its creation proves later that a renamed record is the same one.
  const created = control.websites().map(({ created_at }) => Math.floor(Date.parse(created_at) / 1000));
  for (const [at, each] of shop.imported[0]?.resources.entries() ?? []) {
    const __at = created[at]?.toString(36);
    expect(each).toMatchObject({ inputs: { __provider }, outputs: { __provider, __at } });
  }
  expect(lines.slice(-2)).toEqual([
    "2 imported. Running a preview to see what is left ...",
    "A preview shows no changes.",
  ]);
  expect(shop.state.map(({ id, protect }) => [id, protect])).toEqual([
    ["1", true],
    ["2", true],
  ]);
  expect((await shop.import({ apply: true })).lines.slice(-2)).toEqual([
    "Nothing to import: each record that matches, if any does, is in the stack.",
    "A preview shows no changes.",
  ]);
  // The program is there already: code that Pulumi writes for it would be a second one.
  expect(shop.commands.filter(([command]) => command === "import")).toEqual([
    expect.arrayContaining(["--generate-code=false", "--yes", "--skip-preview"]),
  ]);

  // Its line is taken out again.
  shop.declares = [];
  expect((await shop.import({ apply: true })).failure).toMatch(
    /^The program does not declare what the stack holds, .*: .*::a-example'?; .*::b-example'?\. Declare it first, .*"Removing a website" in /,
  );
});

test.each([{}, { apply: true }, { declared: true }])(
  "a program that does not run is to be repaired first, and nothing is written: %o",
  async (options) => {
    const shop = await project();
    shop.broken = "Cannot find module './other'";
    const { lines, failure } = await shop.import(options);
    expect(failure).toContain(shop.broken);
    expect(lines).toEqual([expect.stringMatching(/^Running/)]);
    expect(readdirSync(shop.folder).sort()).toEqual(Object.keys(NODE).sort());
  },
);

test("a project without a program gets one, and the file to begin it with is named", async () => {
  const { "Pulumi.yaml": yaml } = NODE;
  const shop = await project({ "Pulumi.yaml": yaml });
  shop.broken = "Cannot find module index.ts";
  const { lines } = await shop.import({});
  expect(lines).toContain("tracking.ts: 2 declared.");
  expect(lines.at(-2)).toContain('add the line import "./tracking"; to a new file index.ts.');
  // Beside what a compiler has made of it.
  const compiled = await project({ ...NODE, "index.js": "" });
  expect((await compiled.import({})).lines).toContain("tracking.ts: 2 declared.");
  const runtime = "runtime: { name: nodejs, options: { typescript: false } }";
  const script = await project({ "Pulumi.yaml": `name: shop\n${runtime}\n` });
  expect((await script.import({})).lines.at(-2)).toContain(
    'add the line require("./tracking.js"); to a new file index.js.',
  );
});

test("a kind whose service has no address is not used, and is named; without any address the import fails", async () => {
  const { apiKey, analyticsBaseUrl } = (await service({ seed: { websites: two } })).settings;
  const websites = await new Project({ apiKey, analyticsBaseUrl }).files(NODE);
  const { lines } = await websites.import({ apply: true });
  expect(lines[0]).toBe(
    "No pixel is imported, because neither tracking:dataBaseUrl nor TRACKING_DATA_BASE_URL is set.",
  );
  websites.loads();
  expect((await websites.import({ apply: true })).failure).toBeUndefined();
  expect(websites.state).toHaveLength(2);

  const none = await new Project({ apiKey: "key" }).files(NODE);
  expect((await none.import({ apply: true })).failure).toMatch(
    /base URL for websites is missing\. Run "pulumi config set tracking:analyticsBaseUrl https:\/\/…", or set .*\.$/,
  );
  const { failure: ofLive } = await none.import({ apply: true, stack: "live" });
  expect(ofLive).toContain('"pulumi config set --stack live tracking:analyticsBaseUrl');
});

test("without a stack nothing is imported, and the commands that make one are named", async () => {
  const account = await project();
  account.hasStack = false;
  for (const options of [{}, { apply: true }, { declared: true }, { stack: "dev" }]) {
    const { lines, failure } = await account.import(options);
    expect(lines).toEqual([]);
    expect(failure).toMatch(/no stack selected\. Create one with "pulumi stack init", or select .* select"/);
  }
});

test("an import file is for other languages, and refused", async () => {
  const shop = await project();
  expect((await shop.import({ file: "mine.json" })).failure).toMatch(
    /^--file is for programs in other languages/,
  );
  expect(readdirSync(shop.folder).sort()).toEqual(["Pulumi.yaml", "index.ts"]);
});

test("a program in JavaScript gets a file in JavaScript, and none in TypeScript", async () => {
  const shop = await project({ "Pulumi.yaml": "name: shop\nruntime: nodejs\n", "index.js": "" });
  for (const options of [{ out: "x.ts" }, { format: "ts" as const }])
    expect((await shop.import(options)).failure).toContain("The program is in JavaScript");
  await shop.import({ out: "x.js" });
  expect(readdirSync(shop.folder).sort()).toEqual(["Pulumi.yaml", "index.js", "x.js"]);
});

test("a new file has the form that the stack has already, whatever the main file loads", async () => {
  const main = { "index.ts": 'import "pulumi-tracking";' };
  const shop = await project({ ...NODE, ...main }, [...two, { id: 3, domain: "c.example" }]);
  const native = "tracking:index:Website";
  const inputs = { domain: "c.example" };
  shop.state = [{ urn: urnOf({ type: native, name: "c" }), type: native, id: "3", inputs }];
  shop.declares = [{ type: native, name: "c", inputs }];
  await shop.import({});
  expect(shop.read("tracking.ts")).toContain('from "pulumi-tracking/native"');
  // An empty stack gets the form of the program.
  const empty = await project({ ...NODE, "index.ts": 'import "pulumi-tracking/native";' });
  await empty.import({});
  expect(empty.read("tracking.ts")).toContain('from "pulumi-tracking/native"');
});

test("what the service shows of no record is named once for a new file, and a password where it is missing", async () => {
  const locked = { privacy: 2, password: "canary" };
  const shop = await project(
    NODE,
    two.map((site) => ({ ...site, ...locked })),
  );
  const { lines } = await shop.import({});
  const remarksIn = (all: string[]) => all.filter((line) => line.startsWith("The service does not show"));
  expect(remarksIn(lines)).toEqual([
    expect.stringContaining(" the excludeParams of a website: one that you write"),
  ]);
  const { settings } = await service({
    seed: { websites: two, pixels: [{ id: 1, name: "Ads", type: "bing", value: "1" }] },
  });
  const tags = await (await new Project(settings).files(NODE)).import({ match: ["Ads"] });
  expect(remarksIn(tags.lines)).toEqual([]);
  expect(tags.lines).toContain("tracking.ts: 1 declared.");
  expect(shop.read("tracking.ts").match(/.*(password;|excludeParams).*/g)).toHaveLength(3);
});

test("what the program declares is imported under the names that it declares, and nothing else", async () => {
  const shop = await project();
  shop.declares = [declared("mine", { domain: "A.example" })];
  const holds = () => shop.state.map(({ urn, id }) => [parseUrn(urn).name, id]);
  const { lines } = await shop.import({});
  const plan = [
    'website "A.example" (id 1): import as "mine", which the program declares.',
    'website "b.example" (id 2): a new file declares it as "b-example".',
    "1 website to import.",
    "tracking.ts: 1 declared.",
  ];
  expect(lines).toEqual(expect.arrayContaining(plan));
  expect(holds()).toEqual([]);
  const applied = await shop.import({ apply: true });
  expect(applied.lines).toEqual(expect.arrayContaining(plan));
  expect(applied.failure).toMatch(/^1 is imported once the program declares it\. /);
  expect(holds()).toEqual([["mine", "1"]]);
});

test("a file that exists is never touched, whatever it is", async () => {
  const mine = { "tracking.ts": "mine", "tracking-2.ts/a": "" };
  const shop = await project({ ...NODE, ...mine });
  symlinkSync("nowhere.ts", join(shop.folder, "tracking-3.ts"));
  const { lines } = await shop.import({});
  expect(lines).toContain("tracking-4.ts: 2 declared.");
  expect(lines.at(-2)).toContain('import "./tracking-4";');
  expect(shop.read("tracking.ts")).toBe("mine");
  expect(existsSync(join(shop.folder, "nowhere.ts"))).toBe(false);
});

test("a record that another run makes and holds between two looks is not imported twice", async () => {
  const { settings, control } = await service({ seed: { websites: two } });
  const shop = await new Project(settings).files(NODE);
  shop.afterRead = () => void control.insertWebsite({ domain: "late.example" });
  expect((await shop.import({})).lines).toContain("tracking.ts: 2 declared.");
  expect(shop.read("tracking.ts")).not.toContain("late");
});

test("what became of the stack's own records is counted, points to the doctor, and is no obstacle", async () => {
  const shop = await project();
  shop.state = [held("a", "8"), held("b", "2"), held("gone", "9")];
  shop.declares = [...imported(shop), declared("b")];
  for (const options of [{}, { apply: true, declared: true }]) {
    const { lines, failure } = await shop.import(options);
    expect(lines).toContain(
      '2 of the stack are gone or changed on the service: "npx pulumi-tracking doctor" says what became of each.',
    );
    expect(failure).toBeUndefined();
  }
  // What an up has replaced and is yet to delete is none of them.
  shop.state = [{ ...held("gone", "9"), delete: true }, held("b", "2")];
  expect((await shop.import({ declared: true })).lines.join()).not.toContain("gone or changed");
  // As the doctor says, the state lets go of it, and the import finds the record under its id of now.
  shop.state = [held("b", "2")];
  shop.declares = [declared("a"), declared("b")];
  expect((await shop.import({ declared: true, apply: true })).failure).toBeUndefined();
  expect(shop.state.map(({ id }) => id)).toEqual(["2", "1"]);
});

test("what is gone from the service, and from the program, is no loss, and stops an import only if Pulumi's preview stops at it", async () => {
  const shop = await project();
  const gone = { ...held("gone", "9"), protect: true };
  shop.state = [held("a", "1"), gone];
  shop.declares = [declared("a")];
  for (const options of [{}, { apply: true, declared: true }]) {
    const { lines, failure } = await shop.import({ ...options, match: ["a.*"] });
    expect(lines.join("\n")).toMatch(
      /^1 of the stack is gone or changed on the service: "npx pulumi-tracking doctor"/m,
    );
    expect(failure).toBeUndefined();
  }
  shop.declares = [declared("a"), declared("b"), declared("kept")];
  shop.state.push({ ...held("kept", "7"), protect: true });
  const { shown } = await shop.import({ apply: true, declared: true });
  expect(shown).toEqual([
    "Nothing is imported: Pulumi's preview stops at what is protected in the stack, but gone from the service:",
    `  ${gone.urn}`,
    'Run "pulumi refresh --run-program", which drops it from the state, and run this again.',
  ]);
  shop.state = shop.state.filter((each) => each !== gone);
  expect((await shop.import({ apply: true, declared: true })).failure).toBeUndefined();
  expect(shop.state.map(({ id }) => id)).toEqual(["1", "7", "2"]);
  // A record that has another id now is not gone.
  shop.state.push(held("b-again", "8", "b.example"));
  expect((await shop.import({ apply: true, declared: true })).failure).toMatch(/^The program /);
});

test("a provider, a component and what was only read are no loss if the program no longer names them", async () => {
  const shop = await project();
  const theirs = { type: "pulumi:providers:pulumi-nodejs", name: "theirs" };
  const group = { type: "my:index:Group", name: "group" };
  const read = { ...held("read", "7"), external: true };
  shop.state = [
    { ...theirs, urn: urnOf(theirs), id: "99" },
    { ...group, urn: urnOf(group) },
    read,
    held("a", "1"),
  ];
  shop.declares = [declared("a"), declared("b")];
  expect((await shop.import({ apply: true, declared: true })).failure).toBeUndefined();
  const bucket = { type: "aws:s3/bucket:Bucket", name: "logs" };
  shop.state.push({ ...bucket, urn: urnOf(bucket), id: "logs" });
  expect((await shop.import({ apply: true, declared: true })).failure).toContain("::logs");
});

test("what the program declares is told in the order in which people count, whatever the engine's", async () => {
  const names = ["site-10", "site-2", "a"];
  const shop = await project(
    NODE,
    names.map((name, at) => ({ id: at + 1, domain: `${name}.example` })),
  );
  shop.declares = names.map((name) => declared(name));
  const { lines } = await shop.import({ declared: true });
  const told = lines.flatMap((line) => /^website "(.*)\.example" /.exec(line)?.[1] ?? []);
  expect(told).toEqual(["a", "site-2", "site-10"]);
});

test("an import that can't end never says that there is nothing to import", async () => {
  const twice = await project(NODE, [...two, { id: 3, domain: "a.example" }]);
  twice.state = [held("b", "2")];
  twice.declares = [declared("a"), declared("b")];
  const { lines, failure } = await twice.import({ declared: true, apply: true });
  expect(failure).toContain("1 can't be imported");
  expect(lines.join()).toMatch(/\(id 1, id 3\)/);
  expect(lines.join()).not.toContain("Nothing to import");
});

test.each([
  ["import", {}],
  ["import --declared", { declared: true }],
])(
  "a record that was renamed without an alias is named with its resource, and the command that renames it in the stack: %s",
  async (_says, options) => {
    const shop = await project();
    shop.state = [held("help", "1", "a.example"), held("shop", "2", "b.example")];
    shop.declares = [
      declared("support", { domain: "A.example." }),
      declared("store", { domain: "b.example" }),
    ];
    const { failure } = await shop.import({ ...options, apply: true });
    expect(failure).toBe(
      "The program declares 2 records of the stack under other names: " +
        'the website "a.example" (id 1) as "support", but the stack manages it as "help"; ' +
        'the website "b.example" (id 2) as "store", but the stack manages it as "shop". ' +
        `Run "pulumi state rename ${held("help", "").urn} support", or give the website "support" an alias: ` +
        `${inGuide("Renaming a resource")}; do likewise for the others.`,
    );
    // What a killed replacement has left is no resource of the program any more.
    shop.state = [{ ...held("help", "9", "a.example"), delete: true }];
    shop.declares = [declared("support", { domain: "a.example" }), declared("b")];
    expect((await shop.import({ ...options, apply: true })).failure).toBeUndefined();
    // In another component, an alias of the name would not be found.
    const urn = urnOf({ type: `my:index:Group$${type}`, name: "help" });
    shop.state = [{ ...held("help", "1", "a.example"), urn }];
    expect((await shop.import({ ...options, apply: true })).failure).toContain(`aliases: ["${urn}"]`);
  },
);

test("a rename under an explicit provider is named too, and the same domain by another provider is none", async () => {
  const { settings } = await service({ seed: { websites: [{ id: 1, domain: "a.example" }] } });
  const shop = await project();
  const inputs = { "tracking:explicit": "true", "tracking:apiKey": settings.apiKey };
  const theirs = {
    type: "pulumi:providers:pulumi-nodejs",
    name: "theirs",
    inputs: { ...inputs, "tracking:analyticsBaseUrl": settings.analyticsBaseUrl },
  };
  const provider = `${urnOf(theirs)}::id`;
  shop.state = [
    { ...theirs, urn: urnOf(theirs) },
    { ...held("help", "1", "a.example"), provider },
  ];
  shop.declares = [theirs, { ...declared("support", { domain: "a.example" }), provider }];
  expect((await shop.import({ declared: true, apply: true })).failure).toMatch(
    /^The program declares the website "a\.example" \(id 1\) as "support", but the stack manages it as "help"\. /,
  );
  shop.declares = [theirs, declared("support", { domain: "a.example" })];
  expect((await shop.import({ declared: true, apply: true })).lines.join()).toContain("1 imported.");
});

test("a record that one resource keeps and another one declares too is not called renamed", async () => {
  const shop = await project();
  shop.state = [held("a", "1")];
  shop.declares = [...imported(shop), declared("again", { domain: "a.example" })];
  const { lines, failure } = await shop.import({ declared: true });
  expect(lines).toContain(
    'website "a.example": the stack has this record (id 1) as "a". If it was renamed or moved, give that name in aliases; else declare it once.',
  );
  expect(failure).toBe("1 can't be imported. Do what the lines above say, and run this again.");
});

test("what an explicit provider has is imported from a service that the stack's own settings do not name", async () => {
  const pixels = [{ id: 4, name: "Ads", type: "bing", value: "1" }];
  const { settings } = await service({ seed: { pixels } });
  const { apiKey, dataBaseUrl, ...own } = settings;
  const shop = await new Project({ ...own, apiKey }).files(NODE);
  const theirs = {
    type: "pulumi:providers:pulumi-nodejs",
    name: "theirs",
    inputs: { "tracking:explicit": "true", "tracking:apiKey": apiKey, "tracking:dataBaseUrl": dataBaseUrl },
  };
  const ads = { type: tokenOf(pixel), name: "ads", inputs: { name: "Ads", type: "bing", value: "1" } };
  shop.state = [{ ...theirs, urn: urnOf(theirs) }];
  shop.declares = [theirs, { ...ads, provider: `${urnOf(theirs)}::id` }];
  expect((await shop.import({ apply: true })).failure).toBeUndefined();
  expect(shop.state.map(({ id }) => id)).toEqual([undefined, "4"]);
});

test("a domain that another account at the same address has is imported nevertheless, and not one of the same account at the address in another spelling", async () => {
  const { settings } = await service({ seed: { websites: two } });
  const shop = await new Project(settings).files(NODE);
  const written = async (apiKey: string, analyticsBaseUrl = settings.analyticsBaseUrl) => {
    const inputs = { "tracking:explicit": "true", "tracking:apiKey": apiKey };
    const theirs = {
      type: "pulumi:providers:pulumi-nodejs",
      name: "theirs",
      inputs: { ...inputs, "tracking:analyticsBaseUrl": analyticsBaseUrl },
    };
    const provider = `${urnOf(theirs)}::id`;
    shop.state = [
      { ...theirs, urn: urnOf(theirs) },
      { ...held("theirs", "9", "a.example"), provider },
    ];
    shop.declares = [theirs, { ...declared("theirs", { domain: "a.example" }), provider }];
    const { lines } = await shop.import({});
    return lines.flatMap((line) => /^website "(.*)" .*: a new file declares it/.exec(line)?.[1] ?? []);
  };
  expect(await written("another-key-0123")).toEqual(["a.example", "b.example"]);
  const spelled = `${settings.analyticsBaseUrl.replace("http", "HTTP")}/`;
  expect(await written(settings.apiKey, spelled)).toEqual(["b.example"]);
});

test("of records with one domain, in whatever spelling, none is written, and all are named", async () => {
  const shop = await project(NODE, [
    { id: 1, domain: "bücher.example" },
    { id: 2, domain: "xn--bcher-kva.example" },
    { id: 3, domain: "c.example" },
  ]);
  const { lines, failure } = await shop.import({ apply: true });
  expect(failure).toBe("1 can't be imported. Do what the lines above say, and run this again.");
  expect(lines.join("\n")).toMatch(
    /^website "bücher\.example": 2 records match \(id 1, id 2\)\. Compare them in the service's web interface, /m,
  );
  expect(shop.read("tracking.ts").match(/domain: .*/g)).toEqual(['domain: "c.example",']);
  expect(lines.at(-1)).toMatch(/^1 is imported once the program declares it: add the line /);
});

test("a dry run plans the rows, the file and the exit that --apply then has", async () => {
  const shop = await project(NODE, [...two, { id: 3, domain: "c.example" }]);
  const planOf = (lines: string[]) => lines.filter((each) => /^website|to import|declared\./.test(each));
  shop.declares = [declared("a")];
  const dry = await shop.import({ exclude: ["b.*"] });
  const again = await shop.import({ exclude: ["b.*"] });
  const applied = await shop.import({ exclude: ["b.*"], apply: true });
  expect([again.lines, planOf(applied.lines)]).toEqual([dry.lines, planOf(dry.lines)]);
  expect(shop.imported.map(({ resources }) => resources.map(({ name }) => name))).toEqual([["a"]]);
  expect(readdirSync(shop.folder).sort()).toEqual([...Object.keys(NODE), "tracking.ts"]);

  // Two records have the domain.
  const other = await project(NODE, [...two, { id: 3, domain: "b.example" }]);
  other.declares = [declared("a"), declared("b")];
  const [one, two_] = [await other.import({}), await other.import({ apply: true })];
  expect(planOf(two_.lines)).toEqual(planOf(one.lines));
  expect(two_.failure).toBe(one.failure);
  expect(one.failure).toBe("1 can't be imported. Do what the lines above say, and run this again.");
  expect(other.state.map(({ id }) => id)).toEqual(["1"]);
  other.state = [];
  other.declares = [declared("a")];
  expect((await other.import({ match: ["a.*"] })).lines).toContain("1 website to import.");
});

test("of each kind ten rows are printed, and with --verbose all, also those of records that stay as they are", async () => {
  const domains = Array.from({ length: 30 }, (_, at) => ({ id: at + 1, domain: `site-${at + 1}.example` }));
  const shop = await project(NODE, domains);
  shop.state = [held("one", "1", "site-1.example")];
  const absent = Array.from({ length: 12 }, (_, at) => declared(`absent-${at}`));
  shop.declares = [...imported(shop), ...absent, declared("site-2", { domain: "site-2.example" })];
  const wanted = { exclude: ["site-30.*"] };
  const { lines } = await shop.import(wanted);
  const count = (all: string[], pattern: RegExp) => all.filter((line) => pattern.test(line)).length;
  expect([count(lines, /does not exist/), count(lines, /a new file declares it/)]).toEqual([10, 10]);
  expect(lines).toContain("… and 2 more of this kind; --verbose shows all.");
  expect(lines).toContain("… and 17 more of this kind; --verbose shows all.");
  const all = (await shop.import({ ...wanted, verbose: true })).lines;
  expect([count(all, /does not exist/), count(all, /a new file declares it/)]).toEqual([12, 27]);
  expect(all).toEqual(
    expect.arrayContaining([
      'website "site-1.example" (id 1) is skipped: the stack has it as "one".',
      'website "site-2.example" (id 2) is skipped: the program declares it as "site-2".',
      'website "site-30.example" (id 30) is skipped: it is not selected.',
    ]),
  );
});

test("after an import it is said how many resources only lose the protection that it gave them", async () => {
  const { settings } = await service({
    seed: { websites: two, pixels: [{ id: 1, name: "Ads", type: "bing", value: "1" }] },
  });
  const shop = await new Project(settings).files(NODE);
  const inputs = { name: "Ads", type: "bing", value: "1", __provider: codeOf(pixel) };
  const ads = { type: tokenOf(pixel), name: "ads", inputs };
  shop.declares = [declared("a"), ads];
  const { lines } = await shop.import({ declared: true, apply: true });
  expect(lines.slice(-2)).toEqual([
    "A preview shows no changes.",
    'It marks 1 with [diff: ~protect]: every import protects, and the next "pulumi up" protects what the program says.',
  ]);
});

test("a record that the stack has by another id is not written a second time, and the command that names the way is named", async () => {
  const shop = await project();
  shop.state = [held("a", "8")];
  shop.declares = imported(shop);
  const { lines } = await shop.import({});
  expect(lines).toContain(
    'website "a.example" (id 1) is skipped: the stack has it as "a" (id 8); "npx pulumi-tracking doctor" says what to do if the service has given it another id.',
  );
  expect(lines).toContain("tracking.ts: 1 declared.");
});

test("a record is named like nothing that the stack has or the program declares, and a twin of what the stack has is not written", async () => {
  const others = [
    { id: 2, domain: "b.example" },
    { id: 3, domain: "A.example." },
    { id: 4, domain: "c.example" },
  ];
  const shop = await project(NODE, [{ id: 1, domain: "a.example" }, ...others]);
  shop.state = [held("b-example", "1", "a.example")];
  shop.declares = [declared("c-example", { domain: "new.example" })];
  const { lines } = await shop.import({});
  expect(lines).toContain(
    'website "A.example." (id 3) is skipped: id 1 has the same domain, which a program can declare only once.',
  );
  expect(shop.read("tracking.ts").match(/Website\(".*"|domain: ".*"/g)).toEqual([
    'Website("b-example-2"',
    'domain: "b.example"',
    'Website("c-example-2"',
    'domain: "c.example"',
  ]);
});

test.each([
  ["import", {}],
  ["import --apply", { apply: true }],
  ["import --declared", { declared: true }],
  ["import --declared --apply", { declared: true, apply: true }],
])(
  "with another account's address nothing is imported or written, whether its ids are others or the same: %s",
  async (_says, options) => {
    for (const ids of [
      ["1", "2"],
      ["8", "9"],
    ]) {
      const shop = await project();
      shop.state = ids.map((id) => held(`of-a-${id}`, id));
      shop.declares = [...imported(shop), declared("b")];
      const before = readdirSync(shop.folder);
      const { failure } = await shop.import(options);
      expect(failure).toMatch(/^Nothing is imported: .*\. Check .* and tracking:analyticsBaseUrl/);
      expect(shop.state.map(({ id }) => id)).toEqual(ids);
      expect(readdirSync(shop.folder)).toEqual(before);
    }
  },
);

test("one record of the stack that is there as in state shows the right account", async () => {
  const shop = await project(NODE, [
    { id: 1, domain: "a.example" },
    { id: 2, domain: "b.example", created_at: "2020-01-02 03:04:05" },
    { id: 3, domain: "c.example" },
  ]);
  shop.state = [held("a", "1"), held("gone", "9")];
  shop.declares = [...imported(shop), declared("c")];
  expect((await shop.import({ match: ["c.*"], apply: true })).failure).toBeUndefined();
  expect(shop.state.at(-1)?.id).toBe("3");
});

test("the account is judged by the stack's records of all kinds that are in it, as by the provider", async () => {
  const pixels = [{ id: 1, name: "Ads", type: "bing", value: "1" }];
  const { settings } = await service({ seed: { websites: two, pixels } });
  const shop = await new Project(settings).files(NODE);
  const ads = (id: string, name: string) => {
    const [type, inputs] = [tokenOf(pixel), { name, type: "bing", value: "1" }];
    return { urn: urnOf({ type, name }), type, id, inputs };
  };
  shop.state = [held("gone", "8"), ads("9", "Gone")];
  shop.declares = imported(shop);
  expect((await shop.import({ apply: true })).failure).toMatch(/^Nothing is imported: none of the 2 records/);
  // Another id of the website is no proof, and so the pixels' is the doubt.
  shop.state = [held("a", "8"), ads("9", "Gone"), ads("10", "Lost")];
  shop.declares = [...imported(shop), declared("b")];
  expect((await shop.import({ apply: true })).failure).toMatch(/^Nothing is imported: none of the 2 records/);
  shop.state = [held("gone", "8"), held("lost", "9"), ads("1", "Ads")];
  shop.declares = [...imported(shop), declared("a")];
  expect((await shop.import({ match: ["a.*"], apply: true })).failure).toBeUndefined();
  expect(shop.state.at(-1)).toMatchObject({ id: "1", type });
});

test("what the program declares is imported only if it is selected", async () => {
  const shop = await project(NODE, [...two, { id: 3, domain: "c.example" }]);
  shop.declares = [declared("a"), declared("b")];
  expect((await shop.import({ only: "pixels", apply: true })).failure).toBeUndefined();
  expect(shop.state).toEqual([]);
  await shop.import({ match: ["b.*", "c.*"], apply: true });
  expect(shop.state.map(({ id }) => id)).toEqual(["2"]);
  expect(shop.read("tracking.ts").match(/domain: .*/g)).toEqual(['domain: "c.example",']);
  await shop.import({ exclude: ["a.*"], apply: true });
  expect(shop.state.map(({ id }) => id)).toEqual(["2"]);
});

test("beside a run that has not ended, or was killed, nothing is imported, and the way out is named", async () => {
  const shop = await project();
  shop.pending = [{ type: "creating", resource: { urn: "urn:b", type } }];
  const { failure } = await shop.import({ apply: true });
  expect(failure).toMatch(
    /a run has not ended.* run "pulumi refresh --clear-pending-creates", as in "After a crash"/,
  );
  expect(shop.state).toEqual([]);
  shop.declares = [declared("a")];
  expect((await shop.import({ declared: true, apply: true })).failure).toBeUndefined();
  expect(shop.state.map(({ id }) => id)).toEqual(["1"]);
});

test("an import that leaves something to a person does not advise the up that would fail", async () => {
  const shop = await project(NODE, [...two, { id: 3, domain: "b.example" }]);
  shop.declares = [declared("a"), declared("b")];
  const counts = [
    "1 imported. Running a preview to see what is left ...",
    "Nothing is imported, for the reasons above.",
  ];
  for (const count of counts) {
    const { lines, failure } = await shop.import({ declared: true, apply: true });
    expect(lines.join()).toMatch(
      /2 records match \(id 2, id 3\)\. Compare them in the service's web interface/,
    );
    expect(lines.at(-1)).toBe(count);
    expect(failure).toMatch(/^1 can't be imported\. Do what the lines above say/);
  }
});

test("a file can hold what to import, and an import of what is not there says so", async () => {
  const shop = await project({ ...NODE, "wanted.txt": "# wanted\na.*\nc.*\n", "no.txt": "#\n" });
  const some = await shop.import({ match: [`@${join(shop.folder, "wanted.txt")}`], exclude: ["old.*"] });
  expect(some.lines).toContain("tracking.ts: 1 declared.");
  for (const match of ["shop.*", `@${join(shop.folder, "no.txt")}`]) {
    const { lines, failure } = await shop.import({ match: [match] });
    expect([lines.at(-1), failure]).toEqual([
      expect.stringMatching(/^Nothing to import: .*, if any does/),
      undefined,
    ]);
  }
});

test("a record that YAML can't hold is skipped, and named with the way to import it", async () => {
  const shop = await project(NODE, [
    { id: 1, domain: "a.example", exclude_ips: "198.51.100.*" },
    { id: 2, domain: "b.example" },
  ]);
  const { lines, failure } = await shop.import({ apply: true, format: "yaml" });
  expect(lines).toContain(
    `website "a.example" (id 1) is skipped: YAML can't hold its excludeIps ["198.51.100.*"]; import it with --format ts or js.`,
  );
  expect(lines).toContain("tracking.yaml: 1 declared.");
  expect(failure).toContain('declareFrom("tracking.yaml");');
});

test("in a project in Python the engine writes the program: its command is printed, of resources of the plugin", async () => {
  const python = "name: shop\nruntime: python\n";
  const shop = await project({ "Pulumi.yaml": python, "tracking_records.txt": "mine" });
  shop.declares = [{ ...declared("a"), type: "tracking:index:Website" }];
  const run =
    'run "pulumi import --file tracking-import.json --out tracking_records-2.txt", and add what tracking_records-2.txt then declares to the program';
  const dry = await shop.import({});
  expect(dry.lines.at(-2)).toBe(`1 is imported once the program declares it: ${run}.`);
  const ofLive = await shop.import({ stack: "live", file: "live.json" });
  expect(ofLive.lines.at(-2)).toContain(' --out tracking_records-2.txt --stack live", and ');
  const version = expect.stringMatching(/^\d+\.\d+/);
  const { resources } = JSON.parse(shop.read("tracking-import.json"));
  expect(resources).toMatchObject([{ type: "tracking:index:Website", id: "2", version }]);
  const { failure } = await shop.import({ apply: true, file: "mine.json" });
  expect(failure).toContain("pulumi import --file mine.json --out ");
  expect(shop.state.map(({ id }) => id)).toEqual(["1"]);
  expect((await shop.import({ format: "ts" })).failure).toContain("this project's runtime is python");
});

test.each(["[secret]", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"])(
  "a declared domain that a preview does not show, %s, is not looked for, nor written a second time",
  async (domain) => {
    const shop = await project();
    shop.declares = [declared("a", { domain })];
    const { lines, failure } = await shop.import({ declared: true });
    expect(lines).toContain(
      'website "a": a preview does not show its domain. With adopt: true, the next up adopts its record.',
    );
    expect(failure).toContain("1 can't be imported");
    const plain = await shop.import({ apply: true });
    expect(plain.failure).toContain("3 can't be imported");
    expect(plain.lines).toContain(
      'website "b.example" (id 2) is skipped: perhaps the program declares it as "a", since a preview does not show the domain of that: give it adopt: true, and run "pulumi up" for it.',
    );
    expect((await shop.import({ only: "pixels" })).failure).toBeUndefined();
    shop.declares = [declared("a", { domain, adopt: true })];
    const adopting = await shop.import({ declared: true });
    expect(adopting.failure).toBeUndefined();
    expect(adopting.lines).toContain(
      'website "a": a preview does not show its domain. The next up adopts its record.',
    );
  },
);

test("what a killed replacement has left keeps no record of its domain out of the program", async () => {
  const shop = await project();
  const old = held("old", "9", "a.example");
  for (const [left, names] of [
    [{ ...old, delete: true }, ["a-example", "b-example"]],
    [old, ["b-example"]],
  ] as const) {
    shop.state = [left];
    shop.declares = "delete" in left ? [] : [declared("old", { domain: "a.example" })];
    const { lines } = await shop.import({});
    expect(lines.flatMap((line) => /a new file declares it as "(.*)"/.exec(line)?.[1] ?? [])).toEqual(names);
  }
});

test("an import of what is declared fails if the next up deletes what the program no longer declares", async () => {
  const shop = await project();
  const gone = held("b", "2");
  shop.state = [gone];
  shop.declares = [declared("a")];
  const { lines, failure } = await shop.import({ declared: true, apply: true });
  expect(lines.join()).toContain("1 imported.");
  expect(failure).toContain('so the next "pulumi up" deletes it, or fails if it is protected: ');
  expect(failure).toContain(gone.urn);
  shop.state = [{ ...gone, delete: true }];
  expect((await shop.import({ declared: true, apply: true })).failure).toBeUndefined();
  // The engine's preview ends at a protected one, before it writes what to import.
  shop.state = [{ ...gone, protect: true }];
  expect((await shop.import({ declared: true, apply: true })).failure).toContain(gone.urn);
  expect(shop.state).toHaveLength(1);
});

test.each([{}, { apply: true }, { declared: true }, { declared: true, apply: true }])(
  "an import fails if the next up replaces a website, which deletes the old one: %o",
  async (options) => {
    const shop = await project();
    shop.state = [held("b", "2")];
    shop.declares = [declared("a"), declared("b")];
    shop.replaces = ["b"];
    const { failure } = await shop.import(options);
    expect(failure).toMatch(
      /^The next "pulumi up" replaces what the stack holds, .*::b\. See "npx pulumi-tracking preview"/,
    );
    expect(shop.state.map(({ id }) => id)).toEqual(options.apply ? ["2", "1"] : ["2"]);
  },
);

test("an import fails if the next up replaces what it has just imported", async () => {
  const shop = await project();
  shop.declares = [declared("a")];
  shop.replaces = ["a"];
  const { failure } = await shop.import({ declared: true, apply: true });
  expect(failure).toMatch(/^The next "pulumi up" replaces what the stack holds, .*::a\. /);
});

test("a declared domain that is no text is named, and the others are imported", async () => {
  const shop = await project();
  shop.declares = [declared("none", {}), declared("five", { domain: 5 }), declared("a")];
  const { lines, failure } = await shop.import({ declared: true, apply: true });
  for (const name of ["none", "five"])
    expect(lines).toContain(`website "${name}": its domain is missing, or is no text.`);
  expect(failure).toContain("2 can't be imported");
  expect(lines.join()).toContain("1 imported.");
});
