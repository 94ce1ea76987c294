import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { environmentFor } from "./fresh-project";
import { useHarness } from "./harness";
import { fakePulumi, importing, installed } from "./importing";

// The second signal, and what a real engine cannot be made to do, with a script as `pulumi`.
const world = useHarness();

/** The script's notes: that it runs, and each signal that it gets. */
function notes() {
  const file = join(world.project.root, "signals");
  onTestFinished(() => rm(file, { force: true }));
  const read = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  const until = (lines: string[]) => expect.poll(read, { interval: 20, timeout: 600_000 }).toEqual(lines);
  return { file, until };
}

/** Waits for signals in a loop, because a shell handles none while another program runs. */
const WAIT = "while :; do sleep 0.02; done";
const settings = () => environmentFor(world.service.url);

/** An import that ends when the script is asked to, or not at all. */
const engine = (file: string, onTerm: string) => `case "$1 $2" in
version*) echo v3.258.0 ;;
config*) echo '{}' ;;
stack*) echo '{"deployment":{"resources":[]}}' ;;
import*) trap 'echo INT >> "${file}"' INT; trap 'echo TERM >> "${file}"; ${onTerm}' TERM; echo runs >> "${file}"; ${WAIT} ;;
esac`;

test.each([
  { says: "a second asks it to end at once", onTerm: "exit 255", more: [] },
  { says: "a third kills it", onTerm: ":", more: ["SIGHUP"] as const },
])("the first signal waits for the end of the engine's import; $says", async ({ onTerm, more }) => {
  world.service.insertWebsite({ domain: "a.example.com" });
  const { file, until } = notes();
  const env = { ...settings(), PATH: await fakePulumi(engine(file, onTerm)) };
  const running = importing(world, ["--apply"], { env });
  await until(["runs"]);
  running.stop("SIGHUP");
  await expect.poll(running.output, { timeout: 600_000 }).toContain("Waiting for the end of pulumi import;");
  running.stop("SIGINT");
  await until(["runs", "TERM"]);
  for (const signal of more) running.stop(signal);
  const { code, signal, stdout } = await running.finished;
  expect({ code, signal }).toEqual({ code: null, signal: "SIGHUP" });
  // If it left the stack locked, the command that continues says so, and names "pulumi cancel".
  expect(stdout.split("\n").at(-2)).toBe("Interrupted. To continue, run: npx pulumi-tracking import --apply");
});

test("an interrupted doctor waits for the engine, and says that it changed nothing", async () => {
  const { file, until } = notes();
  const script = `case "$1" in
version) echo v3.258.0 ;;
*) trap 'echo INT >> "${file}"; sleep 0.2; echo ended >> "${file}"; exit 255' INT; echo runs >> "${file}"; ${WAIT} ;;
esac`;
  const env = { ...settings(), PATH: await fakePulumi(script) };
  const running = installed(world, ["doctor"], { env });
  await until(["runs"]);
  running.stop("SIGTERM");
  const { code, signal, stdout, stderr } = await running.finished;
  expect({ code, signal, stdout }).toEqual({ code: null, signal: "SIGTERM", stdout: "" });
  expect(stderr).toBe('Interrupted; nothing was changed. Run "npx pulumi-tracking doctor" again.\n');
  await until(["runs", "INT", "ended"]);
});

test("a doctor that waits for a service ends at once", async () => {
  world.service.addFault({ match: { method: "GET" }, commit: "before", reply: "stall" });
  world.service.clearRequests();
  const script = `case "$1" in version) echo v3.258.0 ;; *) echo 'error: no stack selected' >&2; exit 255 ;; esac`;
  const running = installed(world, ["doctor"], { env: { ...settings(), PATH: await fakePulumi(script) } });
  await world.service.waitFor(({ method }) => method === "GET");
  running.stop("SIGINT");
  const { code, signal, stdout, stderr } = await running.finished;
  expect({ code, signal, stdout }).toEqual({ code: null, signal: "SIGINT", stdout: "" });
  expect(stderr).toMatch(/^Interrupted; nothing was changed/m);
});
