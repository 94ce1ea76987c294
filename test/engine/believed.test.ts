import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { listening } from "../listening";
import type { FaultReply } from "../service";
import { declare, line, literal, useHarness } from "./harness";

const world = useHarness();
const YES = ["--yes", "--skip-preview"];

const site = (name: string, opts: object = { protect: false }) =>
  declare("Website", name, { domain: `${name}.example.com` }, opts);
const pixel = (name: string, label = name) =>
  declare("Pixel", name, { name: label, type: "bing", value: name });

/** What the service has, and what state says of it. */
const everything = async () => [world.service.websites(), world.service.pixels(), await world.kept()];

/** The keys of what the service has, by id. */
const keys = () => ({
  ...Object.fromEntries(world.service.websites().map(({ id, domain }) => [`Website ${id}`, domain])),
  ...Object.fromEntries(world.service.pixels().map(({ id, name }) => [`Pixel ${id}`, name])),
});

/** The key of each resource's record. */
const held = async () => {
  const [stored, resources] = [keys(), Object.entries(await world.resources())];
  return Object.fromEntries(
    resources.map(([name, { type, id }]) => [name, stored[`${type.split(":").at(-1)} ${id}`]]),
  );
};

/** From now on, these requests are answered with something untrue, and do nothing. */
const lie = (method: string, path: string, body: object, status = 200) =>
  world.service.addFault({
    match: { method, path: `/api/v1/${path}`, times: 0 },
    commit: "never",
    reply: { status, body } as FaultReply,
  });

