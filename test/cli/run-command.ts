import { onTestFinished, vi } from "vitest";

/** Runs the program in this process, loaded anew, and gives its exit code and its words, even while it runs. */
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
    const before = stream.rawListeners("error");
    onTestFinished(() => {
      spy.mockRestore();
      // A process loads the program once, and this one many times.
      for (const listener of stream.rawListeners("error"))
        if (!before.includes(listener)) stream.off("error", listener as () => void);
    });
  }
  const { argv } = process;
  process.argv = ["node", "pulumi-tracking", ...args];
  vi.resetModules();
  const status = import("../../cli/main.js")
    .then(({ ended }) => ended)
    .then(() => Number(process.exitCode ?? 0))
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
