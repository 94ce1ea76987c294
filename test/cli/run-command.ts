import { onTestFinished, vi } from "vitest";
import { type AddCommand, run } from "../../cli/command-line";

/** Runs the program with one command, and gives its status and its words, also while it runs. */
export function running(command: AddCommand, ...args: string[]) {
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
  return { words, status: run([command], args) };
}

/** The same when it has ended. */
export async function ran(command: AddCommand, ...args: string[]) {
  const { words, status } = running(command, ...args);
  return { status: await status, ...words };
}
