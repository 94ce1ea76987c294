import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { endWithEngine } from "../../../provider/hosts/engine";

test.each([
  { says: "ends when the engine that started it ends", args: ["127.0.0.1:40001"], ends: 1 },
  { says: "started by hand, to debug it, goes on without an input", args: [], ends: 0 },
])("a provider's process $says", async ({ args, ends }) => {
  const exit = vi.spyOn(process, "exit").mockImplementation((() => {}) as never);
  const input = new PassThrough();
  endWithEngine(input, args);
  expect(exit).not.toHaveBeenCalled();
  const ended = once(input.resume(), "end");
  input.end();
  await ended;
  expect(exit).toHaveBeenCalledTimes(ends);
  exit.mockRestore();
});
