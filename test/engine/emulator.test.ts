import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { useHarness } from "./harness";

const world = useHarness();
const websites = "/api/v1/websites";

/** The installed command, run as by a user's shell, and its output. */
function started(...args: string[]) {
  const { folder: cwd, env } = world.project;
  const command = join(cwd, "node_modules", "pulumi-tracking", "dist", "cli", "main.js");
  const child = spawn(process.execPath, [command, "emulator", ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  return { child, out: () => out };
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "the command says where it is and how to use it, serves, and ends on %s with status 0",
  async (signal) => {
    const { child, out } = started("--api-key", "its-key");
    const ended = once(child, "exit");
    while (!out().includes("TRACKING_MARKET_BASE_URL")) await once(child.stdout, "data");
    const url = /listens at (http:\/\/127\.0\.0\.1:\d+) /.exec(out())?.[1] ?? "";
    expect(out()).toContain("pulumi config set --secret tracking:apiKey its-key");
    expect(out()).toContain(`export TRACKING_ANALYTICS_BASE_URL=${url}`);

    const headers = { Authorization: "Bearer its-key", Accept: "application/json" };
    const form = new URLSearchParams({ domain: "a.example.com", privacy: "1" });
    const made = await fetch(`${url}${websites}`, { method: "POST", headers, body: form });
    expect(made.status).toBe(201);
    const listed = await fetch(`${url}${websites}`, { headers });
    expect(await listed.json()).toMatchObject({ data: [{ domain: "a.example.com" }] });

    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    await expect(fetch(`${url}${websites}`, { headers })).rejects.toThrow();
  },
);
