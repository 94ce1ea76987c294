import { readFile, writeFile } from "node:fs/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Finding, Report } from "../../cli/doctor/report";
import { declare, KEY, useHarness } from "./harness";
import { installed } from "./importing";
import { descendants, endAll } from "./processes";

const world = useHarness();
const SHOP = declare("Website", "shop", { domain: "shop.example.com" }, { protect: false });

/** Runs the installed command in the project's folder. */
const ran = (args: string[], env?: NodeJS.ProcessEnv) =>
  installed(world, args, { ...(env && { env }) }).finished;

/** The report with its errors and warnings in short. Checks that nothing was written, on the service or in the stack. */
async function doctor(args: string[] = [], env?: NodeJS.ProcessEnv) {
  const [state, since] = [await readFile(world.stateFile, "utf8"), await world.service.mark()];
  const { code, stdout, stderr } = await ran(["doctor", "--json", ...args], env);
  expect(stdout, stderr).toMatch(/^\{/);
  const report = JSON.parse(stdout) as Report;
  const sent = (await world.service.requests()).filter(({ index }) => index >= since);
  expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await readFile(world.stateFile, "utf8")).toBe(state);
  expect(stdout + stderr).not.toContain(KEY);
  const isBad = report.counts.error > 0 || (args.includes("--strict") && report.counts.warning > 0);
  expect(code, stdout).toBe(isBad ? 1 : 0);
  const trouble = report.findings.filter(({ severity }) => severity !== "info");
  return { report, trouble, short: trouble.map(({ severity, code: what }) => `${severity} ${what}`) };
}

/** A finding's text. */
function words({ message, remedy }: Finding): string {
  return `${message} | ${remedy}`;
}

/** `test/cli` tests settings, services and records with an invented stack; here, what needs the engine. */
describe("a stack of one website", () => {
  let restore: () => Promise<void>;
  beforeAll(async () => {
    await world.begin();
    await world.program(SHOP);
    await world.up();
    restore = await world.keep();
  });
  beforeEach(() => restore());

  it("has no problem, which is said without colors outside a terminal", async () => {
    const { code, stdout } = await ran(["doctor"]);
    expect(code).toBe(0);
    expect(stdout).toContain("checked stack dev");
    expect(stdout).toMatch(/\nno errors, no warnings\n$/);
    expect(stdout).not.toContain("\u001b[");
  });

  it("has one that was renamed in the program, without an alias", async () => {
    await world.program(declare("Website", "support", { domain: "shop.example.com" }));
    const { report, short, trouble } = await doctor();
    expect([report.stacks, short]).toEqual([["dev"], ["error renamed"]]);
    expect(trouble.map(words).join()).toMatch(
      /as "support", but .* as "shop" .*aliases: .*"shop".*adopt: true/,
    );
  });
});

describe("the cause is named if", () => {
  it("a run was killed in the middle of five creates: one remedy repairs all, also if it left a file empty", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await world.program(
      names.map((name) => declare("Pixel", name, { name, type: "bing", value: name })).join(""),
    );
    const match = { method: "POST", path: "/api/v1/pixels", times: 0 };
    await world.service.addFault({ match, reply: "stall", commit: "before" });
    const since = await world.service.mark();
    const engine = world.project.start(["up", "--yes", "--skip-preview"]);
    await world.service.waitFor({
      method: "POST",
      path: "/api/v1/pixels",
      since,
      count: 5,
      timeoutMs: 600_000,
    });
    const started = descendants(engine.pid ?? 0).map(({ pid }) => pid);
    engine.stop("SIGKILL");
    endAll(started);
    await engine.finished;
    await world.service.clearFaults();
    const { short, trouble } = await doctor();
    expect(short).toEqual(["error pending-operation"]);
    const text = trouble.map(words).join();
    for (const name of names) expect(text).toContain(`creating "${name}"`);
    for (const part of [
      "pulumi cancel",
      "pulumi refresh --clear-pending-creates",
      "npx pulumi-tracking import --declared --apply",
    ])
      expect(text.split(part)).toHaveLength(2);

    // An engine that is killed while it writes leaves this file empty, and reads no state any more.
    await writeFile(`${world.stateFile}.attrs`, "");
    expect((await doctor()).short).toEqual(["error stack-unreadable"]);
    await world.unlock();
    await world.refresh({ args: ["--clear-pending-creates"] });
    const done = await ran(["import", "--declared", "--apply"]);
    expect(done, done.stdout).toMatchObject({ code: 0, stderr: "" });
    expect(Object.keys(await world.resources()).sort()).toEqual(names);
    expect(await world.service.pixels()).toHaveLength(5);
    expect((await doctor(["--strict"])).short).toEqual([]);
  });
});
