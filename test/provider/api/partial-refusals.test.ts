import { describe, expect, test, vi } from "vitest";
import { stateFor } from "../../../emulator/server";
import {
  givesUp,
  type Limiter,
  limitConn,
  limitReqNoDelay,
  refuses,
  restarts,
  silent,
  throttle,
} from "../../service/limiters";
import { site, upTo } from "../sites";
import { runAt, send, serviceBehind, steps, useFakeClock, type Verb, verbs } from "./limiters";

vi.mock("../../../provider/api/http", async (original) => ({
  ...(await original<object>()),
  send: (...sent: Parameters<typeof send>) => send(...sent),
}));
vi.mock("node:timers/promises", () => import("../../fake-timers.js"));
useFakeClock();

/** How many are asked for at once: beside those in flight, dozens wait. */
const COUNT = 60;
const statuses = [429, 503] as const;
const afterOne = (status: number) => ({ status, headers: { "Retry-After": "1" } });
const WHEN_BACK = "Run the same command again when the service is back";
const PACE = "Set tracking:requestsPerMinute";
/** What came of so many of a verb behind a limiter, all at once. */
async function behind(limiter: Limiter, verb: Verb, settings: Record<string, string> = {}, count = COUNT) {
  const state = stateFor({ seed: { websites: verb === "create" ? [] : upTo(count).map(site) } });
  const { log: sent } = serviceBehind(limiter, state, 100);
  const here = runAt(settings);
  const began = performance.now();
  let seconds = 0;
  const all = Promise.allSettled(upTo(count).map((id) => steps[verb](here, id))).then((ended) => {
    seconds = (performance.now() - began) / 1000;
    return ended;
  });
  await vi.runAllTimersAsync();
  const messages = (await all).flatMap((each) =>
    each.status === "rejected" ? [(each.reason as Error).message] : [],
  );
  return { seconds, messages, sent, rows: state.tables.website.all() };
}

describe.each(statuses)("a service that accepts each read and refuses each write with a %d", (status) => {
  test.each(verbs)(
    `ends ${COUNT} of %s in two minutes, and says that a slower pace is no way out`,
    async (verb) => {
      const { seconds, messages, sent } = await behind(
        refuses((_, { method }) => method !== "GET", { status }),
        verb,
      );
      expect(seconds).toBeGreaterThan(100);
      expect(seconds).toBeLessThan(140);
      expect(messages).toHaveLength(COUNT);
      expect(messages.filter((each) => each.includes(WHEN_BACK)).length).toBeGreaterThan(0.95 * COUNT - 10);
      // A create that meets a 503 is told at once, when it may still be a limit.
      expect(messages.filter((each) => each.includes(PACE)).length).toBeLessThan(10);
      expect(sent.length).toBeLessThan(130);
    },
  );

  test.each(verbs)(`takes ${COUNT} of %s when it accepts writes after a minute`, async (verb) => {
    const { seconds, messages, sent, rows } = await behind(
      refuses((now, { method }) => method !== "GET" && now < 60_000, { status }),
      verb,
    );
    // Where looks are accepted between, it is taken for a limiter that lets one through each second.
    const hasLooks = status === 503 && verb !== "update";
    expect(seconds).toBeLessThan(hasLooks ? 150 : 90);
    const lost = sent.filter(({ method, isRefused }) => method === "POST" && isRefused && status === 503);
    expect(messages).toHaveLength(lost.length);
    expect(lost.length).toBeLessThan(15);
    if (verb !== "delete") expect(rows).toHaveLength(COUNT - messages.length);
  });

  test.each([
    ["update", 1],
    ["update", 5],
    ["delete", 1],
    ["delete", 5],
  ] as const)(`does ${COUNT} of %s but %i that it refuses for ever`, async (verb, count) => {
    const never = new Set(upTo(count).map((at) => `/api/v1/websites/${at * 11}`));
    const { seconds, messages, rows } = await behind(
      refuses((_, { method, path }) => method !== "GET" && never.has(path), { status }),
      verb,
    );
    expect(messages).toHaveLength(count);
    expect(seconds).toBeLessThan(240);
    const isDone = ({ id, privacy }: { id: unknown; privacy: unknown }) =>
      never.has(`/api/v1/websites/${id}`) ? privacy === 1 : verb === "update" && privacy === 0;
    expect(rows).toHaveLength(verb === "update" ? COUNT : count);
    expect(rows.filter((row) => !isDone(row as never))).toEqual([]);
  });
});

describe("a Retry-After that is too short", () => {
  test("lets all be done behind 60 a minute", async () => {
    const limiter = () => tooShort(throttle({ requests: 60, seconds: 60 }));
    for (const verb of verbs) expect((await behind(limiter(), verb, {}, 150)).messages).toEqual([]);
  });

  test("is waited for as long as maxRetryWait says, and the others that wait end with the first one", async () => {
    let count = 0;
    const refusal = { status: 429, headers: { "Retry-After": "3" } };
    const limiter = refuses(() => ++count > 20, refusal);
    const { seconds, messages } = await behind(limiter, "update", { maxRetryWait: "300" });
    expect(seconds).toBeGreaterThan(295);
    expect(seconds).toBeLessThan(305);
    expect(messages.length).toBeGreaterThan(COUNT - 20);
  });
});

