import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RateLimiter } from "../../../provider/api/rate-limiter";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Sends through a limiter that notes when each request left; each is under way for so long. */
function watched(options: { requestsPerMinute?: number } = {}, lasts = 0) {
  const said: string[] = [];
  const left: number[] = [];
  const limiter = new RateLimiter({ ...options, warn: (text) => said.push(text) });
  let under = 0;
  let most = 0;
  const send = () =>
    limiter.run(async () => {
      left.push(Date.now());
      under += 1;
      most = Math.max(most, under);
      if (lasts > 0) await new Promise((resolve) => setTimeout(resolve, lasts));
      under -= 1;
    });
  /** Sends so many at once, and waits for all. */
  const sendAll = (count: number) => ended(...times(count).map(send));
  return { limiter, send, sendAll, left, said, most: () => most };
}
/** Lets all the time pass that these wait for. */
async function ended(...all: Promise<unknown>[]): Promise<void> {
  const done = Promise.all(all);
  await vi.runAllTimersAsync();
  await done;
}
const times = (count: number) => Array.from({ length: count }, (_, at) => at);

test("what the request comes to is handed on, and a failure frees the lane", async () => {
  const { limiter } = watched();
  expect(await limiter.run(async () => 5)).toBe(5);
  for (const _ of times(20))
    await expect(limiter.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await limiter.run(async () => 6)).toBe(6);
});

test("a ceiling spaces the requests evenly, and saves up nothing while idle", async () => {
  const { send, sendAll, left } = watched({ requestsPerMinute: 120 });
  await send();
  await vi.advanceTimersByTimeAsync(60_000);
  await sendAll(3);
  expect(left).toEqual([0, 60_000, 60_500, 61_000]);
});

test("an answer is outdated after ten seconds, or two slots of a ceiling, or once a pause has begun", async () => {
  const [{ limiter }, slow] = [watched(), watched({ requestsPerMinute: 4 })];
  const asked = performance.now();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(limiter.isOutdated(asked)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(limiter.isOutdated(asked)).toBe(true);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(slow.limiter.isOutdated(asked)).toBe(false);
  slow.limiter.pause(5);
  expect(slow.limiter.isOutdated(asked)).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(slow.limiter.isOutdated(performance.now())).toBe(false);
});

test("what rests on an answer leaves before all that waits", async () => {
  const { limiter } = watched({ requestsPerMinute: 60 });
  const left: number[] = [];
  const sent = times(4).map((at) => limiter.run(async () => void left.push(at), undefined, at === 3));
  await ended(...sent);
  expect(left).toEqual([0, 3, 1, 2]);
});

describe("a pause", () => {
  test("is no longer if the clock is set back an hour meanwhile", async () => {
    const { limiter, send, left } = watched();
    limiter.pause(3000);
    const sent = send();
    vi.setSystemTime(-3_600_000);
    await vi.advanceTimersByTimeAsync(3000);
    expect(left).toHaveLength(1);
    await sent;
  });

  test("of more than five seconds is said once, with what is left of it, to those who wait", async () => {
    const { limiter, send, said } = watched();
    for (const _ of times(4)) limiter.pause(60_000);
    const all = Promise.all(times(4).map(send));
    await vi.advanceTimersByTimeAsync(5000);
    expect(said).toEqual([
      "requests are waiting for their turn (4): the service asks for a pause of 55 s more",
    ]);
    await ended(all);
    expect(said).toHaveLength(1);
  });

  test("is lengthened by a longer one and not cut short by a shorter one", async () => {
    const { limiter, send, left } = watched();
    limiter.pause(3000);
    const sent = send();
    await vi.advanceTimersByTimeAsync(1000);
    limiter.pause(1000);
    limiter.pause(5000);
    await ended(sent);
    expect(left).toEqual([6000]);
  });
});

describe("what the service says is left", () => {
  test("is the least that was said, where answers overtake one another", async () => {
    const { limiter, send, left } = watched({}, 100);
    const all = Promise.all(times(8).map(send));
    // Of eight that are under way, the service has counted all; the seventh answer comes before the fifth.
    limiter.update(9);
    limiter.update(12);
    const more = Promise.all(times(8).map(send));
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toHaveLength(8 + 2);
    await ended(all, more);
  });

  test("is a lot more at once where a new window has begun, though others are under way", async () => {
    const { limiter, send, left } = watched({}, 100);
    const first = Promise.all(times(3).map(send));
    limiter.update(1);
    limiter.update(60);
    const others = Promise.all(times(5).map(send));
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toHaveLength(8);
    await ended(first, others);
  });

  test("is a little more where one that is alone says so, for nobody can have overtaken it", async () => {
    const { limiter, sendAll, most } = watched({}, 100);
    for (const remaining of [0, 3]) await limiter.run(async () => limiter.update(remaining));
    await sendAll(3);
    expect(most()).toBe(3);
  });

  test("counts as taken by those under way, so that no more leave than there is room for", async () => {
    const { limiter, send, left } = watched({}, 100);
    const first = Promise.all([send(), send(), send()]);
    await vi.advanceTimersByTimeAsync(50);
    // One of the three says so; the other two may not have been counted.
    limiter.update(3);
    const others = Promise.all([send(), send()]);
    await vi.advanceTimersByTimeAsync(0);
    expect(left).toEqual([0, 0, 0, 50]);
    await ended(first, others);
    expect(left).toHaveLength(5);
  });

  test("lets one by one leave where it is nothing", async () => {
    const { limiter, sendAll, most } = watched({}, 100);
    await limiter.run(async () => limiter.update(0));
    await sendAll(4);
    expect(most()).toBe(1);
  });

  test("binds nobody where the service says nothing", async () => {
    const { limiter, sendAll, most } = watched({}, 100);
    limiter.update(0);
    limiter.update(undefined);
    await sendAll(20);
    expect(most()).toBe(16);
  });
});

describe("a turn that does not come for five seconds", () => {
  test("is said, with the ceiling that is the reason, and again only after half a minute", async () => {
    const { send, said } = watched({ requestsPerMinute: 6 });
    const all = Promise.all(times(6).map(send));
    await vi.advanceTimersByTimeAsync(6000);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("requests are waiting for their turn (5)");
    expect(said[0]).toContain("6 a minute (tracking:requestsPerMinute)");
    await ended(all);
    expect(said).toHaveLength(1);
  });
});

describe("a run that is cancelled", () => {
  test("sends nothing that waits for its turn, and the others go on", async () => {
    const { limiter } = watched();
    const cancellation = new AbortController();
    limiter.pause(60_000);
    const send = vi.fn(async () => "sent");
    const waiting = limiter.run(send, cancellation.signal);
    const other = limiter.run(send);
    cancellation.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
    await expect(limiter.run(send, cancellation.signal)).rejects.toThrow("cancelled");
    expect(send).not.toHaveBeenCalled();
    await vi.runAllTimersAsync();
    expect(await other).toBe("sent");
    expect(send).toHaveBeenCalledTimes(1);
  });
});
