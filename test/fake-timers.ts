/**
 * What tests have in place of `node:timers/promises`, which Vitest's fake clock does not replace: waits on the clock that it does.
 * Each file mocks it for itself, as `vi.mock("node:timers/promises", () => import("…/fake-timers.js"))`.
 */
function wait(
  milliseconds: number,
  value?: unknown,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    setTimeout(() => resolve(value), milliseconds);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}

export { wait as setTimeout };