test("a Retry-After that is too long ends the others too, without a request for each", async () => {
  let count = 0;
  const limiter = refuses(() => ++count > 20, { status: 429, headers: { "Retry-After": "500" } });
  const { messages, sent } = await behind(limiter, "update");
  for (const message of messages)
    expect(message).toContain("asks to wait 500 s, more than is left of tracking:maxRetryWait (120 s)");
  expect(messages.length).toBeGreaterThan(COUNT - 20);
  expect(sent.length).toBeLessThan(50);
});

test("nothing waits longer than maxRetryWait, however short", async () => {
  for (const accepted of [0, 20]) {
    let count = 0;
    const limiter = refuses(() => ++count > accepted, { status: 429 });
    const { seconds, sent } = await behind(limiter, "update", { maxRetryWait: "0.001" });
    expect(seconds).toBeLessThan(2);
    expect(sent.length).toBeLessThan(accepted + 30);
  }
});

describe("before a service has accepted anything", () => {
  test.each(statuses.flatMap((status) => verbs.map((verb) => [status, verb] as const)))(
    "a %d to a %s is waited for",
    async (status, verb) => {
      const { messages, seconds } = await behind(
        refuses((now) => now < 1000, { status }),
        verb,
      );
      expect(messages).toEqual([]);
      expect(seconds).toBeLessThan(5);
    },
  );

  test("a minute's window that an earlier command has used up, and that names no time, is waited for", async () => {
    for (const status of statuses) {
      const { messages, seconds } = await behind(
        refuses((now) => now < 60_000, { status }),
        "update",
      );
      expect(messages).toEqual([]);
      expect(seconds).toBeLessThan(75);
    }
  });

  test("it ends after a minute if all are refused, and for all at once", async () => {
    for (const status of statuses) {
      const { messages, seconds, sent } = await behind(
        refuses(() => true, { status }),
        "update",
      );
      expect(messages.filter((each) => each.endsWith(WHEN_BACK))).toHaveLength(COUNT);
      expect(seconds).toBeGreaterThan(60);
      expect(seconds).toBeLessThan(65);
      expect(sent.length).toBeLessThan(25);
    }
  });
});

test.each(statuses)("of two runs behind one limiter that answers %d, none is shut out", async (status) => {
  const state = stateFor({ seed: { websites: upTo(100).map(site) } });
  serviceBehind(limitConn(2, { status }), state, 100);
  const runs = [runAt(), runAt()] as const;
  const all = Promise.allSettled(upTo(100).map((id) => steps.update(runs[id < 50 ? 0 : 1], id)));
  await vi.runAllTimersAsync();
  expect((await all).filter((each) => each.status === "rejected")).toEqual([]);
  expect(state.tables.website.all().filter(({ privacy }) => privacy !== 0)).toEqual([]);
});

test.each(
  (["create", "delete"] as const).flatMap((verb) => [502, 503, 504].map((status) => [verb, status] as const)),
)("40 of %s end that are done, though their answer is a %d", async (verb, status) => {
  vi.setSystemTime("2026-02-03");
  const method = verb === "create" ? "POST" : "DELETE";
  const { messages, seconds, rows } = await behind(
    givesUp((asked) => asked.method === method, { status }),
    verb,
    {},
    40,
  );
  expect(messages).toEqual([]);
  expect(rows).toHaveLength(verb === "create" ? 40 : 0);
  expect(seconds).toBeLessThan(80);
});

describe.each([429, 502])("a write that the service never takes, and answers with a %d,", (status) => {
  const begin = () => {
    const state = stateFor({ seed: { websites: upTo(9).map(site) } });
    serviceBehind(
      refuses((_, { method, path }) => method === "PUT" && path.endsWith("/1"), { status }),
      state,
      100,
    );
    const here = runAt();
    const never = steps.update(here, 1).then(
      () => "done",
      () => "failed",
    );
    return { here, never };
  };
  /** How many milliseconds that takes. */
  const timed = async (done: Promise<unknown>) => {
    const asked = performance.now();
    await done;
    return performance.now() - asked;
  };

  test("holds up no read", async () => {
    const { here, never } = begin();
    await vi.advanceTimersByTimeAsync(1000);
    const read = timed(here.api({ method: "GET", path: "/api/v1/websites/5" }));
    await vi.runAllTimersAsync();
    expect(await never).toBe("failed");
    expect(await read).toBeLessThan(30_000);
  });

  test.each(["update", "delete"] as const)("nor an %s of another record that begins later", async (verb) => {
    const { here, never } = begin();
    await vi.advanceTimersByTimeAsync(40_000);
    const other = timed(steps[verb](here, 5));
    await vi.runAllTimersAsync();
    expect(await never).toBe("failed");
    expect(await other).toBeLessThan(60_000);
  });
});

test("a limiter of two a second that is away for five seconds paces no one for good, whenever that is", async () => {
  for (const after of [800, 3300, 3900, 10_000]) {
    const busy = { status: 503 };
    const limiter = restarts(after, 5000, busy, limitReqNoDelay(500, 6, busy));
    const { seconds, messages } = await behind(limiter, "update");
    expect(messages).toEqual([]);
    // The least is 27 s, and 32 s with those that it is away.
    expect(seconds).toBeLessThan(50);
  }
});

/** The same limiter, which asks for one second however long it refuses. */
function tooShort(limiter: Limiter): Limiter {
  const quiet = silent(limiter);
  return {
    ...quiet,
    admit: (now, asked) => {
      const answer = quiet.admit(now, asked);
      return "status" in answer ? afterOne(answer.status) : answer;
    },
  };
}
