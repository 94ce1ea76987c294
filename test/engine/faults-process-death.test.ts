import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Fault } from "../service";
import { cases, literal, useHarness } from "./harness";
import { installed } from "./importing";
import { descendants, endAll, isRunning, providersOf } from "./processes";

const world = useHarness();
const UP = ["up", "--yes", "--skip-preview"];
const COUNT = 20;
/** When the command is killed, so many of its requests have been answered, and others are in flight. */
const ANSWERED = 5;
const SENT = 8;
/** Milliseconds: enough for a busy machine to kill it in time, and within the provider's time limit. */
const ANSWERS_AFTER = 6000;

type Running = ReturnType<typeof world.project.start>;

/** A command to kill: how to signal it, and what it prints. */
interface Victim {
  readonly running: Running;
  /** Its provider's processes. */
  readonly providers: readonly number[];
  /** Resolves when it has printed this. */
  says(text: string): Promise<void>;
}

/** The ways in which a command ends early. */
const deaths: {
  /** As a death between creates; `test/faults/stories.ts` lists them. */
  id: string;
  says: string;
  /** Set on what is sent; by default, an answer that comes late. */
  fault?: Omit<Fault, "match">;
  strike(victim: Victim): Promise<void> | void;
}[] = [
  { id: "B1", says: "one interrupt", strike: ({ running }) => running.stop("SIGINT") },
  { id: "B2", says: "two interrupts", strike: (victim) => twice(victim, "SIGINT") },
  {
    // They send it 7.5 s after the interrupt, when the service may not have answered yet.
    id: "B3",
    says: "an interrupt and then a SIGTERM, as CI services send it,",
    fault: { commit: "before", reply: "stall" },
    strike: (victim) => twice(victim, "SIGTERM"),
  },
  {
    id: "B4",
    says: "a killed engine",
    strike: async ({ running, providers }) => {
      running.stop("SIGKILL");
      // Its provider ends too, and sends nothing more.
      await vi.waitFor(() => expect(providers.filter(isRunning)).toEqual([]), { timeout: ANSWERS_AFTER / 2 });
    },
  },
  { id: "B5", says: "a killed provider", strike: ({ providers }) => endAll(providers) },
];
const [ofEngine, ofProvider] = [deaths.slice(3, 4), deaths.slice(4)];

/** The engine takes a second signal only after it has reported the first. */
async function twice({ running, says }: Victim, second: NodeJS.Signals): Promise<void> {
  running.stop("SIGINT");
  await Promise.race([says("terminate immediately"), running.finished]);
  running.stop(second);
}

it.each(cases(deaths.filter((_, at) => at % 2 === 0)))(
  "ends with one record a resource after %s between parallel creates, as adopt takes over what is there",
  async (_says, death) => {
    await world.program(pixels("G-1"));
    await killDuring([...UP, "--parallel=20"], "POST", death);
    await finishUp("G-1");
    await expectOneEach("G-1");
  },
);

it.each(cases(deaths.filter((_, at) => at % 2 === 1)))(
  "ends with one protected website a resource after %s between parallel creates, as the command of the message imports it",
  async (_says, death) => {
    await world.program(`for (const name of ${literal(names())})
  new tracking.Website(name, { domain: name + ".example.com" });\n`);
    await killDuring([...UP, "--parallel=20"], "POST", death, "websites");
    const again = await world.fail(UP);
    const [, command = ""] =
      /exists already \(id \d+\)\. .*run "npx pulumi-tracking (.+?)"/.exec(again.output) ?? [];
    const imported = await installed(world, command.split(" ")).finished;
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    const up = await world.up();
    expect(up.output).not.toContain("deleted");
    const stored = world.service.websites();
    expect(stored.map(({ domain }) => domain).sort()).toEqual(
      names()
        .map((name) => `${name}.example.com`)
        .sort(),
    );
    expect(await idsInState()).toEqual(stored.map(({ id }) => String(id)).sort());
    expect(
      (await world.state()).filter(({ type }) => type.endsWith("Website")).map(({ protect }) => protect),
    ).toEqual(Array(COUNT).fill(true));
    await world.expectNoChange();
  },
);

