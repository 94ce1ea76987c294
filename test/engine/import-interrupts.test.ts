import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Running } from "../../tools/child.mjs";
import { declare, KEY, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();
const PASSWORD = "password-of-this-world";
/** So many that a busy machine sees the first one imported before the last one is. */
const [WEBSITES, PIXELS] = [94, 6];
const TOTAL = WEBSITES + PIXELS;

/** What happens during an import: the stack's lock, and an imported record. */
type Event = "lock" | "record";

const locks = () => join(world.project.backend, ".pulumi", "locks", "organization", "fresh", "dev");

/**
 * A folder with the npm package `pulumi`, in short: it starts the engine, and hands no signal on. On a busy machine, the engine
 * gives way to the test, which is to see an import before it ends.
 */
function wrapperFolder(): string {
  const bin = join(world.project.root, "bin");
  mkdirSync(bin, { recursive: true });
  const text = `#!${process.execPath}
const [own, ...others] = process.env.PATH.split(":");
const options = { stdio: "inherit", env: { ...process.env, PATH: others.join(":") } };
require("child_process")
  .spawn("nice", ["-n", "19", "pulumi", ...process.argv.slice(2)], options)
  .on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
`;
  writeFileSync(join(bin, "pulumi"), text, { mode: 0o755 });
  return bin;
}

/** Everything in files at and below a path. What goes while it is read, such as Pulumi's folder of pipes, is left out alone. */
function textsBelow(path: string): string {
  try {
    const entry = statSync(path);
    if (entry.isFile()) return readFileSync(path, "utf8");
    const names = entry.isDirectory() ? readdirSync(path) : [];
    return names.map((name) => textsBelow(join(path, name))).join("\n");
  } catch {
    return "";
  }
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

/**
 * Runs `import --apply`, sends it and its group the first signal at an event, and the second when it says that it waits. Returns
 * how it ended, when all that it has started has ended too. No file holds a secret meanwhile.
 */
async function interrupted(event: Event, first: NodeJS.Signals, second?: NodeJS.Signals) {
  const temporary = join(world.project.root, `tmp-${event}`);
  for (const folder of [locks(), temporary]) mkdirSync(folder, { recursive: true });
  const before = processesHere();
  let running: Running | undefined;
  let came = false;
  const happens = (what: Event) => {
    if (what !== event || came || running === undefined) return;
    came = true;
    running.stop(first);
  };
  const watcher = watch(locks(), () => happens("lock"));
  const show = (text: string) => {
    if (/^Waiting /m.test(text)) running?.stop(second);
  };
  const env = { TMPDIR: temporary, PATH: `${wrapperFolder()}:${world.project.env.PATH}` };
  running = importing(world, ["--apply"], { group: true, env, show });
  const ended = running.finished.then(() => true);
  const secrets = new Set<string>();
  while (!(await Promise.race([setTimeout(3, false), ended]))) {
    const texts = textsBelow(temporary);
    // What the engine prints.
    if (texts.includes(" imported (")) happens("record");
    for (const secret of [KEY, PASSWORD]) if (texts.includes(secret)) secrets.add(secret);
  }
  watcher.close();
  expect(came, running.output()).toBe(true);
  expect([...secrets]).toEqual([]);
  const { code, signal, stdout, stderr } = await running.finished;
  expect([code, signal, stderr], running.output()).toEqual([null, first, ""]);
  // The engine has ended before it, unless that was killed.
  if (first !== "SIGKILL") expect(await readdir(locks())).toEqual([]);
  await expect
    .poll(() => processesHere().filter((pid) => !before.includes(pid)), { timeout: 600_000 })
    .toEqual([]);
  expect(await readdir(locks())).toEqual([]);
  return { stdout, left: textsBelow(temporary), held: Object.values(await world.resources()) };
}

/** In `test/cli/pulumi/signals.test.ts` are the signals that come at other times, and how often; here, what the engine and a killed process leave. */
test("an import that is killed, or interrupted twice, leaves nothing locked or half done, and no secret, and the same command goes on", async () => {
  const domains = Array.from({ length: WEBSITES }, (_, at) => `site-${at}.example.com`);
  const pixels = Array.from({ length: PIXELS }, (_, at) => {
    return { name: `Pixel ${at}`, type: "bing" as const, value: `B-${at}` };
  });
  const locked = { privacy: "password", password: PASSWORD };
  await world.program(
    [
      ...domains.map((domain, at) => declare("Website", `site-${at}`, { domain, ...(at === 0 && locked) })),
      ...pixels.map((args, at) => declare("Pixel", `pixel-${at}`, args)),
    ].join(""),
  );
  const plain = { privacy: 1, email: 0, exclude_bots: 1 };
  world.service.seed({
    websites: domains.map((domain, at) => ({
      domain,
      ...plain,
      ...(at === 0 && { privacy: 2, password: PASSWORD }),
    })),
    pixels,
  });
  world.service.clearRequests();

  const { stdout } = await interrupted("record", "SIGHUP", "SIGINT");
  expect(stdout).toMatch(/Interrupted\. To continue, run: npx pulumi-tracking import --apply\n$/);

  // The same command imports the rest. It is killed, and the engine goes on by itself, to the end.
  const { held: whole, left } = await interrupted("lock", "SIGKILL");
  expect(left).toMatch(/site-\d+\.example\.com/);
  expect(left).not.toMatch(new RegExp(`${KEY}|${PASSWORD}`));
  expect(whole.map(({ protect }) => protect)).toEqual(Array(TOTAL).fill(true));
  expect(new Set(whole.map(({ type, id }) => `${type} ${id}`)).size).toBe(TOTAL);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
});
