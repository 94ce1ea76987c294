import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { declare, useHarness } from "./harness";
import { installed } from "./importing";
import { descendants, endAll, isRunning, providersOf } from "./processes";

const world = useHarness();
const UP = ["up", "--yes", "--skip-preview"];
const COUNT = 20;
/** So many of a command's requests are answered, and the others never: as many as are sent at a time to a service at first. */
const ANSWERED = COUNT - 4;

type Running = ReturnType<typeof world.project.start>;

/** A command to kill: how to signal it, and what it prints. */
interface Victim {
  readonly running: Running;
  /** Its provider's processes. */
  readonly providers: readonly number[];
  /** Resolves when it has printed this. */
  says(text: string): Promise<void>;
}

/** A way in which a command ends early. */
type Death = (victim: Victim) => Promise<void> | void;

const killedEngine: Death = async ({ running, providers }) => {
  running.stop("SIGKILL");
  // Its provider ends too, and sends nothing more.
  await vi.waitFor(() => expect(providers.filter(isRunning)).toEqual([]), { timeout: 60_000 });
};
const killedProvider: Death = ({ providers }) => endAll(providers);

/** The engine takes a second signal only after it has reported the first. */
const twice = (second: NodeJS.Signals): Death =>
  async function strike({ running, says }) {
    running.stop("SIGINT");
    await Promise.race([says("terminate immediately"), running.finished]);
    running.stop(second);
  };

it("B1: has in state after one interrupt exactly the records that the service has", async () => {
  const match = { method: "POST", path: "/api/v1/pixels", times: 0 };
  world.service.addFault({ match, commit: "before", delay: 2000 });
  await world.program(pixels());
  const running = world.project.start([...UP, "--parallel=20"]);
  // The engine also finishes the others that it has begun.
  await world.service.waitFor(({ method }) => method === "POST", 16);

  world.service.clearRequests();
  const interrupted = performance.now();
  running.stop("SIGINT");
  expect((await running.finished).code).not.toBe(0);
  const seconds = (performance.now() - interrupted) / 1000;
  const made = world.service.pixels().map(({ id }) => String(id));
  expect(made.length).toBeGreaterThanOrEqual(16);
  expect(await idsInState()).toEqual(made.sort());
  // Nothing is looked for: each create has its answer.
  expect(new Set(world.service.requests().map(({ method }) => method))).not.toContain("GET");
  // Only with nothing beside it.
  if (process.env.CASES === "1") expect(seconds).toBeLessThanOrEqual(5);

  world.service.clearFaults();
  await world.up();
  const records = world.service.pixels();
  expect(records.map(({ name }) => name).sort()).toEqual(names().sort());
  expect(await idsInState()).toEqual(records.map(({ id }) => String(id)).sort());
});

/** `test/faults/stories.ts` lists them. */
const deaths: [says: string, death: Death][] = [
  ["B2: two interrupts", twice("SIGINT")],
  // They send it 7.5 s after the interrupt, when the service may not have answered yet.
  ["B3: an interrupt and then a SIGTERM, as CI services send it,", twice("SIGTERM")],
  ["B5: a killed provider", killedProvider],
];

it.each(deaths)(
  "%s between parallel creates ends with one record a resource, as adopt takes over what is there",
  async (_says, death) => {
    await world.program(pixels());
    await killDuring(UP, "POST", "pixels", death);
    const again = await world.fail(UP);
    // Does what the message says, and nothing else.
    expect(again.output).toMatch(/exists already \(id \d+\)\n.*\n.*\n +Else see /);
    await world.program(pixels(true));
    await world.up();
    const records = world.service.pixels();
    expect(records.map(({ name }) => name).sort()).toEqual(names().sort());
    expect(await idsInState()).toEqual(records.map(({ id }) => String(id)).sort());
  },
);

