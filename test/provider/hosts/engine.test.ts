import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { endWithEngine } from "../../../provider/hosts/engine";

/** Whether a process with these arguments has ended once its input has. */
async function endsWithInput(args: readonly string[]): Promise<boolean> {
  const exit = vi.spyOn(process, "exit").mockImplementation((() => {}) as never);
  const input = new PassThrough();
  endWithEngine(input, args);
  input.end("what the engine may have written");
  // Nobody else may read the input of a process that the engine started.
  if (input.listenerCount("end") === 0) input.resume();
  await once(input, "end");
  const hasEnded = exit.mock.calls.length > 0;
  exit.mockRestore();
  return hasEnded;
}

test("a provider ends when its engine does, however that ends, and one that was started by hand stays", async () => {
  expect(await endsWithInput(["--logtostderr", "127.0.0.1:40001"])).toBe(true);
  expect(await endsWithInput([])).toBe(false);
});
