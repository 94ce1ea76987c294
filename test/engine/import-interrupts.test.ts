import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { noteFigure } from "../faults/notes";
import { useHarness } from "./harness";
import { type Counts, type Event, watchedImport } from "./import-moments";
import { importing } from "./importing";

const world = useHarness();

/** `npm run soak -- interruptedImports` takes this many moments of a larger account, chosen by a seed. */
const soak = inject("interruptedImports");
const seed = inject("sizes").seed ?? 1;
const [WEBSITES, PIXELS] = soak === null ? [8, 2] : [190, 10];
const TOTAL = WEBSITES + PIXELS;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Its position, in percent, among all events of its kind in an import. */
interface Case {
  event: Event;
  percent: number;
  signal: (typeof signals)[number];
  to: "group" | "process";
}

/** The program is written; the stack is locked; the account is read. */
const few: readonly Case[] = [
  { event: "line", percent: 40, signal: "SIGINT", to: "group" },
  { event: "file", percent: 0, signal: "SIGTERM", to: "process" },
  { event: "request", percent: 40, signal: "SIGHUP", to: "group" },
];
/** Most of them while the engine imports, because there a file could be half-written. */
const drawn = (count: number): readonly Case[] => {
  const kinds = ["record", "file", "record", "line", "request"] as const;
  const places = fc.sample(fc.noBias(fc.integer({ min: 0, max: 100 })), { numRuns: count, seed });
  return places.map((percent, at) => ({
    event: kinds[at % kinds.length] ?? "record",
    percent,
    signal: signals[at % signals.length] ?? "SIGINT",
    to: at % 2 === 0 ? "group" : "process",
  }));
};
const cases = soak === null ? few : drawn(soak);

/**
 * What the last line names to continue with. A group's signal also ends an engine that has no group of its own yet, and
 * who started it can't tell whether it has locked the stack by then.
 */
const NEXT = / To continue, run: (?:(pulumi cancel --yes); )?npx pulumi-tracking import --apply\n$/;

const locks = () => join(world.project.backend, ".pulumi", "locks", "organization", "fresh", "dev");
const lockCount = async () => (await readdir(locks()).catch(() => [])).length;

/** Processes that work in the project's folder. */
function processesHere(): string[] {
  if (!existsSync("/proc/self/cwd")) return [];
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(world.project.folder);
    } catch {
      return false;
    }
  });
}

async function begin(): Promise<void> {
  await rm(join(world.project.folder, "tracking.js"), { force: true });
  await world.program('if (require("fs").existsSync("../tracking.js")) require("../tracking.js");\n');
  const websites = Array.from({ length: WEBSITES }, (_, at) => ({
    domain: `site-${at}.example.com`,
    privacy: 1,
  }));
  const pixels = Array.from({ length: PIXELS }, (_, at) => ({ name: `Pixel ${at}`, type: "bing" as const }));
  await world.service.seed({ websites, pixels });
  await world.service.clearRequests();
}

let all: Counts = { request: 6, line: 6, record: TOTAL, file: 4 };
beforeAll(async () => {
  if (soak === null) return;
  await world.begin();
  await begin();
  const { running, counts } = await watchedImport(world);
  expect(await running.finished).toMatchObject({ code: 0, stderr: "" });
  console.log(`uninterrupted: ${JSON.stringify(counts)}`);
  expect(Object.values(counts).every((count) => count > 0)).toBe(true);
  all = counts;
  await noteFigure("interruptedImports", { cases: soak, seed });
});

beforeEach(async () => {
  await begin();
  onTestFinished(() => rm(join(world.project.folder, "tracking.js"), { force: true }));
});

test.each(cases)(
  "after $signal to its $to at $percent % of each $event, one command that is named goes on",
  async ({ event, percent, signal, to }) => {
    const before = processesHere();
    const moment = { event, count: Math.max(1, Math.ceil((percent / 100) * all[event])) };
    const { running, came } = await watchedImport(world, {
      group: to === "group",
      moment,
      act: (each) => each.stop(signal),
    });
    const { code, signal: ended, stdout, stderr } = await running.finished;
    const held = Object.values(await world.resources());
    if (soak !== null)
      console.log(
        `${signal} to the ${to} at ${event} ${moment.count} of ${all[event]}: ${held.length} held; ${stdout.split("\n").at(-2)}`,
      );
    expect(came, running.output()).toBe(true);
    // A signal may also arrive when the command is about to end.
    const isDone = code === 0 && held.length === TOTAL && soak !== null;
    if (!isDone) {
      expect([code, ended, stderr], running.output()).toEqual([null, signal, ""]);
      expect(stdout).toMatch(NEXT);
      const [, cancel] = NEXT.exec(stdout) ?? [];
      if (cancel !== undefined) {
        expect({ to, held }, stdout).toEqual({ to: "group", held: [] });
        await world.run(cancel.split(" ").slice(1));
      }
      if (held.length > 0)
        expect(stdout).toContain(`${held.length} of ${TOTAL} are in the stack, protected.`);
      else expect(stdout).toMatch(/Interrupted\. Nothing was imported/);
    }
    expect(held.every(({ protect }) => protect === true)).toBe(true);
    expect(await lockCount()).toBe(0);
    await expect
      .poll(() => processesHere().filter((pid) => !before.includes(pid)), { timeout: 600_000 })
      .toEqual([]);

    const rest = await importing(world, ["--apply"]).finished;
    expect(rest, rest.stdout).toMatchObject({ code: 0, stderr: "" });
    expect(rest.stdout).toContain("A preview shows no changes.\n");
    const whole = Object.values(await world.resources());
    expect(whole.map(({ protect }) => protect)).toEqual(Array(TOTAL).fill(true));
    expect(new Set(whole.map(({ type, id }) => `${type} ${id}`)).size).toBe(TOTAL);
    await world.expectNoChange();
    expect((await world.service.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  },
);
