import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { ProcessTree } from "../../bench/processes.mjs";
import { noteFigure } from "../faults/notes";
import { useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

/** Set by `npm run soak -- largeImport` only. */
const size = inject("largeImport");
const PER_PAGE = 100;

test.runIf(size !== null)("a large account is imported at once, with two reads of its lists", async () => {
  const websites = size ?? 0;
  await world.service.seed({
    websites: Array.from({ length: websites }, (_, at) => ({ domain: `site-${at}.example.com`, privacy: 1 })),
    pixels: [{ name: "GA", type: "bing" }],
  });
  const out = join(world.project.folder, "tracking.js");
  onTestFinished(() => rm(out, { force: true }));
  await world.program('if (require("fs").existsSync("../tracking.js")) require("../tracking.js");\n');
  await world.service.clearRequests();

  const started = performance.now();
  const running = importing(world, ["--apply"]);
  const command = new ProcessTree(running.pid, (line) => line.includes("main.js import"));
  const engine = new ProcessTree(running.pid, (line) => /(^|\/)pulumi (import|preview)/.test(line));
  const { code, stdout, stderr } = await running.finished;
  const seconds = (performance.now() - started) / 1000;
  const [own, engines] = [command.stop(), engine.stop()];
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`${websites + 1} imported.\nA preview shows no changes.\n`);

  const sent = await world.service.requests();
  expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  // Once to import them, and once to check that none is gone meanwhile.
  expect(sent).toHaveLength(2 * (Math.ceil(websites / PER_PAGE) + 1));
  const held = Object.values(await world.resources());
  expect(held.filter(({ protect }) => protect === true)).toHaveLength(websites + 1);

  const figures = {
    seconds: Math.round(seconds),
    cpuSeconds: Math.round((own.cpuMs ?? 0) / 1000),
    commandMB: megabytes(own.peakBytes),
    engineMB: megabytes(engines.peakBytes),
    requests: sent.length,
  };
  console.log(`An import of ${websites} websites: ${JSON.stringify(figures)}`);
  await noteFigure("largeImport", { cases: websites, seed: "" });
});

function megabytes(bytes = 0): number {
  return Math.round(bytes / 1024 / 1024);
}
