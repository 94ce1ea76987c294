import { onTestFinished, vi } from "vitest";

/**
 * Runs a command line in this process, and gives its exit code and its words, even while it runs. The commands of one test
 * share its modules. The next test loads them anew: they know secrets, and a signal that came.
 */
export function running(...args: string[]) {
  const words = { out: "", error: "" };
  const streams = [
    [process.stdout, "out"],
    [process.stderr, "error"],
  ] as const;
  for (const [stream, which] of streams) {
    const spy = vi.spyOn(stream, "write").mockImplementation((text) => {
      words[which] += String(text);
      return true;
    });
    onTestFinished(() => spy.mockRestore());
  }
  onTestFinished(() => void vi.resetModules());
  const { argv } = process;
  process.argv = ["node", "pulumi-tracking", ...args];
  const loaded = Promise.all([import("../../cli/command-line.js"), import("../../cli/commands.js")]);
  const status = loaded
    .then(([{ run }, { commands }]) => run(commands, args))
    // A preview sets it to that of the engine.
    .then((code) => Number(process.exitCode || code))
    .finally(() => {
      process.argv = argv;
      process.exitCode = undefined;
    });
  return { words, status };
}

/** The same when it has ended. */
export async function ran(...args: string[]) {
  const { words, status } = running(...args);
  return { status: await status, ...words };
}
