import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RateLimiter, type Sent } from "../../../provider/api/rate-limiter";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Sends through a limiter that notes when each request left; each is under way for so long. */
function watched(options: { requestsPerMinute?: number } = {}, lasts = 0) {
  const said: string[] = [];
  const left: number[] = [];
  const limiter = new RateLimiter((text) => said.push(text));
  limiter.allow(options.requestsPerMinute ?? Number.POSITIVE_INFINITY);
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
  /** Lets the service accept as many as it takes until all may be in flight. */
  const grow = async () => {
    const one = () =>
      limiter.run(async (sent) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        limiter.accepted(sent);
      });
    await ended(...times(150).map(one));
    left.splice(0);
  };
  /** Sends so many at once, and waits for all. */
  const sendAll = (count: number) => ended(...times(count).map(send));
  return { limiter, send, sendAll, grow, left, said, most: () => most };
}
/** Lets all the time pass that these wait for. */
async function ended(...all: Promise<unknown>[]): Promise<void> {
  const done = Promise.all(all);
  await vi.runAllTimersAsync();
  await done;
}
const times = (count: number) => Array.from({ length: count }, (_, at) => at);

test("what the request comes to is handed on, and a failure makes room for the next one", async () => {
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

test("reads leave first, and what was sent already leaves before its like", async () => {
  const { limiter } = watched({ requestsPerMinute: 60 });
  const left: string[] = [];
  const send = (name: string, turn = {}) => limiter.run(async () => void left.push(name), turn);
  await ended(
    send("first"),
    send("write"),
    send("read", { isRead: true }),
    send("repeated read", { isRead: true, attempts: 1 }),
    send("repeated write", { attempts: 1 }),
    send("last read", { isRead: true }),
  );
  expect(left).toEqual(["first", "repeated read", "read", "last read", "repeated write", "write"]);
});

test("what is refused when its turn comes takes no slot, and the rest is sent", async () => {
  const { limiter, send, left } = watched({ requestsPerMinute: 60 });
  const refused = (name: string) =>
    limiter.run(async () => void left.push(-1), { reasonNotToSend: () => new Error(name) }).catch(String);
  const [first, , second] = [refused("first"), send(), refused("second")];
  await ended(first, second, send());
  expect([await first, await second]).toEqual(["Error: first", "Error: second"]);
  expect(left).toEqual([0, 1000]);
});

describe("a pause", () => {
  test("of more than five seconds is said once, with what is left of it, to those who wait", async () => {
    const reason = "the service refused some, so the next one leaves in 55 s";
    const { limiter, send, said } = watched();
    for (const _ of times(4)) limiter.pause(60_000);
    const all = Promise.all(times(4).map(send));
    await vi.advanceTimersByTimeAsync(5000);
    expect(said).toEqual([`requests are waiting for their turn (4): ${reason}`]);
    await vi.advanceTimersByTimeAsync(30_000);
    await ended(all, send());
    expect(said).toHaveLength(1);
  });

  test("is lengthened by a longer one and not cut short by a shorter one", async () => {
    const { limiter, send, left } = watched();
    limiter.pause(3000);
    const sent = send();
    await vi.advanceTimersByTimeAsync(1000);
    limiter.pause(5000);
    limiter.pause(1000);
    await ended(sent);
    expect(left).toEqual([6000]);
  });
});

test.each([
  [0, 1],
  [1, 1],
  [5, 5],
  [20, 16],
  [undefined, 16],
])("if the service says that %s are left, %s may be in flight", async (remaining, expected) => {
  const { limiter, sendAll, grow, most } = watched({}, 100);
  await grow();
  // The latest answer counts: a window may have begun since the one before.
  for (const each of [3, remaining]) await limiter.run(async (sent) => limiter.accepted(sent, each));
  await sendAll(20);
  expect(most()).toBe(expected);
});

test("what an earlier answer says is left counts only if it is less: answers overtake one another", async () => {
  const { limiter, sendAll, grow, most } = watched({}, 100);
  await grow();
  const sent: Sent[] = [];
  for (const _ of times(3)) {
    await limiter.run(async (each) => void sent.push(each));
    await vi.advanceTimersByTimeAsync(1);
  }
  const [first, second, third] = sent as [Sent, Sent, Sent];
  limiter.accepted(third, 5);
  limiter.accepted(second, 3);
  limiter.accepted(first, 9);
  await sendAll(20);
  expect(most()).toBe(3);
});

test("one is alone if no other is in flight when it leaves, nor leaves while it is", async () => {
  const { limiter } = watched();
  const alone: boolean[] = [];
  const send = (lasts: number) =>
    limiter.run(async (sent) => {
      await new Promise((resolve) => setTimeout(resolve, lasts));
      alone.push(limiter.wasAlone(sent));
    });
  await ended(send(10));
  await ended(send(20), send(10));
  expect(alone).toEqual([true, false, false]);
});

test("a turn that does not come for five seconds is said, with the ceiling that is the reason, and again only after half a minute", async () => {
  const { send, said } = watched({ requestsPerMinute: 6 });
  const all = Promise.all(times(6).map(send));
  await vi.advanceTimersByTimeAsync(6000);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("requests are waiting for their turn (5)");
  expect(said[0]).toContain("6 a minute (tracking:requestsPerMinute)");
  await ended(all);
  expect(said).toHaveLength(1);
});

test("those that wait since the service answers nothing are told so", async () => {
  const { sendAll, said } = watched({}, 20_000);
  await sendAll(6);
  expect(said).toEqual([
    "requests are waiting for their turn (2): the service has not answered the 4 before",
  ]);
});

test("a run that is cancelled sends nothing that waits for its turn, and the others go on", async () => {
  const { limiter } = watched();
  const cancellation = new AbortController();
  limiter.pause(60_000);
  const send = vi.fn(async () => "sent");
  const waiting = limiter.run(send, { signal: cancellation.signal });
  const other = limiter.run(send);
  cancellation.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
  expect(getEventListeners(cancellation.signal, "abort")).toEqual([]);
  await expect(limiter.run(send, { signal: cancellation.signal })).rejects.toThrow("cancelled");
  expect(send).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  expect(await other).toBe("sent");
  expect(send).toHaveBeenCalledTimes(1);
});

describe("a service that names no time", () => {
  /** Sends one after another to a service that refuses some, by how long the last one that it accepted is ago. */
  const sendTo = async (refuses: (ago: number, accepted: number) => boolean, count: number) => {
    const { limiter } = watched();
    const accepted: number[] = [];
    let refused = 0;
    const send = async (attempts = 0): Promise<void> => {
      const isRefused = await limiter.run(
        async (sent) => {
          const is = refuses(sent.at - (accepted.at(-1) ?? Number.NEGATIVE_INFINITY), accepted.length);
          if (is) limiter.pause(limiter.refused(sent, "limited") ? 800 : 0);
          else limiter.accepted(sent);
          if (!is) accepted.push(sent.at);
          return is;
        },
        { attempts },
      );
      if (!isRefused) return;
      refused += 1;
      return send(attempts + 1);
    };
    await ended(
      (async () => {
        for (const _ of times(count)) await send();
      })(),
    );
    return { accepted, refused };
  };

  test.each([0, 5])(
    "and accepts %i requests, and then one in two seconds, is soon sent one in little more, and refuses no more",
    async (free) => {
      const { accepted, refused } = await sendTo((ago, count) => count >= free && ago < 2000, 100);
      expect(refused).toBeLessThan(15);
      const [last = 0, before = 0] = [accepted.at(-1), accepted.at(-11)];
      expect(last - before).toBeLessThan(10 * 2100);
    },
  );

  test("and accepts one in nine seconds has those that wait said for that reason", async () => {
    const { limiter, send, sendAll, said } = watched();
    const one = (accepts: boolean) =>
      limiter.run(async (sent) => {
        if (accepts) limiter.accepted(sent);
        else limiter.refused(sent, "limited");
      });
    await ended(one(true));
    await ended(one(false));
    await vi.advanceTimersByTimeAsync(9000);
    await ended(one(true));
    const all = Promise.all(times(2).map(send));
    await vi.advanceTimersByTimeAsync(5000);
    expect(said).toEqual([
      "requests are waiting for their turn (2): the service refused some, so the next one leaves in 4 s",
    ]);
    await ended(all, sendAll(1));
  });

  test("and accepts forty in a row is sent forty in a row again", async () => {
    let turnedAway = 0;
    const { accepted } = await sendTo((_, count) => count % 40 === 39 && turnedAway++ % 3 < 2, 120);
    expect((accepted.at(-1) ?? 0) / 1000).toBeLessThan(20);
  });
});

test("a refusal that names a time teaches no distance, and another one does", async () => {
  for (const [kind, apart] of [
    ["named", 0],
    ["limited", 1000],
  ] as const) {
    const { limiter, send, left } = watched();
    const began = Date.now();
    await limiter.run(async (sent) => limiter.accepted(sent));
    await limiter.run(async (sent) => void limiter.refused(sent, kind));
    await vi.advanceTimersByTimeAsync(1000);
    await limiter.run(async (sent) => limiter.accepted(sent));
    await ended(send());
    expect(left.map((at) => at - began - 1000)).toEqual([apart]);
  }
});

test("after one that came to nothing, they are sent one by one until one is accepted", async () => {
  const { limiter, sendAll, grow, most } = watched({}, 10);
  await grow();
  await limiter.run(async () => limiter.failed());
  await sendAll(5);
  expect(most()).toBe(1);
  await limiter.run(async (sent) => limiter.accepted(sent));
  await sendAll(20);
  expect(most()).toBe(16);
});

test("of those that were sent before a refusal was known, the others say nothing new, and then one leaves at a time", async () => {
  const { limiter, sendAll, grow, most } = watched({}, 10);
  await grow();
  const news: boolean[] = [];
  const send = (lasts: number, isRefused: boolean) =>
    limiter.run(async (sent) => {
      await new Promise((resolve) => setTimeout(resolve, lasts));
      if (isRefused) news.push(limiter.refused(sent, "limited"));
      else limiter.accepted(sent);
    });
  await ended(send(1, true), send(2, true), send(3, false), send(4, true));
  expect(news).toEqual([true, false, false]);
  await sendAll(3);
  expect(most()).toBe(1);
  await ended(send(1, false), sendAll(20));
  // Of sixteen.
  expect(most()).toBe(11);
});
