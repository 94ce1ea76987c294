import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { page } from "../service";
import { declare, STACK, useHarness } from "./harness";

const world = useHarness();

const program = (value: string) =>
  declare("Website", "shop", { domain: "shop.example.com" }, { protect: false }) +
  declare("Pixel", "pixel", { name: "P", type: "quora", value });

async function everything() {
  return [world.service.websites(), world.service.pixels(), await world.kept()];
}

it("A30, F19: keeps the ids of records that it made and could not make sure of, mends them with the next up, without a POST, and keeps everything where the package is missing or half-written at destroy", async () => {
  await world.program(program("1"));
  const ids = { websites: 21, pixels: 22 };
  // What was deleted has taken the ids before.
  world.service.deleteWebsite(world.service.insertWebsite({ id: 20, domain: "last.example.com" }).id);
  world.service.deletePixel(world.service.insertPixel({ id: 21, name: "last" }).id);
  for (const [kind, wrong] of [
    ["websites", { domain: "shop.example.com", privacy: 2 }],
    ["pixels", { name: "P", type: "quora", value: "0" }],
  ] as const) {
    const [path, id] = [`/api/v1/${kind}`, ids[kind]];
    const reply = { status: 201, body: { data: { id, ...wrong }, status: 201 } };
    world.service.addFault({ match: { method: "POST", path }, commit: "before", reply });
    const match = { method: "GET", path: `${path}/${id}`, times: 0 };
    world.service.addFault({ match, reply: page(500) });
  }
  const half = await world.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
  for (const record of ['website "shop.example.com" (id 21)', 'pixel "P" (id 22)'])
    expect(half.output).toContain(`${record} was written, but could not be read back`);
  const { shop, pixel } = await world.resources();
  expect([shop?.id, pixel?.id]).toEqual(["21", "22"]);

  world.service.clearFaults();
  const mended = await world.up();
  expect(mended.written.map(({ method }) => method)).toEqual(["PUT", "PUT"]);
  expect(world.service.websites()).toMatchObject([{ id: 21, privacy: 1 }]);
  expect(world.service.pixels()).toMatchObject([{ id: 22, value: "1" }]);

  // Without the plugin, the engine has its own words for what F19 tries.
  if (world.form === "dynamic") await expectDestroyOnlyWithPackage();
});

/** F19: it destroys once the package is installed again. */
async function expectDestroyOnlyWithPackage(): Promise<void> {
  const before = await everything();
  const installed = join(world.project.folder, "node_modules", "pulumi-tracking");
  const part = join(installed, "dist", "chunks", "host.js");
  const whole = await readFile(part, "utf8");
  onTestFinished(() => writeFile(part, whole));
  await writeFile(part, whole.slice(0, whole.length / 2));
  const broken = await world.fail(["destroy", "--yes", "--skip-preview"]);
  expect(broken.output).toMatch(/error: pulumi-tracking is not completely installed .*\n +Run "npm ci"/);
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
}