describe("an answer that contradicts itself is not believed:", () => {
  it("another record under the id that was asked for, by get or an import", async () => {
    const own = world.service.insertPixel({ name: "Q", type: "google-ads", value: "AW-2" });
    for (const id of [`0${own.id}`, `${own.id}abc`]) {
      lie("GET", `pixels/${id}`, { data: own });
      const words = `the service answered with the record ${own.id} instead of ${id}`;
      await world.program(`tracking.Pixel.get("pixel", "${id}");`);
      expect((await world.fail(["up", ...YES])).output).toContain(words);
      if (world.form !== "native") continue;
      const imported = ["import", "tracking:index:Pixel", "pixel", id, "--yes", "--generate-code=false"];
      expect((await world.fail(imported)).output).toContain(words);
    }
    expect(await world.resources()).toEqual({});
  });

  it("a DELETE that is answered 200 without the word that this record is deleted", async () => {
    await world.program(site("shop") + pixel("tag"));
    await world.up();
    const [before, { shop, tag }] = [await everything(), await world.resources()];
    await world.program("");
    for (const body of [
      { status: "error", message: "Busy." },
      { success: false },
      { id: 999, deleted: true },
    ])
      for (const command of ["up", "destroy"]) {
        lie("DELETE", "*", body);
        const refused = await world.fail([command, ...YES, "--continue-on-error"]);
        for (const record of [`website "shop.example.com" (id ${shop?.id})`, `pixel "tag" (id ${tag?.id})`])
          expect(refused.output).toContain(`${record} can't be deleted`);
        expect(refused.written.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
        expect(await everything()).toEqual(before);
        world.service.clearFaults();
      }
    await world.up();
    expect(await everything()).toEqual([[], [], {}]);
  });

  it.each<[string, object]>([
    ["an error", { status: "error", message: "Try later.", data: [] }],
    ["entries that are no records", { data: ["site-1", null] }],
    ["entries without a key", { data: [{ id: 999 }], meta: { total: 1 } }],
  ])("a list of %s, beside a 404 for each record", async (_, body) => {
    const declared = site("guarded", {}) + site("open") + pixel("tag");
    await world.program(declared);
    await world.up();
    const before = await everything();
    // The pixel is found, so this seems to be the right account.
    lie("GET", "websites", body);
    lie("GET", "websites/*", { message: "Resource not found." }, 404);
    const refreshed = await world.fail(["refresh", ...YES]);
    expect(refreshed.written).toEqual([]);
    expect(await everything()).toEqual(before);

    world.service.clearFaults();
    world.service.insertPixel({ name: "theirs", type: "bing", value: "1" });
    await world.program(declared + pixel("theirs"));
    lie("GET", "pixels", body);
    expect((await world.fail(["up", ...YES])).written).toEqual([]);
    world.service.clearFaults();
    expect(Object.values(keys()).sort()).toEqual([
      "guarded.example.com",
      "open.example.com",
      "tag",
      "theirs",
    ]);
    await world.refresh();
    expect(await world.kept()).toEqual(before[2]);
  });
});

it("a DELETE whose answer is lost is not sent again to a website that this run has made with its id", async () => {
  const moving = (domain: string) =>
    declare("Website", "moving", { domain }, { protect: false, deleteBeforeReplace: true });
  await world.program(moving("old.example.com"));
  await world.up();
  const { id = "" } = await world.resource("moving");
  const path = `/api/v1/websites/${id}`;
  const next = { id: Number(id), domain: "next.example.com", privacy: 1, email: 0, exclude_bots: 1 };
  world.service.addFault({ match: { method: "DELETE", path }, commit: "before", reply: "stall" });
  const match = { method: "POST", field: { domain: next.domain } };
  world.service.addFault({ match, commit: "never", reply: { status: 201, body: { data: next } } });
  // Answers when the record is gone. The DELETE's answer counts as lost some seconds later.
  const gate = createServer((_, answer) => {
    void world.service
      .waitFor(({ method, committed }) => method === "DELETE" && committed)
      .then(() => answer.end());
  });
  const opens = `fetch("http://127.0.0.1:${await listening(gate)}")`;
  await world.program(`${moving("new.example.com")}${opens}.then(() => { ${site("next")} });`);
  world.service.clearRequests();
  const running = world.project.start(["up", ...YES]);
  void world.service
    .waitFor(({ method, form }) => method === "POST" && form.domain === next.domain)
    .then(() => world.service.insertWebsite(next));
  const { code, stdout } = await running.finished;
  expect(code, stdout).toBe(0);
  const deletes = world.service.requests().filter(({ method }) => method === "DELETE");
  expect(deletes.map(line)).toEqual([`DELETE ${path}`]);
  expect(await held()).toEqual({ next: "next.example.com", moving: "new.example.com" });
  expect(Object.keys(keys())).toHaveLength(2);
  await world.expectNoDiff();
});

const REFUSED = /website "old\.example\.com" is protected, .*change nothing else of it, and run "pulumi up"/;
it.runIf(world.form === "native")(
  "a protected website that is to be moved and unprotected at once is refused, and moved in two steps",
  async () => {
    const guarded = (args: object) =>
      world.program(`new pulumi.CustomResource("tracking:index:Website", "shop", ${literal(args)});`);
    await guarded({ domain: "old.example.com" });
    await world.up();
    const lifted = { deletionProtection: false };
    await guarded({ domain: "new.example.com", ...lifted });
    for (const command of [["preview"], ["up", ...YES]]) {
      const refused = await world.fail(command);
      expect(refused.output).toMatch(REFUSED);
      expect(refused.written).toEqual([]);
    }
    await guarded({ domain: "old.example.com", ...lifted });
    await world.up();
    await guarded({ domain: "new.example.com", ...lifted });
    await world.up();
    expect(await held()).toEqual({ shop: "new.example.com" });
    await world.expectNoDiff();
  },
);

it("a pixel that gets the name of another one, even if the two swap names, is refused until that one has another", async () => {
  world.service.insertPixel({ name: "theirs", type: "bing", value: "1" });
  const [{ id: theirs } = { id: 0 }] = world.service.pixels();
  const declared = (...labels: string[]) =>
    world.program(labels.map((label, at) => pixel(`p${at}`, label)).join(""));
  await declared("A", "B", "C");
  await world.up();
  const { p0, p1 } = await world.resources();
  const before = await everything();

  await declared("B", "A", "theirs");
  const refused = await world.fail(["up", ...YES, "--continue-on-error"]);
  for (const other of [`"B" (id ${p1?.id})`, `"A" (id ${p0?.id})`, `"theirs" (id ${theirs})`])
    expect(refused.output).toContain(`pixel ${other} exists already`);
  expect(refused.output).toContain(
    "change the name of that one first, in a run of its own, or choose another name",
  );
  expect(refused.written).toEqual([]);
  expect(await everything()).toEqual(before);

  world.service.editPixel(theirs, { name: "renamed" });
  await declared("A", "other", "theirs");
  await world.up();
  await declared("B", "other", "theirs");
  await world.up();
  await declared("B", "A", "theirs");
  await world.up();
  expect(await held()).toEqual({ p0: "B", p1: "A", p2: "theirs" });
  await world.expectNoDiff();
});
