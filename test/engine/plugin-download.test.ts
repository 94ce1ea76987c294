import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PLAIN } from "./fresh-project";
import { declare, useHarness } from "./harness";
import { serveRelease } from "./release";

const world = useHarness({ files: { "Pulumi.yaml": PLAIN } }, "native");

it("a plugin that is nowhere on the machine is downloaded from the release that the classes name, once", async () => {
  const { url, asked } = await serveRelease();
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }, { protect: false, pluginDownloadURL: url }),
  );
  await world.up();
  expect(world.website("shop.example.com").privacy).toBe(1);
  expect(asked).toEqual([
    expect.stringMatching(/^pulumi-resource-tracking-v[\d.]+-\w+-(amd64|arm64)\.tar\.gz$/),
  ]);
  const kept = await readdir(join(world.project.home, "plugins"), { withFileTypes: true });
  expect(kept.filter((each) => each.isDirectory()).map(({ name }) => name)).toEqual([
    expect.stringMatching(/^resource-tracking-v[\d.]+$/),
  ]);
  // Where messages name it.
  const folder = join(world.project.home, "plugins", kept.find((each) => each.isDirectory())?.name ?? "");
  expect(await readdir(join(folder, "docs"))).toContain("guide.md");
  await world.refresh({ args: ["--expect-no-changes"] });
  await world.destroy();
  expect(world.service.websites()).toEqual([]);
  expect(asked).toHaveLength(1);
});
