import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { importing } from "./importing";
import { useWorld } from "./world";

const world = useWorld();

/** `npm run soak -- imports` takes 20 moments of a larger account, each a while after one of these events. */
const soaks = inject("importSize") !== null;
const WEBSITES = soaks ? 190 : 8;
const PIXELS = soaks ? 10 : 2;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const moments = ["the program is written", "the stack is locked", "the account is read"] as const;
const cases = Array.from({ length: soaks ? 20 : 3 }, (_, at) => ({
  signal: signals[at % 3] ?? "SIGINT",
  moment: moments[Math.floor(at / 3 + at) % 3] ?? "the program is written",
  group: at % 2 === 0,
  // Spread over the time that each part takes.
  delay: soaks ? (at * 7919) % 2000 : 0,
}));

const locks = () => join(world.project.backend, ".pulumi", "locks", "organization", "fresh", "dev");
const lockCount = async () => (await readdir(locks()).catch(() => [])).length;

beforeEach(async () => {
  const out = join(world.project.folder, "tracking.js");
  await rm(out, { force: true });
  onTestFinished(() => rm(out, { force: true }));
  await world.program('if (require("fs").existsSync("../tracking.js")) require("../tracking.js");\n');
  for (let at = 1; at <= WEBSITES; at += 1)
    await world.service.insertWebsite({ domain: `site-${at}.example.com`, privacy: 1 });
  for (let at = 1; at <= PIXELS; at += 1)
    await world.service.insertPixel({ name: `Pixel ${at}`, type: "bing" });
  await world.service.clearRequests();
});

/** Waits until an import has come so far. */
async function reached(moment: (typeof moments)[number], since: number): Promise<void> {
  const until = (check: () => unknown) => expect.poll(check, { interval: 5, timeout: 240_000 }).toBeTruthy();
  if (moment === "the program is written")
    await until(() => existsSync(join(world.project.folder, "tracking.js")));
  else if (moment === "the stack is locked") await until(lockCount);
  else await world.service.waitFor({ method: "GET", path: "/api/v1/pixels", since, timeoutMs: 240_000 });
}

test.each(cases)(
  "after $signal (to its group: $group) when $moment, plus $delay ms, one command that is named goes on",
  async ({ signal, moment, group, delay }) => {
    const since = await world.service.mark();
    const running = importing(world, ["--apply"], { group });
    await reached(moment, since);
    await setTimeout(delay);
    running.stop(signal);
    const { code, signal: ended, stdout } = await running.finished;
    expect([code, ended], running.output()).toEqual([null, signal]);
    const [, command = ""] = /To go on, run: npx pulumi-tracking (.*)\n$/.exec(stdout) ?? [];
    expect(command, stdout).toBe("import --apply");

    expect(await lockCount()).toBe(0);
    const before = Object.values(await world.resources());
    expect(before.every(({ protect }) => protect === true)).toBe(true);
    if (before.length > 0)
      expect(stdout).toContain(`${before.length} of ${WEBSITES + PIXELS} are in the stack, protected.`);
    else expect(stdout).toMatch(/Interrupted\. Nothing was imported/);

    const rest = await importing(world, command.split(" ").slice(1)).finished;
    expect(rest, rest.stdout).toMatchObject({ code: 0, stderr: "" });
    expect(rest.stdout).toContain("A preview finds nothing to do.\n");
    const held = Object.values(await world.resources());
    expect(held.map(({ protect }) => protect)).toEqual(Array(WEBSITES + PIXELS).fill(true));
    expect(new Set(held.map(({ type, id }) => `${type} ${id}`)).size).toBe(WEBSITES + PIXELS);
    await world.expectNoChange();
    expect((await world.service.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  },
);
