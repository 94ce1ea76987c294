import { readFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Finding, Report } from "../../cli/doctor/finding";
import { declare, KEY, useHarness } from "./harness";
import { fakePulumi, installed } from "./importing";
import { PASSPHRASE } from "./key-service";
import { descendants, endAll } from "./processes";

const world = useHarness({ secrets: PASSPHRASE });
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
  expect(code, stdout).toBe(report.counts.error > 0 ? 1 : 0);
  const trouble = report.findings.filter(({ severity }) => severity !== "info");
  return { report, trouble, short: trouble.map(({ severity, code: what }) => `${severity} ${what}`) };
}

/** A finding's text. */
function words({ message, remedy }: Finding): string {
  return `${message} | ${remedy}`;
}

/** Another stack for the current test, after an `up` of a program. */
async function anotherStack(name: string, program: string): Promise<void> {
  await world.project.pulumi(["stack", "init", name, "--no-select"]);
  onTestFinished(async () => {
    await world.project.pulumi(["stack", "rm", name, "--yes", "--force"]);
    // After a stack is removed, none is selected.
    await world.project.pulumi(["stack", "select", "dev"]);
  });
  const { url } = world.service;
  const settings = [`tracking:analyticsBaseUrl=${url}`, `tracking:dataBaseUrl=${url}`];
  const plain = settings.flatMap((each) => ["--plaintext", each]);
  await world.project.pulumi([
    "config",
    "set-all",
    "--stack",
    name,
    "--secret",
    `tracking:apiKey=${KEY}`,
    ...plain,
  ]);
  await world.program(program);
  await world.up({ args: ["--stack", name] });
}

describe("a set-up without a problem", () => {
  it("is reported as such, as text too, without colours outside a terminal", async () => {
    await world.program(SHOP);
    await world.up();
    const { report, short } = await doctor();
    expect([report.stacks, short]).toEqual([["dev"], []]);
    const { code, stdout } = await ran(["doctor"], { FORCE_COLOR: "1" });
    expect(code).toBe(0);
    expect(stdout).toContain("checked stack dev");
    expect(stdout).toMatch(/\nno errors, no warnings\n$/);
    expect(stdout).not.toContain("\u001b[");
  });
});

/** `test/cli` tests settings, services and records with an invented stack; here, what needs the engine. */
describe("the cause is named where", () => {
  it("the key is wrong, even if the environment has the right one", async () => {
    await world.configureHere({ url: world.service.url, key: "revoked-canary-key" });
    const { short, trouble } = await doctor([], { TRACKING_API_KEY: KEY });
    expect(short).toEqual(["error key-rejected", "error key-rejected"]);
    expect(trouble.map(words).join()).toContain("Check tracking:apiKey");
    expect(JSON.stringify(trouble)).not.toContain("revoked-canary-key");
  });

  it("two stacks hold one record", async () => {
    await world.program(SHOP);
    await world.up();
    const adopting = { domain: "shop.example.com", adopt: true };
    await anotherStack("second", declare("Website", "shop", adopting, { protect: false }));
    const { short, trouble } = await doctor(["--stacks", "dev,second"]);
    expect(short).toEqual(["error managed-twice"]);
    expect(trouble.map(words).join()).toContain('"shop" of stack dev and "shop" of stack second');
  });

  it("a run was killed in the middle of a create", async () => {
    await world.program(SHOP);
    await world.service.addFault({
      match: { method: "POST", path: "/api/v1/websites" },
      reply: "stall",
      commit: "before",
    });
    const since = await world.service.mark();
    const engine = world.project.start(["up", "--yes", "--skip-preview"]);
    await world.service.waitFor({ method: "POST", path: "/api/v1/websites", since, timeoutMs: 600_000 });
    const started = descendants(engine.pid ?? 0).map(({ pid }) => pid);
    engine.stop("SIGKILL");
    endAll(started);
    await engine.finished;
    await world.service.clearFaults();
    onTestFinished(() => world.unlock());
    const { short, trouble } = await doctor();
    expect(short).toEqual(["error pending-operation"]);
    for (const part of [
      '"shop.example.com"',
      "pulumi cancel",
      "pulumi refresh",
      "npx pulumi-tracking import --declared",
    ])
      expect(trouble.map(words).join()).toContain(part);
  });

  it("the pulumi command is too old", async () => {
    const real = world.project.env.PATH ?? "";
    const script = `[ "$1" = version ] && echo v3.200.0 && exit\nPATH='${real}' exec pulumi "$@"`;
    const { short, trouble } = await doctor([], { PATH: await fakePulumi(script) });
    expect(short).toEqual(["warning pulumi-version"]);
    expect(trouble.map(words).join()).toContain("needs 3.254.0 or newer");
  });

  it("there is no pulumi command: then only the environment counts", async () => {
    const env = {
      PATH: world.project.folder,
      HOME: world.project.folder,
      TRACKING_API_KEY: KEY,
      TRACKING_DATA_BASE_URL: world.service.url,
    };
    const { short, report } = await doctor([], env);
    expect(short).toEqual(["error pulumi-missing"]);
    expect(report.stacks).toEqual([]);
    expect(report.findings.find(({ code }) => code === "service-ok")?.service).toBe("data");
  });

  it("the passphrase of the stack's secrets is wrong", async () => {
    const { short, trouble } = await doctor([], { PULUMI_CONFIG_PASSPHRASE: "wrong" });
    expect(short).toEqual(["error stack-unreadable"]);
    expect(trouble.map(words).join()).toContain("PULUMI_CONFIG_PASSPHRASE");
  });
});

it("a wrong option is one line and status 2", async () => {
  const { code, stdout, stderr } = await ran(["doctor", "--all"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
});
