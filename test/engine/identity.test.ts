import { expect, it } from "vitest";
import type { EmulatorClient } from "../service";
import { KEY, line, literal, longAgo, nameOf, type Ran, useHarness } from "./harness";
import { importing } from "./importing";
import { type Story, together } from "./stories";

const world = useHarness();
const YES = ["--yes", "--skip-preview"];
const GONE = /"(\S+)" \(id \d+\) is gone from the service/g;
const ANOTHER =
  /"(\S+)" \(id \d+\) is another record on the service now: "(\S+)", created at (\d{4}-[\d:T-]{14})/g;
const MOVED = /"(\S+)" \(id \d+\) has another id on the service now \(id (\d+)\)/g;
const UNREADABLE = /"(\S+)" \(id \d+\) can't be read from state: (\w+)/g;
const WAY_OUT =
  /[Rr]un "pulumi state delete --force 'URN'" for each such resource .* then "npx pulumi-tracking import --declared --apply"\n/;

const site = (name: string, args: object = {}, opts = "") =>
  `new tracking.Website("${name}", ${literal({ domain: `${name}.example`, ...args })}, { protect: false, ${opts} });\n`;
const pixel = (name: string, args: object = {}, opts = "") =>
  `new tracking.Pixel("${name}", ${literal({ name, type: "bing", value: "1", ...args })}, { ${opts} });\n`;

/** What a command says of records, each once: the parts of the pattern. */
const said = (output: string, pattern: RegExp) =>
  [...new Set([...output.matchAll(pattern)].map(([, ...parts]) => parts.join(" ")))].sort();

/** The ids in state, by names in the program. */
const ids = async () =>
  Object.fromEntries(Object.entries(await world.kept()).map(([name, { id }]) => [name, Number(id)]));
type Kept = Awaited<ReturnType<typeof world.kept>>;
/** Where a record is that the stack has, or had. */
const pathOf = (name: string, kept: Kept) =>
  `/api/v1/${name.endsWith("tag") ? "pixels" : "websites"}/${kept[name]?.id}`;

/** Someone deletes a website and a pixel on the service, and makes them again. */
function makeAgain(name: string, id: number) {
  const created_at = longAgo();
  const [website, pixel] = [world.website(`${name}.example`), world.pixel(`${name}-tag`)];
  world.service.deleteWebsite(website.id);
  world.service.deletePixel(pixel.id);
  world.service.insertWebsite({ ...website, created_at, id });
  world.service.insertPixel({ ...pixel, created_at, id });
}

/** An upgrade of the service gives records with these keys another id. */
function renumber(keys: RegExp) {
  const moved = <R extends { id: number }>(rows: R[], keyOf: (row: R) => string) =>
    rows.map((row) => (keys.test(keyOf(row)) ? { ...row, id: row.id + 70 } : row));
  world.service.seed({
    websites: moved(world.service.websites(), ({ domain }) => domain),
    pixels: moved(world.service.pixels(), ({ name }) => name),
  });
}

/** Someone edits values of resources in state. */
async function editState(values: Record<string, object>) {
  await world.editState(({ latest }) => {
    for (const { urn, inputs, outputs } of latest.resources)
      for (const bag of [inputs, outputs]) Object.assign(bag ?? {}, values[nameOf(urn)]);
  });
}

/** Two records for one resource: the up refuses them, and says to delete one and to import the other. */
async function* twins(): Story {
  const row = { domain: "twin.example", privacy: 1, email: 0, exclude_bots: 1 };
  const twins = [1, 2].map(() => world.service.insertWebsite(row).id);
  const tags = ["1", "2"].map(
    (value) => world.service.insertPixel({ name: "twin-tag", type: "bing", value }).id,
  );
  const { output } = yield ["first", site("twin") + pixel("twin-tag")];
  expect(output).toContain(`website "twin.example": 2 records match (id ${twins.join(", id ")})`);
  expect(output).toContain(`pixel "twin-tag": 2 records match (id ${tags.join(", id ")})`);
  expect(output).toContain("Compare them in the service's web interface, and delete all but one");
  expect(output).toContain('Then run "npx pulumi-tracking import --declared --apply"');
  world.service.deleteWebsite(twins[0] ?? 0);
  world.service.deletePixel(tags[1] ?? 0);
  for (const command of ["import", "last"]) {
    yield [command];
    expect(await ids()).toMatchObject({ twin: twins[1], "twin-tag": tags[0] });
  }
}

