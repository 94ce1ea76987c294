import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { type Fault, type FaultReply, page } from "../service";
import { declare, STACK, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

const program = (value: string) =>
  declare("Website", "shop", { domain: "shop.example.com" }, { protect: false }) +
  declare("Pixel", "pixel", { name: "P", type: "quora", value });

async function everything() {
  return [world.service.websites(), world.service.pixels(), await world.kept()];
}

it("A30: keeps the ids of records that it made and could not make sure of, and mends them with the next up, without a POST", async () => {
  await world.program(program("1"));
  const next = {
    websites: world.service.insertWebsite({ domain: "last.example.com" }).id + 1,
    pixels: world.service.insertPixel({ name: "last" }).id + 1,
  };
  world.service.deleteWebsite(next.websites - 1);
  world.service.deletePixel(next.pixels - 1);
  const wrong = {
    websites: { domain: "shop.example.com", privacy: 2 },
    pixels: { name: "P", type: "quora", value: "0" },
  };
  for (const kind of ["websites", "pixels"] as const) {
    const [path, id] = [`/api/v1/${kind}`, next[kind]];
    const body = { data: { id, ...wrong[kind] }, status: 201 };
    world.service.addFault({
      match: { method: "POST", path },
      commit: "before",
      reply: { status: 201, body },
    });
    world.service.addFault({
      match: { method: "GET", path: `${path}/${id}`, times: 0 },
      reply: page(500),
    });
  }
  const half = await world.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
  for (const record of ['website "shop.example.com"', 'pixel "P"'])
    expect(half.output).toMatch(
      new RegExp(`${record} \\(id \\d+\\) was written, but could not be read back`),
    );
  const { shop, pixel } = await world.resources();
  expect([shop?.id, pixel?.id]).toEqual([String(next.websites), String(next.pixels)]);

  world.service.clearFaults();
  const mended = await world.up();
  expect(mended.written.map(({ method }) => method)).toEqual(["PUT", "PUT"]);
  expect(world.service.websites()).toMatchObject([{ id: next.websites, privacy: 1 }]);
  expect(world.service.pixels()).toMatchObject([{ id: next.pixels, value: "1" }]);
  await world.expectNoDiff();
});

it("A42: posts nothing again after a 503, takes no record that is older than its request, and ends as its messages say", async () => {
  const { service } = world;
  const [websites, pixels] = ["/api/v1/websites", "/api/v1/pixels"];
  const [type, value] = ["quora", "1"];
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }) +
      declare("Website", "equal", { domain: "equal.example.com" }) +
      declare("Pixel", "late", { name: "LATE", type, value }) +
      declare("Pixel", "waited", { name: "WAITED", type, value }),
  );
  const post = (path: string, field: Record<string, string>, fault: Omit<Fault, "match">) =>
    service.addFault({ match: { method: "POST", path, field }, ...fault });
  post(websites, { domain: "shop.example.com" }, { commit: "never", reply: page(503) });
  post(pixels, { name: "LATE" }, { commit: "late", reply: page(503) });
  const onlyId: FaultReply = { status: 201, body: { data: { id: 99 } } };
  post(websites, { domain: "equal.example.com" }, { commit: "never", reply: onlyId, delay: 1000 });
  const wait: FaultReply = { status: 429, headers: { "retry-after": "5" } };
  post(pixels, { name: "WAITED" }, { commit: "never", reply: wait });
  post(pixels, { name: "WAITED" }, { commit: "never", reply: "reset" });
  // A colleague makes equal records meanwhile, after the list that the run has read.
  const earlier = { created_at: new Date(Date.now() - 60_000).toISOString() };
  const stored = { privacy: 1, email: 0, exclude_bots: 1 } as const;
  const sent = (name: string) =>
    service.waitFor(({ method, form }) => method === "POST" && Object.values(form ?? {}).includes(name));
  const colleague = [
    sent("equal.example.com").then(() =>
      service.insertWebsite({ id: 99, domain: "equal.example.com", ...stored, ...earlier }),
    ),
    sent("WAITED").then(() => service.insertPixel({ name: "WAITED", type, value })),
  ];
  const first = await world.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
  await Promise.all(colleague);
  expect(first.written.map(({ form }) => form?.domain ?? form?.name).sort()).toEqual([
    "LATE",
    "WAITED",
    "WAITED",
    "equal.example.com",
    "shop.example.com",
  ]);
  for (const record of ['website "shop.example.com"', 'pixel "LATE"'])
    expect(first.output).toMatch(
      new RegExp(`${record} may not have been created \\(.*\\(503\\b.*\\); run the same command again`),
    );
  for (const record of ['website "equal.example.com"', 'pixel "WAITED"'])
    expect(first.output).toMatch(
      new RegExp(`${record} exists already \\(id \\d+\\)\\. .*import --declared --apply`),
    );
  expect(await world.resources()).toEqual({});

  service.releaseLate();
  const again = await world.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
  expect(again.written.map(({ form }) => form?.domain)).toEqual(["shop.example.com"]);
  expect(again.output).toMatch(/pixel "LATE" exists already \(id \d+\)\. .*import --declared --apply/);
  expect(await importing(world, ["--declared", "--apply"]).finished).toMatchObject({ code: 0 });
  expect(Object.keys(await world.resources()).sort()).toEqual(["equal", "late", "shop", "waited"]);
  expect([service.websites().length, service.pixels().length]).toEqual([2, 2]);
  await world.expectNoDiff();
});

// Without the plugin, the engine has its own words for it.
const ofDynamic = it.runIf(inject("form") === "dynamic");
ofDynamic(
  "F19: keeps everything where the package is missing or half-written at destroy, and destroys once it is installed again",
  async () => {
    await world.program(program("1"));
    await world.up();
    const before = await everything();
    const installed = join(world.project.folder, "node_modules", "pulumi-tracking");
    const part = join(installed, "dist", "chunks", "host.js");
    const whole = await readFile(part, "utf8");
    onTestFinished(() => writeFile(part, whole));
    await writeFile(part, whole.slice(0, whole.length / 2));
    const broken = await world.fail(["destroy", "--yes", "--skip-preview"]);
    expect(broken.output).toMatch(/error: pulumi-tracking is not completely installed .*: run "npm ci"/);
    expect(broken.output).not.toMatch(STACK);
    expect(await everything()).toEqual(before);
    await writeFile(part, whole);

    const away = `${installed}-away`;
    const back = () => (existsSync(away) ? rename(away, installed) : undefined);
    onTestFinished(async () => void (await back()));
    await rename(installed, away);
    const missing = await world.fail(["destroy", "--yes", "--skip-preview"]);
    expect(missing.output).toContain("Cannot find module 'pulumi-tracking/");
    expect(missing.written).toEqual([]);
    expect(await everything()).toEqual(before);

    await back();
    await world.destroy();
    expect(await everything()).toEqual([[], [], {}]);
  },
);
