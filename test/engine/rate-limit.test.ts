import { expect, it } from "vitest";
import { KEY, useHarness } from "./harness";

const world = useHarness();
const COUNT = 100;

it("E5: creates many records under a tight rate limit: none fails, few are throttled, and each request is logged", async () => {
  const paced = await world.anotherService({ rateLimit: { requests: 40, seconds: 3 } });
  await world.configureHere({ url: paced.url, key: KEY });
  await world.program(`for (let at = 0; at < ${COUNT}; at += 1)
  new tracking.Pixel("pixel-" + at, { name: "pixel-" + at, type: "google-analytics", value: "G-" + at });\n`);
  const { output } = await world.up({ args: ["--parallel=20"], env: { TRACKING_LOG: "debug" } });

  const names = Array.from({ length: COUNT }, (_, at) => `pixel-${at}`).sort();
  const stored = await paced.pixels();
  expect(stored.map(({ name }) => name).sort()).toEqual(names);
  expect(Object.keys(await world.resources()).sort()).toEqual(names);
  expect(Object.values(await world.resources()).map(({ id }) => Number(id))).toEqual(
    expect.arrayContaining(stored.map(({ id }) => id)),
  );

  const requests = await paced.requests();
  const turnedAway = requests.filter(({ status }) => status === 429);
  expect(turnedAway.length).toBeLessThanOrEqual(requests.length * 0.05);
  expect(requests.filter(({ status }) => status === 201 || status === 200).length).toBeGreaterThanOrEqual(
    COUNT,
  );

  // The engine repeats a line under Diagnostics and may draw it live before, so each different line is counted once.
  const logged = [...output.matchAll(/(GET|POST) http:\/\/\S+ \d{3} \d+ ms, attempt \d+/g)];
  expect(logged.length).toBeGreaterThanOrEqual(requests.length);
  expect(output).not.toContain(KEY);
  expect(output).not.toContain("Bearer");
});
