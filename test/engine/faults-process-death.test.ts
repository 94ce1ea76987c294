import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { descendants, endAll, providersOf } from "./processes";
import { literal, useWorld } from "./world";

const world = useWorld();
const COUNT = 20;
/** How far a command has come when it is struck. */
const STRUCK_AT = 5;

type Running = ReturnType<typeof world.project.start>;

/** The ways in which a command ends before its time. The provider's processes are given, for those that need them. */
const deaths: {
  says: string;
  strike(running: Running, providers: readonly number[]): Promise<void> | void;
}[] = [
  { says: "one interrupt", strike: (running) => running.stop("SIGINT") },
  {
    says: "two interrupts",
    strike: async (running) => {
      running.stop("SIGINT");
      // The engine takes a second one only once it has told of the first.
      await pause(500);
      running.stop("SIGINT");
    },
  },
  {
    says: "a SIGTERM 7.5 s after the interrupt, as CI services send it",
    strike: async (running) => {
      running.stop("SIGINT");
      await pause(7500);
      running.stop("SIGTERM");
    },
  },
  { says: "a killed engine", strike: (running) => running.stop("SIGKILL") },
  { says: "a killed provider", strike: (_running, providers) => endAll(providers) },
];
const kills = deaths.slice(3);

it.each(deaths)(
  "ends with one record a resource after $says between parallel creates",
  async ({ strike }) => {
    await world.program(pixels("G-1"));
    await die(["up", "--yes", "--skip-preview", "--parallel=20"], "POST", strike);
    await finishUp("G-1");
    await expectOneEach("G-1");
  },
);

it("has the service's ids in state after one interrupt", async () => {
  await world.program(pixels("G-1"));
  await die(["up", "--yes", "--skip-preview", "--parallel=20"], "POST", (running) => running.stop("SIGINT"));
  const ids = (await world.service.pixels()).map(({ id }) => String(id)).sort();
  expect(await idsInState()).toEqual(ids);
});

it.each(kills)("brings every record up to date after $says between parallel updates", async ({ strike }) => {
  await world.program(pixels("G-1"));
  await world.up();
  await world.program(pixels("G-2"));
  await die(["up", "--yes", "--skip-preview", "--parallel=20"], "PUT", strike);
  await finishUp("G-2");
  await expectOneEach("G-2");
});

it.each(kills)("leaves nothing behind after $says between parallel deletes", async ({ strike }) => {
  await world.program(pixels("G-1"));
  await world.up();
  await die(["destroy", "--yes", "--skip-preview", "--parallel=20"], "DELETE", strike);
  await world.destroy();
  expect(await world.service.pixels()).toEqual([]);
  expect(await world.resources()).toEqual({});
});

/** Runs a command until it has sent so many requests, and lets it die; ends what it leaves running. */
async function die(
  args: string[],
  method: string,
  strike: (running: Running, providers: readonly number[]) => Promise<void> | void,
): Promise<void> {
  const match = { method, path: "/api/v1/pixels*", times: 0 };
  await world.service.addFault({ match, commit: "before", delay: 1500 });
  const since = await world.service.mark();
  const running = world.project.start(args);
  await world.service.waitFor({ method, count: STRUCK_AT, phase: "received", since, timeoutMs: 120_000 });
  const providers = providersOf(running.pid ?? 0);
  const started = descendants(running.pid ?? 0).map(({ pid }) => pid);
  await strike(running, providers);
  await running.finished;
  endAll(started);
  await world.service.clearFaults();
  // A killed engine leaves its lock.
  await world.project.pulumi(["cancel", "--yes"]);
}

/** Does what the messages say, and nothing else: run it again, and take over what exists already. */
async function finishUp(value: string): Promise<void> {
  const again = await world.project.start(["up", "--yes", "--skip-preview"]).finished;
  if (again.code === 0) return;
  const output = again.stdout + again.stderr;
  expect(output).toMatch(/exists already \(id \d+\).*adopt: true/);
  await world.program(pixels(value, true));
  await world.up();
}

async function expectOneEach(value: string): Promise<void> {
  const records = await world.service.pixels();
  expect(records.map(({ name }) => name).sort()).toEqual(names().sort());
  expect(new Set(records.map((record) => record.value))).toEqual(new Set([value]));
  expect(await idsInState()).toEqual(records.map(({ id }) => String(id)).sort());
  await world.expectNoChange();
}

async function idsInState(): Promise<string[]> {
  return Object.values(await world.resources())
    .map(({ id }) => id ?? "")
    .sort();
}

function names(): string[] {
  return Array.from({ length: COUNT }, (_, at) => `pixel-${at}`);
}

function pixels(value: string, adopt = false): string {
  return `for (const name of ${literal(names())})
  new tracking.Pixel(name, { name, type: "google-analytics", value: ${literal(value)}, adopt: ${adopt} });\n`;
}
