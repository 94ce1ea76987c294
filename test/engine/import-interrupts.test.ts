import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import type { Running } from "../../tools/child.mjs";
import { useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();
/** So many that a busy machine sees the first one imported before the last one is. */
const [WEBSITES, PIXELS] = [24, 6];
const TOTAL = WEBSITES + PIXELS;

/** What happens during an import: a request, the stack's lock, and an imported record. */
type Event = "request" | "lock" | "record";

const locks = () => join(world.project.backend, ".pulumi", "locks", "organization", "fresh", "dev");
const temporary = () => join(world.project.root, "tmp");

/** A folder with the npm package `pulumi`, in short: it starts the engine, and hands no signal on. */
function wrapperFolder(): string {
  const bin = join(world.project.root, "bin");
  mkdirSync(bin, { recursive: true });
  const text = `#!${process.execPath}
const [own, ...others] = process.env.PATH.split(":");
const options = { stdio: "inherit", env: { ...process.env, PATH: others.join(":") } };
require("child_process")
  .spawn("pulumi", process.argv.slice(2), options)
  .on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
`;
  writeFileSync(join(bin, "pulumi"), text, { mode: 0o755 });
  return bin;
}

/** Runs `import --apply`, and acts at the first of these events, and once more when it says that it waits. */
async function importUntil(
  event: Event,
  { group, isTwice }: { readonly group: boolean; readonly isTwice: boolean },
  act: (running: Running) => void,
): Promise<Running> {
  // What a killed import leaves there would be taken for a record of this one.
  rmSync(temporary(), { recursive: true, force: true });
  for (const folder of [locks(), temporary()]) mkdirSync(folder, { recursive: true });
  world.service.clearRequests();
  let running: Running | undefined;
  let came = false;
  const happens = (what: Event) => {
    if (what !== event || came || running === undefined) return;
    came = true;
    act(running);
  };
  const watcher = watch(locks(), () => happens("lock"));
  const show = (text: string) => {
    if (isTwice && /^Waiting /m.test(text) && running) act(running);
  };
  const env = { TMPDIR: temporary(), PATH: `${wrapperFolder()}:${world.project.env.PATH}` };
  running = importing(world, ["--apply"], { group, env, show });
  const ended = running.finished.then(() => true);
  while (!(await Promise.race([setTimeout(3, false), ended]))) {
    if (imported() > 0) happens("record");
    if (event === "request" && world.service.requests().length > 0) happens("request");
  }
  watcher.close();
  expect(came, running.output()).toBe(true);
  return running;
}

/** How many records the engine has imported, according to what it printed. */
function imported(): number {
  const texts = readdirSync(temporary()).map((name) => {
    try {
      return readFileSync(join(temporary(), name, "output"), "utf8");
    } catch {
      // Another folder, or it was removed meanwhile.
      return "";
    }
  });
  return texts.join("").split(" imported (").length - 1;
}

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

beforeEach(async () => {
  for (const name of await readdir(world.project.folder))
    if (name.startsWith("tracking")) rmSync(join(world.project.folder, name));
  await world.program('if (require("fs").existsSync("../tracking.js")) require("../tracking.js");\n');
  world.service.seed({
    websites: Array.from({ length: WEBSITES }, (_, at) => ({
      domain: `site-${at}.example.com`,
      privacy: 1,
      email: 0,
      exclude_bots: 1,
    })),
    pixels: Array.from({ length: PIXELS }, (_, at) => ({ name: `Pixel ${at}`, type: "bing" })),
  });
  world.service.clearRequests();
});

/** Which signal, to its group or to its process alone, at the first of which event, and whether again. */
test.each<[says: string, kills: [NodeJS.Signals, "group" | "process", Event, "twice"?][]]>([
  [
    "a SIGHUP, and once it has gone on two SIGINTs, to all of it",
    [
      ["SIGHUP", "group", "request"],
      ["SIGINT", "group", "record", "twice"],
    ],
  ],
  ["a SIGTERM to it alone", [["SIGTERM", "process", "record"]]],
  ["a SIGKILL to all of it", [["SIGKILL", "group", "lock"]]],
  ["a SIGKILL to it alone", [["SIGKILL", "process", "record"]]],
])("%s leaves nothing locked or half done, and the same command goes on", async (_says, kills) => {
  const files = async () =>
    (await readdir(world.project.folder)).filter((name) => name.startsWith("tracking")).sort();
  for (const [signal, to, event, twice] of kills) {
    // The program has the file already: only then is there something to import.
    if (event !== "request") expect(await importing(world, []).finished).toMatchObject({ code: 0 });
    const before = processesHere();
    const how = { group: to === "group", isTwice: twice !== undefined };
    const running = await importUntil(event, how, (each) => each.stop(signal));
    const { code, signal: ended, stdout, stderr } = await running.finished;
    expect([code, ended, stderr], running.output()).toEqual([null, signal, ""]);
    if (signal !== "SIGKILL") {
      expect(stdout).toMatch(/Interrupted\. To continue, run: npx pulumi-tracking import --apply\n$/);
      // The engine has ended before it.
      expect(await readdir(locks())).toEqual([]);
    }
    await expect
      .poll(() => processesHere().filter((pid) => !before.includes(pid)), { timeout: 600_000 })
      .toEqual([]);
    expect(await readdir(locks())).toEqual([]);
    const held = Object.values(await world.resources());
    // What has been imported when it is ended in order, the program declares.
    if (twice === undefined) expect([0, TOTAL]).toContain(held.length);
    expect(await files()).toEqual(event === "request" ? [] : ["tracking.js"]);
  }

  const rest = await importing(world, ["--apply"]).finished;
  expect(rest, rest.stdout).toMatchObject({ code: 0, stderr: "" });
  expect(rest.stdout).toContain("A preview shows no changes.\n");
  const whole = Object.values(await world.resources());
  expect(whole.map(({ protect }) => protect)).toEqual(Array(TOTAL).fill(true));
  expect(new Set(whole.map(({ type, id }) => `${type} ${id}`)).size).toBe(TOTAL);
  // What the killed command wrote stays, and the program has it.
  expect(await files()).toEqual(["tracking.js"]);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
});