/** Made again: a refresh drops what is gone, an up refuses it, and a destroy leaves what it did not make. */
async function* again(): Story {
  yield ["first", site("again") + pixel("again-tag")];
  makeAgain("again", 171);
  const { output } = yield ["second"];
  expect(said(output, GONE)).toEqual(["again-tag", "again.example"]);
  for (const what of ['website "again.example"', 'pixel "again-tag"'])
    expect(output).toContain(`${what} exists already (id 171)`);
  expect(output).toContain('run "npx pulumi-tracking import --declared --apply"');
  expect(await ids()).not.toHaveProperty("again");
  for (const command of ["import", "last"]) {
    yield [command];
    expect(await ids()).toMatchObject({ again: 171, "again-tag": 171 });
  }
  makeAgain("again", 181);
  const destroyed = yield ["end"];
  for (const what of ['"again.example" (id 171)', '"again-tag" (id 171)'])
    expect(destroyed.output).toContain(what);
  expect([world.website("again.example"), world.pixel("again-tag")]).toMatchObject([
    { id: 181 },
    { id: 181 },
  ]);
}

/** Renamed: an up puts the name back, with another change too. */
async function* renamed(): Story {
  const program = (type: string) => pixel("label-tag") + pixel("changed-tag", { type });
  yield ["first", program("bing")];
  const made = await world.kept();
  for (const name of ["label", "changed"])
    world.service.editPixel(world.pixel(`${name}-tag`).id, { name: `${name}-by-hand` });
  const { written } = yield ["second", program("quora")];
  const puts = ["label-tag", "changed-tag"].map((name) => `PUT ${pathOf(name, made)}`).sort();
  expect(
    written
      .map(line)
      .filter((each) => each.includes("pixels"))
      .sort(),
  ).toEqual(puts);
  yield ["last"];
  expect(world.pixel("label-tag")).toMatchObject({ id: Number(made["label-tag"]?.id), type: "bing" });
  expect(world.pixel("changed-tag")).toMatchObject({ id: Number(made["changed-tag"]?.id), type: "quora" });
}

/** What the service strips is no difference; what does not stand as in state changes nothing, and the messages lead out. */
async function* moved(): Story {
  const program = (privacy: string, www = "www.", args: object = {}) =>
    site("other") +
    pixel("other-tag") +
    site("edited") +
    site("stripped", { domain: `${www}stripped.example`, ...args }) +
    `const numbered = ${site("numbered")}` +
    pixel("numbered-tag", {}, "dependsOn: [numbered]") +
    site("odd") +
    pixel("odd-tag") +
    site("spelled", { domain: `${www}spelled.example`, privacy, ...args }) +
    // It shows that this is the right account.
    site("stays");
  const ofOthers = (output: string, pattern: RegExp) =>
    said(output, pattern).filter((each) => !/staging/.test(each));

  // What the service strips stays as the program has it.
  yield ["first", program("private")];
  const { spelled } = await world.kept();
  const { written: second } = yield ["second", program("public")];
  expect(second.map(line).filter((each) => each.includes("websites"))).toEqual([
    `PUT /api/v1/websites/${spelled?.id}`,
  ]);
  expect((await world.resource("spelled")).outputs).toMatchObject({ domain: "www.spelled.example" });
  const made = await world.kept();

  // Another creation and another name; another domain alone, which only a database can give; another id, also of a dependent.
  const created_at = longAgo();
  world.service.editWebsite(Number(made.other?.id), { domain: "theirs.example", created_at });
  world.service.editPixel(Number(made["other-tag"]?.id), { name: "theirs", created_at } as object);
  world.service.editWebsite(Number(made.edited?.id), { domain: "by-hand.example" });
  renumber(/numbered|stripped/);
  const sites = world.service.websites().filter(({ domain }) => /theirs|by-hand/.test(domain));
  const theirs = structuredClone({ sites, tag: world.pixel("theirs") });
  const another = [
    `edited.example by-hand.example ${world.website("by-hand.example").created_at.slice(0, 19)}`,
    `other-tag theirs ${created_at.slice(0, 19)}`,
    `other.example theirs.example ${created_at.slice(0, 19)}`,
  ];
  const idAfter = (name: string) => Number(made[name]?.id) + 70;
  const [tag, numbered, stripped] = [
    `numbered-tag ${idAfter("numbered-tag")}`,
    `numbered.example ${idAfter("numbered")}`,
    `www.stripped.example ${idAfter("stripped")}`,
  ];
  // Values of another type, which someone wrote into the state.
  await editState({ odd: { excludeIps: "192.0.2.1" }, "odd-tag": { value: 1 } });
  const before = await world.kept();
  const refresh = yield ["refresh"];
  expect(ofOthers(refresh.output, ANOTHER)).toEqual(another);
  expect(said(refresh.output, MOVED)).toEqual([tag, numbered, stripped]);
  expect(said(refresh.output, UNREADABLE)).toEqual(["odd-tag value", "odd.example excludeIps"]);
  expect([refresh.written, await world.kept()]).toEqual([[], before]);

  // A destroy deletes the others, and what a dependent keeps it does not come to.
  const restore = await world.keep();
  const destroy = yield ["destroy"];
  expect(ofOthers(destroy.output, ANOTHER)).toEqual(another);
  expect(said(destroy.output, MOVED)).toEqual([tag, stripped]);
  const stay = Object.keys(before).filter((name) => /^(other|edited|stripped|numbered|placed)/.test(name));
  const deleted = Object.keys(before).filter((name) => !stay.includes(name));
  expect(destroy.written.map(line).sort()).toEqual(
    deleted.map((name) => `DELETE ${pathOf(name, before)}`).sort(),
  );
  expect(await world.kept()).toEqual(Object.fromEntries(stay.map((name) => [name, before[name]])));
  for (const { output } of [refresh, destroy]) {
    expect(output).toMatch(WAY_OUT);
    expect(output).not.toContain("renamed");
  }
  await restore();

  // By the messages, and by the section that they name.
  const { output } = yield ["import"];
  expect(output).toMatch(
    /"www\.stripped\.example": .* but "stripped\.example" does \(id \d+\)\. .* in this spelling/,
  );
  const { written } = yield ["last", program("public", "", { adopt: true })];
  const keys = written.map(({ method, form }) => `${method} ${form.domain ?? form.name}`).sort();
  expect(keys).toEqual(["POST edited.example", "POST other-tag", "POST other.example"]);
  const now = await ids();
  for (const name of ["numbered-tag", "numbered", "stripped"]) expect(now[name], name).toBe(idAfter(name));
  for (const name of ["odd", "odd-tag", "spelled"]) expect(now[name], name).toBe(Number(made[name]?.id));
  yield ["end"];
  expect(world.service.websites()).toEqual(expect.arrayContaining(theirs.sites));
  expect(world.service.pixels()).toContainEqual(theirs.tag);
}

