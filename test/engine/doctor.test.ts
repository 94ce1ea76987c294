import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Finding, Report } from "../../cli/doctor/report";
import { declare, KEY, useHarness } from "./harness";
import { installed } from "./importing";
import { descendants, endAll } from "./processes";

const world = useHarness();

/** Runs the installed command in the project's folder. */
const ran = (args: string[]) => installed(world, args).finished;

/** The report's errors and warnings. Checks that nothing was written, on the service or in the stack. */
async function doctor(...args: string[]): Promise<Finding[]> {
  const state = await readFile(world.stateFile, "utf8");
  world.service.clearRequests();
  const { code, stdout, stderr } = await ran(["doctor", "--json", ...args]);
  expect(stdout, stderr).toMatch(/^\{/);
  const { counts, findings } = JSON.parse(stdout) as Report;
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await readFile(world.stateFile, "utf8")).toBe(state);
  expect(stdout + stderr).not.toContain(KEY);
  expect(code, stdout).toBe(counts.error > 0 ? 1 : 0);
  return findings.filter(({ severity }) => severity !== "info");
}
const codes = (found: readonly Finding[]) => found.map(({ code }) => code);

/** `test/cli` tests what is found with an invented stack; here, what needs the engine. */
it("a run that was killed in the middle of five creates is named: one remedy repairs all, even if it left a file empty", async () => {
  const names = ["a", "b", "c", "d", "e"];
  await world.program(
    names.map((name) => declare("Pixel", name, { name, type: "bing", value: name })).join(""),
  );
  const match = { method: "POST", path: "/api/v1/pixels", times: 0 };
  world.service.addFault({ match, reply: "stall", commit: "before" });
  world.service.clearRequests();
  const engine = world.project.start(["up", "--yes", "--skip-preview"]);
  await world.service.waitFor(({ method }) => method === "POST", 5);
  const started = descendants(engine.pid ?? 0).map(({ pid }) => pid);
  engine.stop("SIGKILL");
  endAll(started);
  await engine.finished;
  world.service.clearFaults();
  const found = await doctor();
  expect(codes(found)).toEqual(["pending-operation"]);
  const text = found.map(({ message, remedy }) => `${message} | ${remedy}`).join();
  for (const name of names) expect(text).toContain(`creating "${name}"`);
  for (const part of [
    "pulumi cancel",
    "pulumi refresh --clear-pending-creates",
    "npx pulumi-tracking import --declared --apply",
  ])
    expect(text.split(part)).toHaveLength(2);

  // An engine that is killed while it writes leaves this file empty, and reads no state any more.
  await writeFile(`${world.stateFile}.attrs`, "");
  expect(codes(await doctor())).toEqual(["stack-unreadable"]);
  await world.unlock();
  await world.refresh({ args: ["--clear-pending-creates"] });
  const done = await ran(["import", "--declared", "--apply"]);
  expect(done, done.stdout).toMatchObject({ code: 0, stderr: "" });
  expect(Object.keys(await world.resources()).sort()).toEqual(names);
  expect(world.service.pixels()).toHaveLength(5);
  expect(await doctor("--strict")).toEqual([]);
});
