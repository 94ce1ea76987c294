import { expect, it } from "vitest";
import type { FaultReply, StoredWebsite } from "../service";
import { declare, KEY, line, longAgo, nameOf, useHarness } from "./harness";
import { importing, installed } from "./importing";

const world = useHarness();
const YES = ["--yes", "--skip-preview"];
const DECLARED = ["--declared", "--apply"];
const GONE = /"(\S+)" \(id \d+\) is gone from the service/g;
const ANOTHER =
  /"(\S+)" \(id \d+\) is another record on the service now: "(\S+)", created at (\d{4}-[\d:T-]{14})/g;
const MOVED = /"(\S+)" \(id \d+\) has another id on the service now \(id (\d+)\)/g;
const UNREADABLE = /"(\S+)" \(id \d+\) can't be read from state: (\w+)/g;
const WAY_OUT =
  /[Rr]un "pulumi state delete --force 'URN'" for each such resource .* then "npx pulumi-tracking import --declared --apply"\n/;

const site = (name: string, args: object = {}) =>
  declare("Website", name, { domain: `${name}.example`, ...args }, { protect: false });
const pixel = (name: string, args: object = {}, opts = "{}") =>
  `new tracking.Pixel("${name}", ${JSON.stringify({ name, type: "bing", value: "1", ...args })}, ${opts});\n`;

const imported = async () => {
  const { code, stdout } = await importing(world, DECLARED).finished;
  expect(code, stdout).toBe(0);
  return stdout;
};
/** What a command says of records, each once: the parts of the pattern. */
const said = (output: string, pattern: RegExp) =>
  [...new Set([...output.matchAll(pattern)].map(([, ...parts]) => parts.join(" ")))].sort();

/** The ids in state, by names in the program. */
const ids = async () =>
  Object.fromEntries(Object.entries(await world.kept()).map(([name, { id }]) => [name, Number(id)]));
/** Where a record is that the stack has, or had. */
const pathOf = (name: string, kept: Awaited<ReturnType<typeof world.kept>>) =>
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

/** A service of an old version shows a website without its domain. */
function showWithoutDomain(website: StoredWebsite) {
  const { domain: url, ...others } = website;
  const data = world.service.websites().map((row) => (row.id === website.id ? { ...others, url } : row));
  const answers: [path: string, body: object][] = [
    ["/api/v1/websites", { data, meta: { total: data.length } }],
    [`/api/v1/websites/${website.id}`, { data: { ...others, url } }],
  ];
  for (const [path, body] of answers)
    world.service.addFault({ match: { method: "GET", path, times: 0 }, reply: { body } as FaultReply });
}