it("B4, B6, B7: an engine killed between creates and between updates, and a provider between deletes, leave what the messages complete", async () => {
  await world.program(websites());
  await killDuring(UP, "POST", "websites", killedEngine);
  const doctor = await installed(world, ["doctor"]).finished;
  expect(doctor.code, doctor.stderr).toBe(1);
  expect(doctor.stdout).toContain("An interrupted run was creating ");
  const [, refresh = ""] = /in progress, run "pulumi (.+?)", as in "After a crash"/.exec(doctor.stdout) ?? [];
  await world.run([...refresh.split(" "), "--yes", "--skip-preview"]);
  const again = await world.fail(UP);
  const [, command = ""] =
    /exists already \(id \d+\)\n.*\n.*, run "npx pulumi-tracking (.+?)"/.exec(again.output) ?? [];
  const imported = await installed(world, command.split(" ")).finished;
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  const up = await world.up();
  expect(up.output).not.toContain("deleted");
  await expectOneEach({ privacy: 1 });
  expect(Object.values(await world.resources()).map(({ protect }) => protect)).toEqual(
    Array(COUNT).fill(true),
  );
  await world.expectNoChange();
  expect(await installed(world, ["doctor", "--strict"]).finished).toMatchObject({ code: 0 });

  await world.program(websites({ privacy: "public" }, { protect: false }));
  await killDuring(UP, "PUT", "websites", killedEngine);
  await world.up();
  await expectOneEach({ privacy: 0 });

  const destroy = ["destroy", "--yes", "--skip-preview"];
  await killDuring(destroy, "DELETE", "websites", killedProvider);
  // All that is left in state is gone already, as it would be with the key of another account.
  const { stdout } = await world.fail(destroy);
  expect(stdout).toContain('see "When all records are gone" in ');
  await world.project.pulumi(["state", "delete", "--all", "--force", "--yes"]);
  expect(world.service.websites()).toEqual([]);
  expect(await world.resources()).toEqual({});
});

it("completes an up that wrote no checkpoints and was killed, by the commands of the page on limits", async () => {
  const limits = await readFile("docs/limits.md", "utf8");
  const section = limits.slice(limits.indexOf("\n## A large stack\n"));
  const [, variables = "", commands = ""] =
    /```bash\nexport (PULUMI_.*?)\npulumi up\n```.*?```bash\n(.*?)\n```/s.exec(section) ?? [];
  const env = Object.fromEntries(variables.split(" ").map((each) => each.split("=")));
  expect(env).toHaveProperty("PULUMI_SKIP_CHECKPOINTS");
  await world.program(websites());
  await killDuring(UP, "POST", "websites", killedEngine, env);
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
  await expectOneEach({ privacy: 1 });
  await world.expectNoChange();
});

/** What the engine calls what it has asked for and has no answer to, by its request. */
const PENDING = { POST: "creating", PUT: "updating", DELETE: "deleting" };

/** Runs a command until so many requests have been sent and answered, then kills it and everything it leaves running. */
async function killDuring(
  args: string[],
  method: keyof typeof PENDING,
  collection: string,
  death: Death,
  env?: Record<string, string>,
): Promise<void> {
  const match = { method, path: `/api/v1/${collection}*`, nth: ANSWERED + 1, times: 0 };
  world.service.addFault({ match, commit: "before", reply: "stall" });
  world.service.clearRequests();
  const { show, says } = listener();
  // On a busy machine, no request is to be given up before the engine has written of the others.
  const patient = { TRACKING_REQUEST_TIMEOUT: "120", ...env };
  const running = world.project.start([...args, "--parallel=20"], { show, env: patient });
  await world.service.waitFor((sent) => sent.method === method, COUNT);
  if (env === undefined) await settled(PENDING[method]);
  const providers = providersOf(running.pid ?? 0);
  const started = descendants(running.pid ?? 0).map(({ pid }) => pid);
  await death({ running, providers, says });
  await running.finished;
  endAll(started);
  world.service.clearFaults();
  // A killed engine leaves its lock.
  await world.unlock();
}

/** Waits until the engine has written what was answered: while it writes a stack's file, that is not whole. */
async function settled(operation: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { checkpoint } = JSON.parse(await readFile(world.stateFile, "utf8"));
      const pending = (checkpoint.latest.pending_operations ?? []).filter(
        (each: { type: string }) => each.type === operation,
      );
      expect(pending).toHaveLength(COUNT - ANSWERED);
    },
    { timeout: 60_000, interval: 20 },
  );
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

/** The service has one website of each name, with these columns, and state has their ids. */
async function expectOneEach(columns: object): Promise<void> {
  const records = world.service.websites();
  const wanted = names().map((name) =>
    expect.objectContaining({ domain: `${name}.example.com`, ...columns }),
  );
  expect(records).toHaveLength(COUNT);
  expect(records).toEqual(expect.arrayContaining(wanted));
  expect(await idsInState()).toEqual(records.map(({ id }) => String(id)).sort());
}

async function idsInState(): Promise<string[]> {
  return Object.values(await world.resources())
    .map(({ id }) => id ?? "")
    .sort();
}

function names(): string[] {
  return Array.from({ length: COUNT }, (_, at) => `shop-${at}`);
}

function pixels(adopt = false): string {
  return names()
    .map((name) => declare("Pixel", name, { name, type: "google-analytics", value: "G-1", adopt }))
    .join("");
}

function websites(args: object = {}, opts: object = {}): string {
  return names()
    .map((name) => declare("Website", name, { domain: `${name}.example.com`, ...args }, opts))
    .join("");
}