it("completes an up that wrote no checkpoints and was killed, by the commands of the page on limits", async () => {
  const limits = await readFile("docs/limits.md", "utf8");
  const section = limits.slice(limits.indexOf("\n## A large stack\n"));
  const [, variables = "", commands = ""] =
    /```bash\nexport (PULUMI_.*?)\npulumi up\n```.*?```bash\n(.*?)\n```/s.exec(section) ?? [];
  const env = Object.fromEntries(variables.split(" ").map((each) => each.split("=")));
  expect(env).toHaveProperty("PULUMI_SKIP_CHECKPOINTS");
  await world.program(`for (const name of ${literal(names())})
  new tracking.Website(name, { domain: name + ".example.com" });\n`);
  const [death] = ofEngine;
  if (death === undefined) throw new Error("no way to kill the engine");
  await killDuring([...UP, "--parallel=20"], "POST", death, "websites", env);
  expect(await world.resources()).toEqual({});
  const [cancel, imports = "", ...rest] = commands.split("\n");
  expect([cancel, ...rest]).toEqual(["pulumi cancel", "pulumi up"]);
  const made = world.service
    .websites()
    .map(({ id }) => String(id))
    .sort();
  const imported = await installed(world, imports.split(" ").slice(2), { env }).finished;
  expect(imported, imported.stdout).toMatchObject({ code: 0, stderr: "" });
  expect(await idsInState()).toEqual(made);
  await world.up({ env });
  const stored = world.service.websites();
  expect(new Set(stored.map(({ domain }) => domain)).size).toBe(COUNT);
  expect(await idsInState()).toEqual(stored.map(({ id }) => String(id)).sort());
  await world.expectNoChange();
});

describe("a stack that has all its records", () => {
  let restore: () => Promise<void>;
  beforeAll(async () => {
    await world.begin();
    await world.program(pixels("G-1"));
    await world.up();
    restore = await world.keep();
  });

  it.each(cases(ofEngine))(
    "B6: has every record brought up to date after %s between parallel updates",
    async (_says, death) => {
      await restore();
      await world.program(pixels("G-2"));
      await killDuring([...UP, "--parallel=20"], "PUT", death);
      await finishUp("G-2");
      await expectOneEach("G-2");
    },
  );

  it.each(cases(ofProvider))(
    "B7: leaves nothing behind after %s between parallel deletes, once the message is followed",
    async (_says, death) => {
      await restore();
      await world.program(pixels("G-1"));
      await killDuring(["destroy", "--yes", "--skip-preview", "--parallel=20"], "DELETE", death);
      // All that is left in state is gone already, as it would be with the key of another account.
      const { stdout } = await world.fail(["destroy", "--yes", "--skip-preview"]);
      expect(stdout).toContain('"pulumi state delete --all --force"');
      await world.project.pulumi(["state", "delete", "--all", "--force", "--yes"]);
      expect(world.service.pixels()).toEqual([]);
      expect(await world.resources()).toEqual({});
    },
  );
});

/** Runs a command until so many requests have been sent and answered, then kills it and everything it leaves running. */
async function killDuring(
  args: string[],
  method: string,
  { fault = { commit: "before", delay: ANSWERS_AFTER }, strike }: (typeof deaths)[number],
  collection = "pixels",
  env?: Record<string, string>,
): Promise<void> {
  const match = { method, path: `/api/v1/${collection}*`, nth: ANSWERED + 1, times: 0 };
  world.service.addFault({ match, ...fault });
  world.service.clearRequests();
  const { show, says } = listener();
  const running = world.project.start(args, { show, ...(env && { env }) });
  await world.service.waitFor((sent) => sent.method === method, SENT);
  if (env === undefined) await settled();
  const providers = providersOf(running.pid ?? 0);
  const started = descendants(running.pid ?? 0).map(({ pid }) => pid);
  await strike({ running, providers, says });
  await running.finished;
  endAll(started);
  world.service.clearFaults();
  // A killed engine leaves its lock.
  await world.unlock();
}

/**
 * Waits until the engine has written what was answered and has nothing to write before the next answer: while it
 * writes a stack's file, that is not whole.
 */
async function settled(): Promise<void> {
  const waited = vi.waitFor(
    async () => {
      const { checkpoint } = JSON.parse(await readFile(world.stateFile, "utf8"));
      expect(checkpoint.latest.pending_operations).toHaveLength(COUNT - ANSWERED);
    },
    { timeout: ANSWERS_AFTER, interval: 20 },
  );
  // On a busy machine the late answers may have arrived before the engine had written: then it dies later.
  await waited.catch(() => {});
}

/** Collects what a command prints, and resolves when it has printed something. */
function listener(): { show(text: string): void; says: Victim["says"] } {
  let heard = "";
  let check = () => {};
  return {
    show: (text) => {
      heard += text;
      check();
    },
    says: (text) =>
      new Promise((resolve) => {
        check = () => heard.includes(text) && resolve();
        check();
      }),
  };
}

/** Does what the messages say, and nothing else: runs it again, and adopts what already exists. */
async function finishUp(value: string): Promise<void> {
  const again = await world.project.start(UP).finished;
  if (again.code === 0) return;
  const output = again.stdout + again.stderr;
  expect(output).toMatch(/exists already \(id \d+\).*adopt: true/);
  await world.program(pixels(value, true));
  await world.up();
}

async function expectOneEach(value: string): Promise<void> {
  const records = world.service.pixels();
  expect(records.map(({ name }) => name).sort()).toEqual(names().sort());
  expect(new Set(records.map((record) => record.value))).toEqual(new Set([value]));
  expect(await idsInState()).toEqual(records.map(({ id }) => String(id)).sort());
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