it("what someone deleted and made again stays, what was renamed gets its name back, what is there twice is refused, and the import that the up names takes the rest", async () => {
  const program = (type: string) =>
    world.program(
      site("twin") +
        pixel("twin-tag") +
        site("again") +
        pixel("again-tag") +
        pixel("renamed") +
        pixel("changed", { type }) +
        // It shows that this is the right account.
        site("stays"),
    );
  const row = { domain: "twin.example", privacy: 1, email: 0, exclude_bots: 1 };
  const twins = [1, 2].map(() => world.service.insertWebsite(row).id);
  const tags = ["1", "2"].map(
    (value) => world.service.insertPixel({ name: "twin-tag", type: "bing", value }).id,
  );

  // Twins: the up and the import refuse them, and say to delete one.
  await program("bing");
  const first = await world.fail(["up", ...YES, "--continue-on-error"]);
  const [, command = ""] = /Then run "npx pulumi-tracking import (.+?)"/.exec(first.output) ?? [];
  const refused = await importing(world, command.split(" ")).finished;
  for (const output of [first.output, refused.stdout]) {
    expect(output).toContain(`website "twin.example": 2 records match (id ${twins.join(", id ")})`);
    expect(output).toContain(`pixel "twin-tag": 2 records match (id ${tags.join(", id ")})`);
    expect(output).toContain("Compare them in the service's web interface, and delete all but one");
  }
  expect(refused).toMatchObject({ code: 1, stdout: expect.not.stringContaining("pulumi up") });
  world.service.deleteWebsite(twins[0] ?? 0);
  world.service.deletePixel(tags[1] ?? 0);

  // Made again: a refresh drops what is gone. Renamed: it is drift.
  const made = await world.kept();
  makeAgain("again", 71);
  world.service.editPixel(world.pixel("renamed").id, { name: "by-hand" });
  expect(said((await world.refresh()).output, GONE)).toEqual(["again-tag", "again.example"]);
  expect(Object.keys(await world.resources()).sort()).toEqual(["changed", "renamed", "stays"]);
  expect(await world.resource("renamed")).toMatchObject({ outputs: { name: "by-hand" } });

  // Made again: an up refuses it. Renamed: an up puts the name back, also one that no refresh has shown, with another change.
  world.service.editPixel(world.pixel("changed").id, { name: "unseen" });
  await program("quora");
  const up = await world.fail(["up", ...YES, "--continue-on-error"]);
  for (const what of ['website "again.example"', 'pixel "again-tag"'])
    expect(up.output).toContain(`${what} exists already (id 71)`);
  expect(up.output).toContain('run "npx pulumi-tracking import --declared --apply"');
  const put = ["renamed", "changed"].map((name) => `PUT /api/v1/pixels/${made[name]?.id}`);
  expect(new Set(up.written.map(line))).toEqual(new Set(put));

  await imported();
  expect((await world.up()).written).toEqual([]);
  await world.expectNoChange({ args: ["--refresh"] });
  expect(await ids()).toEqual({
    twin: twins[1],
    "twin-tag": tags[0],
    again: 71,
    "again-tag": 71,
    renamed: Number(made.renamed?.id),
    changed: Number(made.changed?.id),
    stays: Number(made.stays?.id),
  });
  expect(world.pixel("renamed")).toMatchObject({ id: Number(made.renamed?.id), type: "bing" });
  expect(world.pixel("changed")).toMatchObject({ id: Number(made.changed?.id), type: "quora" });

  // Made again: a destroy leaves what it did not make.
  makeAgain("again", 81);
  const destroyed = (await world.destroy()).output;
  for (const what of ['"again.example" (id 71)', '"again-tag" (id 71)']) expect(destroyed).toContain(what);
  expect(await world.resources()).toEqual({});
  expect([world.service.websites(), world.service.pixels()]).toMatchObject([[{ id: 81 }], [{ id: 81 }]]);
});

