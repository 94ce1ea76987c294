import { expect, it } from "vitest";
import { useHarness } from "./harness";

const world = useHarness();
const CREATES = 20;
/** How many creates are in flight at the interrupt; the engine also finishes the others that it has begun. */
const SENT = 16;
/** Seconds. */
const ANSWERS_AFTER = 2;
/** Seconds that the run may go on. Only with `CASES=1`, and nothing beside it, are they held. */
const ENDS_WITHIN = 5;

it("B1: has in state after one interrupt exactly the records that the service has", async () => {
  const match = { method: "POST", path: "/api/v1/pixels", times: 0 };
  world.service.addFault({ match, commit: "before", delay: ANSWERS_AFTER * 1000 });
  await world.program(`for (let at = 0; at < ${CREATES}; at += 1)
  new tracking.Pixel("pixel-" + at, { name: "pixel-" + at, type: "google-analytics", value: "G-" + at });\n`);
  world.service.clearRequests();
  const running = world.project.start(["up", "--yes", "--skip-preview", `--parallel=${CREATES}`]);
  await world.service.waitFor(({ method }) => method === "POST", SENT);

  world.service.clearRequests();
  const interrupted = performance.now();
  running.stop("SIGINT");
  const { code } = await running.finished;
  const seconds = Math.round((performance.now() - interrupted) / 100) / 10;

  expect(code).not.toBe(0);
  const ids = world.service
    .pixels()
    .map(({ id }) => String(id))
    .sort();
  expect(ids.length).toBeGreaterThanOrEqual(SENT);
  const kept = Object.values(await world.resources()).map(({ id }) => id);
  expect(kept.sort()).toEqual(ids);
  // Nothing is looked for: each create has its answer.
  expect(new Set(world.service.requests().map(({ method }) => method))).not.toContain("GET");
  if (process.env.CASES === "1") expect(seconds).toBeLessThanOrEqual(ENDS_WITHIN);

  world.service.clearFaults();
  await world.up();
  expect(world.service.pixels().map(({ name }) => name)).toHaveLength(CREATES);
  expect(Object.keys(await world.resources())).toHaveLength(CREATES);
});
