import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { declare, useHarness } from "./harness";
import { fakePulumi, importing } from "./importing";
import { PASSPHRASE } from "./key-service";

const world = useHarness({ secrets: PASSPHRASE });

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "import-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function writes(): Promise<string[]> {
  return (await world.service.requests())
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
}

test.each([
  {
    says: "no project",
    args: ["--apply"],
    surroundings: async () => ({ cwd: await folder() }),
    line: "There is no Pulumi project in this folder. Run this in the folder that has Pulumi.yaml.",
  },
  {
    says: "no pulumi",
    args: ["--apply"],
    surroundings: async () => ({ env: { PATH: await folder(), HOME: await folder() } }),
    line: 'There is no "pulumi" command on PATH. Install it from https://www.pulumi.com/docs/install, or add it to PATH.',
  },
  {
    says: "a stack that is not there",
    args: ["--apply", "--stack", "nowhere"],
    surroundings: async () => ({}),
    line: `The stack does not exist: no stack named 'nowhere' found. Select one with "pulumi stack select", or name one with --stack.`,
  },
  {
    says: "no selected stack",
    args: ["--apply"],
    surroundings: async () => ({ env: { PULUMI_HOME: await folder() } }),
    line: 'No stack is selected. Select one with "pulumi stack select", or name one with --stack.',
  },
  {
    says: "a wrong passphrase",
    args: ["--apply"],
    surroundings: async () => ({ env: { PULUMI_CONFIG_PASSPHRASE: "wrong" } }),
    line: "The stack's secrets can't be decrypted: the passphrase is wrong. Correct PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE.",
  },
  {
    says: "no passphrase",
    args: ["--declared"],
    surroundings: async () => ({ env: { PULUMI_CONFIG_PASSPHRASE: undefined } }),
    line: "The stack's secrets can't be decrypted: no passphrase is set. Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE.",
  },
  {
    says: "no login",
    args: [],
    surroundings: async () => ({ env: { PULUMI_HOME: await folder(), PULUMI_BACKEND_URL: undefined } }),
    line: 'Pulumi is not logged in. Run "pulumi login", or "pulumi login --local" to store state on this machine. Without a stack, set TRACKING_API_KEY and the base URLs in the environment.',
  },
  {
    says: "a pulumi that is too old",
    args: ["--declared", "--apply"],
    surroundings: async () => ({ env: { PATH: await fakePulumi("echo v3.253.9") } }),
    line: "pulumi 3.253.9 can't import these resources: 3.254 or later is required. Update it, or give each resource adopt: true, and the next up adopts its record.",
  },
])("with $says the command says what to do, in one line", async ({ args, surroundings, line }) => {
  await world.service.insertWebsite({ domain: "a.example.com" });
  const { code, stdout, stderr } = await importing(world, args, await surroundings()).finished;
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: `error: ${line}\n` });
  expect(await writes()).toEqual([]);
});

test("a key for only one of the services imports that one's records", async () => {
  await world.program("");
  await world.service.insertWebsite({ domain: "a.example.com" });
  await world.service.insertPixel({ name: "GA" });
  await world.service.addKey("only-websites", ["analytics"]);
  await world.configureHere({ url: world.service.url, key: "only-websites" });
  const out = join(await folder(), "tracking.ts");
  const { code, stdout } = await importing(world, ["--apply", "--out", out]).finished;
  expect(stdout).toContain("The pixels can't be read: ");
  expect(stdout).toContain("Only the other records are imported.");
  expect(stdout).toContain("1 imported.");
  expect(stdout).not.toContain("only-websites");
  expect(code).toBe(0);
  expect(Object.keys(await world.resources())).toEqual(["a-example-com"]);
});

test("a program that fails by itself is reported with its cause, after the import", async () => {
  await world.service.insertWebsite({ domain: "a.example.com" });
  await world.program('throw new pulumi.RunError("the program is at odds");');
  const out = join(await folder(), "tracking.ts");
  const { code, stdout, stderr } = await importing(world, ["--apply", "--out", out]).finished;
  expect(stdout).toContain("1 imported.");
  expect(stdout).not.toContain("Add this line");
  expect(stderr).toContain("the program is at odds");
  expect(stderr.trimEnd()).not.toContain("\n");
  expect(code).toBe(1);
});

test("a record that vanishes meanwhile is named, and a refresh removes it from state", async () => {
  await world.program("");
  const { id } = await world.service.insertWebsite({ domain: "a.example.com" });
  await world.service.insertPixel({ name: "GA" });
  const out = join(await folder(), "tracking.ts");
  const since = await world.service.mark();
  const running = importing(world, ["--apply", "--out", out]);
  await world.service.waitFor({ method: "GET", path: "/api/v1/pixels", since, timeoutMs: 600_000 });
  await world.service.deleteWebsite(id);
  const { stdout } = await running.finished;
  expect(stdout).toContain(`website "a.example.com" (id ${id}) was deleted on the service meanwhile`);
  await world.refresh();
  expect(Object.keys(await world.resources())).toEqual(["ga"]);
});

test("a declared record with two matches is skipped, and one that differs is reported with both values", async () => {
  const one = await world.service.insertPixel({ name: "GA", type: "bing", value: "1" });
  const two = await world.service.insertPixel({ name: "GA", type: "bing", value: "2" });
  await world.service.insertWebsite({ domain: "a.example.com", privacy: 2, password: "old", email: 1 });
  await world.program(
    declare("Pixel", "ga", { name: "GA", type: "bing", value: "1" }) +
      declare("Website", "a", { domain: "a.example.com", privacy: "password", password: "fresh-secret" }),
  );
  const { code, stdout, stderr } = await importing(world, ["--declared", "--apply"]).finished;
  expect(stderr).toBe("");
  expect(stdout).toContain(`pixel "GA": 2 records match (id ${one.id}, id ${two.id}), so none is imported`);
  expect(stdout).toContain("emailReports from true to false");
  expect(stdout).toContain("password (its current value is unknown)");
  expect(stdout).not.toContain("fresh-secret");
  expect(code).toBe(0);
  expect(Object.keys(await world.resources())).toEqual(["a"]);
  expect(await writes()).toEqual([]);
});

test.each(["SIGINT", "SIGTERM"] as const)("the plan with opened secrets goes on %s", async (signal) => {
  const temporary = join(await folder(), "tmp");
  await mkdir(temporary);
  // The plan is the argument after --save-plan.
  const script = `case "$1" in
version) echo v3.258.0 ;;
config) echo '{}' ;;
*) while [ "$1" != --save-plan ]; do shift; done; echo opened > "$2"; echo ready > "${temporary}/../ready"; exec sleep 30 ;;
esac`;
  const env = { PATH: await fakePulumi(script), TMPDIR: temporary };
  const running = importing(world, ["--declared"], { env });
  await expect.poll(() => readdir(dirname(temporary)), { timeout: 600_000 }).toContain("ready");
  expect(await readdir(temporary)).toHaveLength(1);
  running.stop(signal);
  expect(await running.finished).toMatchObject({ code: null, signal });
  expect(await readdir(temporary)).toEqual([]);
});