it("a record that is another one now, that has another id, that someone edited in state, or that is shown without its key changes nothing, and the messages lead out", async () => {
  // It strips www. of domains.
  world.service.configure({ dialect: "newer" });
  const program = (privacy: string, www = "www.") =>
    world.program(
      site("other") +
        pixel("other-tag") +
        site("edited") +
        site("stripped", { domain: `${www}stripped.example` }) +
        `const numbered = ${site("numbered")}` +
        pixel("numbered-tag", {}, "{ dependsOn: [numbered] }") +
        site("odd") +
        pixel("odd-tag") +
        site("spelled", { domain: `${www}spelled.example`, privacy }) +
        site("keyless"),
    );

  // What the service strips is no difference, and stays as the program has it.
  await program("private");
  await world.up();
  await program("public");
  const { spelled } = await world.kept();
  const second = await world.up({ args: ["--refresh"] });
  expect(second.written.map(line)).toEqual([`PUT /api/v1/websites/${spelled?.id}`]);
  expect((await world.resource("spelled")).outputs).toMatchObject({ domain: "www.spelled.example" });
  const made = await world.kept();

  // No key: a refresh and doctor say who can help.
  showWithoutDomain(world.website("keyless.example"));
  const keyless = await world.fail(["refresh", ...YES]);
  expect(keyless.output).toMatch(
    /is shown without a domain that can be read, so nothing was changed\n.*\n +If it is, ask the service's operator for a version whose API sends a domain, and run the same command again/,
  );
  const doctor = await installed(world, ["doctor"]).finished;
  const stdout = expect.stringContaining("is shown without a domain");
  expect(doctor).toMatchObject({ code: 1, stderr: "", stdout });
  world.service.clearFaults();
  expect([keyless.written, await world.kept()]).toEqual([[], made]);

  // Another creation and another name; another domain alone, which only a database can give; another id, also of a dependent.
  const created_at = longAgo();
  world.service.editWebsite(Number(made.other?.id), { domain: "theirs.example", created_at });
  world.service.editPixel(Number(made["other-tag"]?.id), { name: "theirs", created_at } as object);
  world.service.editWebsite(Number(made.edited?.id), { domain: "by-hand.example" });
  renumber(/numbered|stripped/);
  const sites = world.service.websites().filter(({ domain }) => /theirs|by-hand/.test(domain));
  const theirs = structuredClone([sites, [world.pixel("theirs")]]);
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
  expect(await imported()).toContain(
    '6 of the stack are gone or changed on the service: "npx pulumi-tracking doctor" says',
  );
  expect(await world.kept()).toEqual(made);

  // Values of another type, which someone wrote into the state.
  await editState({ odd: { excludeIps: "192.0.2.1" }, "odd-tag": { value: 1 } });
  const [before, restore] = [await world.kept(), await world.keep()];
  const preview = await world.fail(["preview"]);
  expect(said(preview.output, UNREADABLE)).not.toEqual([]);

  // All are read at once: what waits when the first one fails would not be.
  const refresh = await world.fail(["refresh", ...YES, "--parallel", "16"]);
  expect(said(refresh.output, ANOTHER)).toEqual(another);
  expect(said(refresh.output, MOVED)).toEqual([tag, numbered, stripped]);
  expect(said(refresh.output, UNREADABLE)).toEqual(["odd-tag value", "odd.example excludeIps"]);
  expect([preview.written, refresh.written, await world.kept()]).toEqual([[], [], before]);

  // A destroy deletes the others, and what a dependent keeps it does not come to.
  const destroy = await world.fail(["destroy", ...YES, "--continue-on-error"]);
  expect(said(destroy.output, ANOTHER)).toEqual(another);
  expect(said(destroy.output, MOVED)).toEqual([tag, stripped]);
  const deleted = ["odd", "odd-tag", "spelled", "keyless"];
  expect(destroy.written.map(line).sort()).toEqual(
    deleted.map((name) => `DELETE ${pathOf(name, before)}`).sort(),
  );
  const left = Object.entries(before).filter(([name]) => !deleted.includes(name));
  expect(await world.kept()).toEqual(Object.fromEntries(left));
  for (const { output } of [preview, refresh, destroy]) {
    expect(output).toMatch(WAY_OUT);
    expect(output).not.toContain("renamed");
  }
  await restore();

  // By the messages, and by the section that they name.
  await world.run(["state", "delete", "--force", "--yes", (await world.resource("odd-tag")).urn]);
  await world.run(["state", "delete", "--all", "--force", "--yes"]);
  expect(await imported()).toMatch(
    /"www\.stripped\.example": .* but "stripped\.example" does \(id \d+\)\. .* in this spelling/,
  );
  await program("public", "");
  await imported();
  const { written } = await world.up();
  const keys = written.map(({ method, form }) => `${method} ${form.domain ?? form.name}`).sort();
  expect(keys).toEqual(["POST edited.example", "POST other-tag", "POST other.example"]);
  await world.expectNoChange({ args: ["--refresh", "--run-program"] });
  const now = await ids();
  for (const name of ["numbered-tag", "numbered", "stripped"]) expect(now[name], name).toBe(idAfter(name));
  for (const name of deleted) expect(now[name], name).toBe(Number(made[name]?.id));
  expect((await world.destroy()).written.map(({ method }) => method)).toEqual(Array(10).fill("DELETE"));
  expect([world.service.websites(), world.service.pixels()]).toEqual(theirs);
});

it("another installation with the same ids, which the program then names, is not taken over, with adopt neither", async () => {
  const program = (place: string, args: object = {}) =>
    world.program(
      site("a", { domain: `a.${place}.example` }) +
        site("b", { domain: `b.${place}.example`, ...args }) +
        pixel("tag", { name: `${place}-tag`, ...args }),
    );
  await program("staging");
  await world.up();
  const before = await world.kept();
  const production = await world.anotherService();
  const created_at = longAgo();
  production.seed({
    websites: ["a", "b"].map((name) => ({
      id: Number(before[name]?.id),
      domain: `${name}.production.example`,
      privacy: 0,
      created_at,
    })),
    pixels: [{ id: Number(before.tag?.id), name: "production-tag", type: "quora", value: "9", created_at }],
  });
  const theirs = [production.websites(), production.pixels()];
  await world.configureHere({ url: production.url, key: KEY });
  await program("production", { adopt: true });
  for (const command of ["up", "destroy"]) {
    const { output } = await world.fail([command, ...YES, "--continue-on-error"]);
    expect(output).toMatch(/"\w+[.-]\w+(\.example)?" \(id \d+\) is another record on the service now/);
    expect(output).toMatch(
      /First check .*tracking:(analytics|data)BaseUrl.*: is this the right account\?\n +If it is, /,
    );
  }
  expect([production.websites(), production.pixels()]).toEqual(theirs);
  expect(production.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await world.kept()).toEqual(before);
});
