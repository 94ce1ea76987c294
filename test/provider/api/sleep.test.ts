import { expect, test, vi } from "vitest";
import { sleep } from "../../../provider/api/sleep";

const DAY = 86_400_000;

test("a wait that is called off ends at once, and leaves no timer behind", { timeout: 10_000 }, async () => {
  const cancelled = vi.spyOn(globalThis, "clearTimeout");
  const cancellation = new AbortController();
  const waiting = sleep(DAY, cancellation.signal);
  cancellation.abort();
  await waiting;
  expect(cancelled).toHaveBeenCalled();
});
