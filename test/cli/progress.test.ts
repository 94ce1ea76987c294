import { afterEach, expect, test, vi } from "vitest";
import { withProgress } from "../../cli/progress";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** What is written while work takes so many seconds. */
async function written(isTTY: boolean, seconds: number, fails = false): Promise<string[]> {
  vi.useFakeTimers();
  vi.spyOn(process, "stderr", "get").mockReturnValue({ isTTY, write } as unknown as typeof process.stderr);
  const lines: string[] = [];
  function write(text: string) {
    lines.push(text.trim());
    return true;
  }
  const work = () =>
    new Promise<string>((resolve, reject) =>
      setTimeout(() => (fails ? reject(new Error("lost")) : resolve("done")), 1000 * seconds),
    );
  const ended = withProgress("Reading websites at https://a.example", work).catch(
    (error: Error) => error.message,
  );
  await vi.advanceTimersByTimeAsync(1000 * seconds);
  expect(await ended).toBe(fails ? "lost" : "done");
  expect(vi.getTimerCount()).toBe(0);
  return lines;
}

test("on a terminal, long work says what is going on, and ends with the work", async () => {
  expect(await written(true, 4)).toEqual([]);
  const lines = ["5", "15"].map((seconds) => `Reading websites at https://a.example (${seconds} s)`);
  expect(await written(true, 20)).toEqual(lines);
  expect(await written(true, 20, true)).toEqual(lines);
  expect(await written(true, 100)).toHaveLength(4);
});

test("a log gets none of it", async () => expect(await written(false, 100)).toEqual([]));
