import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { frontOf } from "../faults/front";
import { environmentFor } from "./fresh-project";
import { declare, STACK, useHarness } from "./harness";

const world = useHarness();

it("G1: gives one of two stacks the record that both create at once, and tells the other whose it is", async () => {
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }, { protect: false }) +
      declare("Pixel", "pixel", { name: "P", type: "quora", value: "1" }),
  );
  await world.run(["stack", "init", "other", "--no-select"]);
  // The other stack reads the list before the first one's creates.
  const front = await frontOf(world.service.url);
  const env = {
    ...environmentFor(front.url),
    // It waits until the first one is done.
    TRACKING_REQUEST_TIMEOUT: "300",
  };
  const other = world.project.start(
    ["up", "--yes", "--skip-preview", "--continue-on-error", "--stack", "other"],
    { env },
  );
  await Promise.race([front.held, other.finished]);
  await world.up();
  front.release();

  const { code, stdout } = await other.finished;
  expect(code).not.toBe(0);
  for (const record of ['website "shop.example.com"', 'pixel "P"'])
    expect(stdout).toMatch(
      new RegExp(`${record} exists already \\(id \\d+\\)\\. If this resource was renamed`),
    );
  expect(stdout).not.toMatch(STACK);
  const [websites, pixels] = [await world.service.websites(), await world.service.pixels()];
  const { shop, pixel } = await world.resources();
  expect(websites.map(({ id }) => String(id))).toEqual([shop?.id]);
  expect(pixels.map(({ id }) => String(id))).toEqual([pixel?.id]);

  // The other one manages nothing, so destroying it would not affect the first one's records.
  const others = await readFile(world.stateFile.replace("dev.json", "other.json"), "utf8");
  expect(others).toContain("pulumi:pulumi:Stack");
  expect(others).not.toMatch(/"id": "\d+"/);
});
