import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { stateFor } from "../../../emulator/server";
import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { createApi } from "../../../provider/api/client";
import { some } from "../../model/sizes";
import {
  byChance,
  type Limiter,
  limitConn,
  limitReq,
  restarts,
  retryAfterAlone,
  throttle,
  workers,
} from "../../service/limiters";
import { endpointAt } from "../endpoint";
import { send, serviceBehind, useFakeClock } from "./limiters";

vi.mock("../../../provider/api/http", async (original) => ({
  ...(await original<object>()),
  send: (...sent: Parameters<typeof send>) => send(...sent),
}));
vi.mock("node:timers/promises", () => import("../../fake-timers.js"));
useFakeClock();

const refusal = fc.record({
  status: fc.constantFrom(429, 502, 503, 504),
  headers: fc.constantFrom({}, { "Retry-After": "1" }, { "Retry-After": "500" }, { "RateLimit-Reset": "3" }),
});
/** Makes a limiter of any kind, or a service that takes nothing. */
const limiters: fc.Arbitrary<() => Limiter> = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 20 }), refusal).map(
    ([most, refuses]) =>
      () =>
        limitConn(most, refuses),
  ),
  fc.tuple(fc.integer({ min: 10, max: 9000 }), fc.nat(6), refusal).map(
    ([interval, burst, refuses]) =>
      () =>
        limitReq(interval, burst, refuses),
  ),
  fc
    .record({ requests: fc.integer({ min: 1, max: 40 }), seconds: fc.integer({ min: 1, max: 60 }) })
    .map((limit) => () => throttle(limit)),
  fc
    .record({ requests: fc.integer({ min: 1, max: 40 }), seconds: fc.integer({ min: 1, max: 60 }) })
    .map((limit) => () => retryAfterAlone(throttle(limit))),
  fc.integer({ min: 1, max: 20 }).map((most) => () => workers(most, 50)),
  fc.tuple(fc.nat(2000), fc.integer({ min: 1, max: 60_000 }), refusal).map(
    ([after, lasts, refuses]) =>
      () =>
        restarts(after, lasts, refuses),
  ),
  fc.tuple(fc.integer({ min: 1, max: 9 }), refusal).map(
    ([tenths, refuses]) =>
      () =>
        byChance(tenths / 10, refuses),
  ),
);
const websites = "/api/v1/websites";
const requests: Request[] = [
  { method: "GET", path: websites },
  { method: "POST", path: websites, form: { domain: "a.example", privacy: "1" } },
  { method: "PUT", path: `${websites}/7`, form: { privacy: "1" } },
  { method: "DELETE", path: `${websites}/8` },
];
/** When each request is asked for, and which. */
const stories = fc.array(fc.tuple(fc.nat(3000), fc.constantFrom(...requests)), {
  minLength: 1,
  maxLength: 60,
});

let addresses = 0;
function begin(limiter: Limiter, signal?: AbortSignal) {
  const state = stateFor({ seed: { websites: [{ id: 7, domain: "seven.example" }] } });
  const service = serviceBehind(limiter, state, 50);
  addresses += 1;
  const api: Api = createApi(
    endpointAt(`https://${addresses}.law.example`),
    { warn: () => {}, debug: () => {} },
    signal,
  );
  return { service, api };
}
/** Asks for all. Returns what is not said why. */
async function ask(api: Api, story: readonly (readonly [number, Request])[]) {
  const open = new Set(story.keys());
  const unexplained: unknown[] = [];
  for (const [at, [after, request]] of story.entries())
    setTimeout(() => {
      void api(request)
        .catch((error: unknown) => {
          if (!(error instanceof ApiError) || error.what === "") unexplained.push(error);
        })
        .finally(() => open.delete(at));
    }, after);
  await vi.runAllTimersAsync();
  return { open: open.size, unexplained };
}

test("whatever the limiter, all that waits is sent or told why, and at most sixteen are in flight", async () => {
  const law = fc.asyncProperty(limiters, stories, async (limiter, story) => {
    const { service, api } = begin(limiter());
    expect(await ask(api, story)).toEqual({ open: 0, unexplained: [] });
    expect(service.most()).toBeLessThanOrEqual(16);
  });
  await fc.assert(law, { numRuns: some(300), endOnFailure: true });
});

test("a run that is cancelled at any moment sends nothing more, and all that waits is told so", async () => {
  const law = fc.asyncProperty(limiters, stories, fc.nat(9000), async (limiter, story, at) => {
    const cancellation = new AbortController();
    const { service, api } = begin(limiter(), cancellation.signal);
    let sent = 0;
    setTimeout(() => {
      cancellation.abort();
      sent = service.log.length;
    }, at);
    expect(await ask(api, story)).toEqual({ open: 0, unexplained: [] });
    expect(service.log.slice(sent)).toEqual([]);
  });
  await fc.assert(law, { numRuns: some(300), endOnFailure: true });
});
