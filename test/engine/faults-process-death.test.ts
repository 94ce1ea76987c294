import { readFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import type { Fault, LogEntry } from "../service";
import { declare, nameOf, useHarness } from "./harness";
import { installed } from "./importing";
import { descendants, endAll, isRunning, providersOf } from "./processes";

const world = useHarness();
const UP = ["up", "--yes", "--skip-preview"];
const COUNT = 20;
/** So many of a command's requests are never answered: as many as are sent at a time to a service at first. */
const UNANSWERED = 4;

/** What the engine calls what it has asked for and has no answer to, by its request. */
const PENDING = { POST: "creating", PUT: "updating", DELETE: "deleting" };

/** Requests of one kind, of which a command sends 20: one for each resource of a group. */
interface Kind {
  readonly match: Fault["match"] & { readonly method: keyof typeof PENDING; readonly path: string };
  readonly group: string;
}

/** The creates of a group of pixels, which have its name as their value. */
const postsOf = (group: string): Kind => ({
  match: { method: "POST", path: "/api/v1/pixels", field: { value: group } },
  group,
});
const WEBSITES = "shop";
const POST_WEBSITES: Kind = { match: { method: "POST", path: "/api/v1/websites" }, group: WEBSITES };
const PUT_WEBSITES: Kind = { match: { method: "PUT", path: "/api/v1/websites/*" }, group: WEBSITES };
const DELETE_WEBSITES: Kind = { match: { method: "DELETE", path: "/api/v1/websites/*" }, group: WEBSITES };

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

/** `test/faults/stories.ts` lists them. Each has 20 pixels of its own: what an earlier one leaves stays as it is until the end. */
const deaths: [id: string, death: Death][] = [
  ["B2", twice("SIGINT")],
  // CI services send it 7.5 s after the interrupt, when the service may not have answered yet.
  ["B3", twice("SIGTERM")],
  ["B5", killedProvider],
];

it("B1, B2, B3, B5: an up that is ended between parallel creates, by one interrupt, by two, by one and a SIGTERM, and by its killed provider, leaves one record a resource, and adopt takes over what state has not", async () => {
  // B1: one interrupt leaves in state exactly the records that the service has.
  world.service.addFault({ match: { ...postsOf("B1").match, times: 0 }, commit: "before", delay: 500 });
  await world.program(pixels("B1"));
  const running = world.project.start([...UP, "--parallel=20"]);
  // The engine also finishes the others that it has begun.
  await world.waitFor(running, ({ method }) => method === "POST", 16);
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
  if (process.env.CASES === "1") expect(seconds).toBeLessThanOrEqual(2);
  world.service.clearFaults();

  // The others leave records that are not in state.
  let program = pixels("B1");
  for (const [id, death] of deaths) {
    program += pixels(id);
    await world.program(program);
    await killDuring([...UP, "--continue-on-error"], [postsOf(id)], death);
    await world.removeLock();
  }
  const again = await world.fail([...UP, "--continue-on-error"]);
  expect(again.written).toEqual([]);
  // What the message says is done below, and nothing else.
  expect(again.output).toMatch(/exists already \(id \d+\)\n.*\n.*\n +Else see /);
  for (const [id] of deaths) {
    const refused = again.output.match(new RegExp(`"${id}-\\d+" exists already`, "g"));
    expect(new Set(refused).size, id).toBe(UNANSWERED);
  }
  const all = ["B1", ...deaths.map(([id]) => id)];
  await world.program(all.map((id) => pixels(id, { adopt: id !== "B1" })).join(""));
  await world.up();
  const records = world.service.pixels();
  expect(records.map(({ name }) => name).sort()).toEqual(all.flatMap(names).sort());
  expect(await idsInState()).toEqual(records.map(({ id }) => String(id)).sort());
});

it("B4, B6, B7: an up that wrote no checkpoints and was killed, an engine killed between creates and updates, and a provider between deletes, leave what the page on limits and the messages complete", async () => {
  const limits = await readFile("docs/limits.md", "utf8");
  const section = limits.slice(limits.indexOf("\n## A large stack\n"));
  const [, variables = "", commands = ""] =
    /```bash\nexport (PULUMI_.*?)\npulumi up\n```.*?```bash\n(.*?)\n```/s.exec(section) ?? [];
  const env = Object.fromEntries(variables.split(" ").map((each) => each.split("=")));
  expect(env).toHaveProperty("PULUMI_SKIP_CHECKPOINTS");
  await world.program(websites());
  await killDuring(UP, [POST_WEBSITES], killedEngine, env);
  expect(await world.resources()).toEqual({});
  const [cancel, imports = "", ...rest] = commands.split("\n");
  expect([cancel, ...rest]).toEqual(["pulumi cancel", "pulumi up"]);
  await world.unlock();
  const imported = await installed(world, imports.split(" ").slice(2), { env }).finished;
  expect(imported, imported.stdout).toMatchObject({ code: 0, stderr: "" });
  await expectOneEach({ email: 0 });
  const held = Object.values(await world.resources());
  expect(held.map(({ protect }) => protect)).toEqual(Array(COUNT).fill(true));

  // The last command of the page is this one.
  await world.program(websites({ emailReports: true }) + pixels("made", { adopt: true }));
  await killDuring(UP, [PUT_WEBSITES, postsOf("made")], killedEngine);
  await world.removeLock();
  // B6: the next up changes what is not known to be changed. B4: it adopts what is not known to be made.
  const again = await world.up();
  expect(again.written.map(({ method }) => method)).toEqual(["PUT", "PUT"]);
  const doctor = await installed(world, ["doctor"]).finished;
  expect(doctor.code, doctor.stderr).toBe(1);
  expect(doctor.stdout).toContain("An interrupted run was creating ");
  const [, refresh = ""] = /in progress, run "pulumi (.+?)", as in "After a crash"/.exec(doctor.stdout) ?? [];
  await world.run([...refresh.split(" "), "--yes", "--skip-preview"]);
  await expectOneEach({ email: 1 });
  const records = world.service.pixels();
  expect(records.map(({ name }) => name).sort()).toEqual(names("made").sort());
  expect(await idsInState("Pixel")).toEqual(records.map(({ id }) => String(id)).sort());
  expect(await installed(world, ["doctor", "--strict"]).finished).toMatchObject({ code: 0 });

  // B7: all that is left in state is gone already, as it would be with the key of another account.
  await world.unprotect();
  const destroy = ["destroy", "--yes", "--skip-preview"];
  await killDuring(destroy, [DELETE_WEBSITES], killedProvider);
  const { stdout } = await world.fail(destroy);
  expect(stdout).toContain('see "When all records are gone" in ');
  expect([world.service.websites(), world.service.pixels()]).toEqual([[], []]);
});

/**
 * Runs a command until it has sent all its requests of each kind, and all but some have been answered, then kills it and everything
 * it leaves running.
 */
async function killDuring(
  args: string[],
  kinds: readonly Kind[],
  death: Death,
  env?: Record<string, string>,
): Promise<void> {
  const unanswered = UNANSWERED / kinds.length;
  for (const kind of kinds) {
    const match = { ...kind.match, nth: COUNT - unanswered + 1, times: 0 };
    world.service.addFault({ match, commit: "before", reply: "stall" });
  }
  world.service.clearRequests();
  const { show, says } = listener();
  // On a busy machine, no request is to be given up before the engine has written of the others.
  const patient = { TRACKING_REQUEST_TIMEOUT: "120", ...env };
  const running = world.project.start([...args, "--parallel=20"], { show, env: patient });
  for (const { match } of kinds) await world.waitFor(running, (sent) => isOf(match, sent), COUNT);
  if (env === undefined) for (const kind of kinds) await settled(kind, unanswered);
  const providers = providersOf(running.pid ?? 0);
  const started = descendants(running.pid ?? 0).map(({ pid }) => pid);
  await death({ running, providers, says });
  await running.finished;
  endAll(started);
  world.service.clearFaults();
}

const isOf = ({ method, path, field }: Kind["match"], sent: LogEntry) =>
  sent.method === method &&
  sent.path.startsWith(path.replace("*", "")) &&
  (field === undefined || sent.form.value === field.value);

/** Waits until the engine has written what was answered: while it writes a stack's file, that is not whole. */
async function settled({ match, group }: Kind, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { checkpoint } = JSON.parse(await readFile(world.stateFile, "utf8"));
      const all: { type: string; resource: { urn: string } }[] = checkpoint.latest.pending_operations ?? [];
      const pending = all.filter(
        ({ type, resource }) =>
          type === PENDING[match.method] && nameOf(resource.urn).startsWith(`${group}-`),
      );
      expect(pending).toHaveLength(count);
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

/** The service has one private website of each name, with these columns, and state has their ids. */
async function expectOneEach(columns: object): Promise<void> {
  const records = world.service.websites();
  const wanted = names(WEBSITES).map((name) =>
    expect.objectContaining({ domain: `${name}.example.com`, privacy: 1, ...columns }),
  );
  expect(records).toHaveLength(COUNT);
  expect(records).toEqual(expect.arrayContaining(wanted));
  expect(await idsInState("Website")).toEqual(records.map(({ id }) => String(id)).sort());
}

async function idsInState(kind = ""): Promise<string[]> {
  return Object.values(await world.resources())
    .filter(({ type }) => type.endsWith(kind))
    .map(({ id }) => id ?? "")
    .sort();
}

function names(group: string): string[] {
  return Array.from({ length: COUNT }, (_, at) => `${group}-${at}`);
}

/** Pixels of a group, whose value is its name. */
function pixels(group: string, args: object = {}): string {
  return names(group)
    .map((name) => declare("Pixel", name, { name, type: "google-analytics", value: group, ...args }))
    .join("");
}

function websites(args: object = {}): string {
  return names(WEBSITES)
    .map((name) => declare("Website", name, { domain: `${name}.example.com`, ...args }))
    .join("");
}
