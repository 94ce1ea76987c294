import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ProcessTree } from "../../bench/processes.mjs";

const GRANDCHILD = `
const worked = () => process.cpuUsage().user + process.cpuUsage().system;
while (worked() < 300_000);
process.send("worked");
process.on("disconnect", () => process.exit());
`;
const CHILD = `
const { spawn } = require("node:child_process");
const grandchild = spawn(process.execPath, ["-e", process.argv[1], "the-provider"], { stdio: ["ignore", 2, 2, "ipc"] });
grandchild.on("message", () => process.send(grandchild.pid));
process.on("disconnect", () => process.exit());
`;

describe.runIf(existsSync("/proc/self/stat"))("a process and what it starts", () => {
  it("is measured as a whole, with its provider's memory", async () => {
    const child = spawn(process.execPath, ["-e", CHILD, GRANDCHILD], { stdio: ["ignore", 2, 2, "ipc"] });
    const tree = new ProcessTree(
      child.pid,
      (command) => command.includes("the-provider") && !command.includes("spawn"),
    );
    try {
      await once(child, "message");
      // The next sample includes all of it.
      await expect.poll(() => tree.usage().cpuMs, { timeout: 600_000 }).toBeGreaterThanOrEqual(250);
      expect(tree.usage().peakBytes).toBeGreaterThan(10e6);
    } finally {
      tree.stop();
      child.disconnect();
    }
    await once(child, "exit");
  });

  it("is killed as a whole", async () => {
    const child = spawn(process.execPath, ["-e", CHILD, GRANDCHILD], { stdio: ["ignore", 2, 2, "ipc"] });
    const tree = new ProcessTree(child.pid, () => false);
    const [grandchild] = (await once(child, "message")) as [number];
    const ended = once(child, "exit");
    tree.stop();
    tree.kill();
    await ended;
    await expect.poll(() => existsSync(`/proc/${grandchild}/fd/0`), { timeout: 600_000 }).toBe(false);
  });
});

it("a process that could not be started has no figures", () => {
  const none = { cpuMs: undefined, peakBytes: undefined, writtenBytes: undefined };
  expect(new ProcessTree(undefined, () => true).stop()).toEqual(none);
});