/** Another installation with the same ids, which the program then names, is not taken over, with adopt neither. */
async function* installation(production: EmulatorClient): Story {
  const program = (place: string, analyticsBaseUrl: string, args: object = {}) =>
    `const place = new tracking.Provider("place", ${literal({ apiKey: KEY, analyticsBaseUrl, dataBaseUrl: analyticsBaseUrl })});\n` +
    site("placed-a", { domain: `a.${place}.example` }, "provider: place") +
    site("placed-b", { domain: `b.${place}.example`, ...args }, "provider: place") +
    pixel("placed-tag", { name: `${place}-tag`, ...args }, "provider: place");
  const placed = async () =>
    Object.fromEntries(Object.entries(await world.kept()).filter(([name]) => name.startsWith("placed")));
  const staging = program("staging", world.service.url);
  yield ["first", staging];
  const before = await placed();
  const created_at = longAgo();
  production.seed({
    websites: ["a", "b"].map((name) => ({
      id: Number(before[`placed-${name}`]?.id),
      domain: `${name}.production.example`,
      privacy: 0,
      created_at,
    })),
    pixels: [
      {
        id: Number(before["placed-tag"]?.id),
        name: "production-tag",
        type: "quora",
        value: "9",
        created_at,
      },
    ],
  });
  const theirs = [production.websites(), production.pixels()];
  const expectRefused = async ({ output }: Ran) => {
    expect(output).toMatch(
      /"(staging-tag|[ab].staging.example)" \(id \d+\) is another record on the service now/,
    );
    expect(output).toMatch(/First check .*: is this the right account\?\n +If it is, /);
    expect(await placed()).toEqual(before);
  };
  await expectRefused(yield ["second", program("production", production.url, { adopt: true })]);
  await expectRefused(yield ["refresh", staging]);
  await expectRefused(yield ["destroy"]);
  expect([production.websites(), production.pixels()]).toEqual(theirs);
  expect(production.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  yield ["import", ""];
}

it("what someone deleted and made again, renamed, renumbered, edited in state, what is there twice, and another installation are neither taken over nor dropped, and the messages lead out", async () => {
  // It strips www. of domains.
  world.service.configure({ dialect: "newer" });
  const production = await world.anotherService();
  await together(
    world,
    {
      first: () => world.fail(["up", ...YES, "--continue-on-error"]),
      second: () => world.fail(["up", ...YES, "--continue-on-error", "--refresh"]),
      // All are read at once: what waits when the first one fails would not be.
      refresh: () => world.fail(["refresh", ...YES, "--parallel", "16"]),
      destroy: () => world.fail(["destroy", ...YES, "--continue-on-error"]),
      import: async () => {
        await world.run(["state", "delete", "--all", "--force", "--yes"]);
        const ran = await world.recorded(() => importing(world, ["--declared", "--apply"]).finished);
        expect(ran.code, ran.output).toBe(0);
        return ran;
      },
      last: () => world.up(),
      end: () => world.destroy(),
    },
    [twins(), again(), renamed(), moved(), installation(production)],
  );
  expect(await world.resources()).toEqual({});
  const left = [
    "again.example",
    "by-hand.example",
    "theirs.example",
    "a.staging.example",
    "b.staging.example",
  ];
  expect(
    world.service
      .websites()
      .map(({ domain }) => domain)
      .sort(),
  ).toEqual(left.sort());
  expect(
    world.service
      .pixels()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["again-tag", "staging-tag", "theirs"]);
});
