import { readFileSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { run, start } from "../../../tools/child.mjs";
import { ensureEngine } from "../../../tools/engine/setup.mjs";
import { ROOT } from "../../../tools/root.mjs";
import { scratch } from "../../install/clone";
import { service } from "../../service";
import { serveRelease } from "../release";
import { missingHost } from "./hosts";

const EXAMPLE = join(ROOT, "examples", "python");
const { jobs } = parse(readFileSync(join(EXAMPLE, ".github", "workflows", "tracking.yml"), "utf8"));

it("the workflow of the example in Python comments on a change without the key, applies it, and fails on drift", async ({
  skip,
}) => {
  const engine = await ensureEngine({ log: () => {} });
  const missing = missingHost("python", engine.env);
  if (missing !== undefined) return skip(missing);
  const emulator = await service();
  const { url } = await serveRelease();
  const folder = await scratch("python", onTestFinished);
  await cp(EXAMPLE, folder, { recursive: true });
  for (const [name, place, here] of [
    ["Pulumi.yaml", /github:\/\/\S+/, url],
    ["Pulumi.prod.yaml", "https://analytics.example.com", emulator.url],
  ] as const) {
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), text.replace(place, here));
  }
  await writeFile(join(folder, "gh"), 'if [ "$1" = pr ]; then cat "$5" > comment; fi', { mode: 0o755 });
  const env = {
    ...engine.env,
    PATH: `${folder}:${engine.env.PATH}`,
    NUMBER: "12",
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "passphrase",
    GITHUB_SHA: "9fceb02",
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  };
  await run("pulumi", ["stack", "init", "prod"], { cwd: folder, env });

  /** Runs a job's commands until one fails, and says how it ended and which writes the service got. */
  const happens = async (job: string) => {
    emulator.control.clearRequests();
    const key = { TRACKING_API_KEY: "local-key" };
    const own = jobs[job].env.TRACKING_API_KEY.includes("secrets.") ? key : jobs[job].env;
    const lines = jobs[job].steps.flatMap(({ run: line = [] }) => line);
    const options = { cwd: folder, env: { ...env, ...own } };
    const done = await start("sh", ["-e", "-c", lines.join("\n")], options).finished;
    const sent = emulator.control.requests();
    const written = sent.filter(({ method }) => method !== "GET").map(({ method }) => method);
    return { code: done.code, output: done.stdout + done.stderr, written };
  };

  expect(await happens("preview")).toMatchObject({ code: 0, written: [] });
  expect(await readFile(join(folder, "comment"), "utf8")).toContain("`shop.example.com`");
  const up = await happens("up");
  expect([up.code, up.written], up.output).toEqual([0, ["POST"]]);
  const [shop] = emulator.control.websites();
  expect(shop).toMatchObject({ domain: "shop.example.com", exclude_ips: "192.0.2.0/24" });
  const calm = await happens("drift");
  expect([calm.code, calm.written], calm.output).toEqual([0, []]);
  expect(await readFile(env.GITHUB_STEP_SUMMARY, "utf8")).toContain("shop.example.com");
  emulator.control.editWebsite(shop?.id ?? 0, { privacy: 0 });
  const drift = await happens("drift");
  expect([drift.code === 0, drift.written], drift.output).toEqual([false, []]);
  expect(await readFile(env.GITHUB_STEP_SUMMARY, "utf8")).toContain('privacy "public" → "private"');
});
