import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { expect, inject, it } from "vitest";
import { writeArchives } from "../../tools/plugin/release.mjs";
import { listening } from "../listening";
import { PLAIN } from "./fresh-project";
import { declare, STACK, useHarness } from "./harness";

const world = useHarness({ files: { "Pulumi.yaml": PLAIN } }, "native");

/** Serves a release's archives, and gives the address and the names that are asked for. */
async function release(): Promise<{ url: string; asked: string[] }> {
  const folder = await mkdtemp(join(inject("projects"), "release-"));
  const packed = join(world.project.folder, "node_modules", "pulumi-tracking", "dist", "plugin");
  const names = await writeArchives(folder, join(packed, "pulumi-resource-tracking.js"));
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const name = basename(request.url ?? "");
    asked.push(name);
    if (names.includes(name)) response.end(await readFile(join(folder, name)));
    else response.writeHead(404).end();
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked };
}

it("a plugin that is nowhere, nor in a release, is missed in one sentence with the way to it, and not searched for", async () => {
  await world.program(declare("Website", "shop", { domain: "shop.example.com" }));
  const preview = await world.fail(["preview"]);
  expect(preview.output).toContain("path: node_modules/.bin");
  expect(preview.output).not.toMatch(/download/i);
  expect(preview.output).not.toMatch(STACK);
});

it("a plugin that is nowhere on the machine is downloaded from the release that the classes name, once", async () => {
  const { url, asked } = await release();
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }, { protect: false, pluginDownloadURL: url }),
  );
  await world.up();
  expect((await world.website("shop.example.com")).privacy).toBe(1);
  expect(asked).toEqual([
    expect.stringMatching(/^pulumi-resource-tracking-v[\d.]+-\w+-(amd64|arm64)\.tar\.gz$/),
  ]);
  const kept = await readdir(join(world.project.home, "plugins"), { withFileTypes: true });
  expect(kept.filter((each) => each.isDirectory()).map(({ name }) => name)).toEqual([
    expect.stringMatching(/^resource-tracking-v[\d.]+$/),
  ]);
  await world.refresh({ args: ["--expect-no-changes"] });
  await world.destroy();
  expect(await world.service.websites()).toEqual([]);
  expect(asked).toHaveLength(1);
});
