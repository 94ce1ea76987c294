import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ApiError } from "../../../provider/api/api";
import { createApi } from "../../../provider/api/client";
import { send, TransportError } from "../../../provider/api/http";
import type { RawResponse } from "../../../provider/api/response";
import { rejection } from "../../rejection";
import { endpointAt } from "../endpoint";

vi.mock("../../../provider/api/http", async (original) => ({
  ...(await original<typeof import("../../../provider/api/http")>()),
  send: vi.fn(),
}));
vi.mock("node:timers/promises", () => import("../../fake-timers.js"));
beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const quiet = { warn: () => {}, debug: () => {} };

/** A hundred resources, eight at a time: a look and a POST each. What it took, in requests and in seconds. */
async function hundred(origin: string, answer: (count: number) => RawResponse | Error) {
  let requests = 0;
  vi.mocked(send).mockImplementation(async () => {
    requests += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    const answered = answer(requests);
    if (answered instanceof Error) throw answered;
    return answered;
  });
  const api = createApi(endpointAt(origin), quiet);
  let left = 100;
  let failed = 0;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await api({ method: "GET", path: "/api/v1/websites" })
        .then(() => api({ method: "POST", path: "/api/v1/websites" }))
        .catch(() => {
          failed += 1;
        });
    }
  };
  const workers = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(worker));
  let ended = false;
  void workers.then(() => {
    ended = true;
  });
  let seconds = 0;
  for (; !ended && seconds < 3600; seconds += 1) await vi.advanceTimersByTimeAsync(1000);
  return { requests, failed, seconds };
}
const said = (status: number, headers: Record<string, string> = {}): RawResponse => ({
  status,
  headers,
  text: '{"message":"?"}',
});

test.each<[string, RawResponse | Error]>([
  ["not at all", new TransportError("unsent", "no answer")],
  ["with a reset", new TransportError("lost", "half an answer")],
  ["500", said(500)],
  ["502", said(502)],
  ["503", said(503)],
  ["504", said(504)],
  ["503 with Retry-After", said(503, { "retry-after": "1" })],
  ["429", said(429)],
  ["429 with Retry-After", said(429, { "retry-after": "1" })],
])(
  "a service that keeps answering %s costs 1.2 requests a resource at most, and little more than a minute",
  async (name, answer) => {
    for (const random of [0.01, 0.999]) {
      vi.spyOn(Math, "random").mockReturnValue(random);
      const { requests, failed, seconds } = await hundred(
        `https://${name.replace(/\W+/g, "-")}-${random}.example`,
        () => answer,
      );
      expect(failed).toBe(100);
      expect(requests).toBeLessThanOrEqual(120);
      expect(seconds).toBeLessThanOrEqual(65);
    }
  },
);

test.each([
  ["too-large", "unclear"],
  ["untrusted", "unsent"],
] as const)("what a request with the outcome %s has done is %s", async (outcome, failure) => {
  vi.mocked(send).mockRejectedValue(new TransportError(outcome, "no answer"));
  const api = createApi(endpointAt(`https://${outcome}.example`), quiet);
  expect(await rejection(api({ method: "POST", path: "/" }))).toMatchObject({ failure });
});

test("a service that fails more often than that, but not each time while no other is in flight, is not held for dead", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const { failed } = await hundred("https://busy.example", (count) => said(count <= 14 ? 500 : 200));
  expect(failed).toBe(0);
});

test.each([429, 503])(
  "a request that the service refuses again and again with a %d, while it accepts others, is told so once that lasts too long",
  async (status) => {
    const never = "/api/v1/websites/7";
    vi.mocked(send).mockImplementation(async ({ path }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return said(path === never ? status : 200);
    });
    const api = createApi(endpointAt(`https://partial-${status}.example`), quiet);
    let ended = 0;
    const put = rejection(api({ method: "PUT", path: never })).finally(() => {
      ended = performance.now();
    });
    const writeOthers = async () => {
      while (ended === 0 && performance.now() < 290_000) {
        await api({ method: "PUT", path: "/api/v1/websites/8" });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const others = writeOthers();
    await vi.advanceTimersByTimeAsync(300_000);
    await others;
    expect(ended).toBeGreaterThan(100_000);
    expect(ended).toBeLessThan(180_000);
    expect(await put).toMatchObject({ details: { status } });
  },
);

test.each<[string, readonly number[], string]>([
  ["none", [], "run the same command again when the service is back"],
  [
    "one",
    [200],
    'run "pulumi config set tracking:requestsPerMinute 30", or the number that the service allows, and the same command again',
  ],
])(
  "if a service accepts %s and then limits the requests without end, the message has one way out",
  async (name, statuses, advice) => {
    let count = 0;
    vi.mocked(send).mockImplementation(async () => {
      count += 1;
      return said(statuses[count - 1] ?? 429);
    });
    const api = createApi(endpointAt(`https://${name}.limited.example`), quiet);
    const look = () => api({ method: "GET", path: "/api/v1/websites" });
    for (const _ of statuses) await look();
    const refused = rejection(look());
    await vi.runAllTimersAsync();
    expect(await refused).toMatchObject({ details: { advice } });
  },
);

test("a service that never accepted anything is no matter of pace, however short the wait may be", async () => {
  vi.mocked(send).mockImplementation(async () => said(503));
  const api = createApi(endpointAt("https://never.example", { maxRetryWait: "10" }), quiet);
  for (const method of ["GET", "POST"] as const) {
    const refused = rejection(api({ method, path: "/api/v1/websites" }));
    await vi.runAllTimersAsync();
    expect(await refused).toMatchObject({
      details: { advice: "run the same command again when the service is back" },
    });
  }
});

describe("what a service refuses", () => {
  const path = "/api/v1/websites/7";
  /** Answers one request after another with these, and the last one from then on. Counts them. */
  const answering = (name: string, ...answers: (RawResponse | Error)[]) => {
    const sent: number[] = [];
    vi.mocked(send).mockImplementation(async () => {
      const count = sent.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 20));
      const answer = answers[Math.min(count, answers.length) - 1] as RawResponse | Error;
      if (answer instanceof Error) throw answer;
      return answer;
    });
    const endpoint = endpointAt(`https://${name}.example`);
    return { sent, api: createApi(endpoint, quiet) };
  };
  const put = { method: "PUT", path } as const;
  const waitFor = (seconds: number, status = 429) => said(status, { "retry-after": `${seconds}` });
  const ended = async <T>(promise: Promise<T>): Promise<T> => {
    await vi.runAllTimersAsync();
    return promise;
  };

  test("is not counted while nothing is asked for", async () => {
    const { api } = answering("idle", said(200), waitFor(500), said(429), said(200));
    await ended(api(put));
    await ended(rejection(api(put)));
    await vi.advanceTimersByTimeAsync(1000 * 1000);
    expect((await ended(api(put))).status).toBe(200);
  });

  test("holds back the others, though its connection broke twice before", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const lost = new TransportError("lost", "the connection broke");
    const { api, sent } = answering("lost", said(200), lost, lost, waitFor(5), said(200));
    await ended(api(put));
    const first = api(put);
    await vi.advanceTimersByTimeAsync(100);
    const second = api(put);
    await ended(Promise.all([first, second]));
    const [, , , refused = 0, ...later] = sent;
    expect(later.map((at) => at - refused)).toEqual([5020, 5040]);
  });

  test("is waited for only until the longest wait is over, whatever it names", async () => {
    const { api } = answering("long", said(200), waitFor(50));
    await ended(api(put));
    const began = performance.now();
    const refused = await ended(rejection(api(put)));
    expect(refused).toMatchObject({
      what: expect.stringMatching(/asks to wait 50 s, more than is left of tracking:maxRetryWait \(120 s\)$/),
    });
    expect(performance.now() - began).toBeLessThan(120_000);
  });

  test("is accepted if a look shows that it was done, though the service asks for too long a wait", async () => {
    const { api, sent } = answering("done", waitFor(500, 503), said(200));
    const post = { method: "POST", path: "/api/v1/websites" } as const;
    const { details } = (await ended(rejection(api(post)))) as ApiError;
    expect(await ended(rejection(api(post)))).toMatchObject({ failure: "unsent" });
    details.wasDone?.();
    expect((await ended(api(post))).status).toBe(200);
    expect(sent).toHaveLength(2);
  });

  test.each<[string, RawResponse | Error, boolean]>([
    ["that is busy", said(504), true],
    ["that failed", said(500), false],
    ["of a connection that broke", new TransportError("lost", "it broke"), false],
  ])("may turn out to be done after an answer %s: %s", async (name, answer, may) => {
    const { api } = answering(name.replaceAll(" ", "-"), said(200), answer);
    await ended(api(put));
    const { details } = (await ended(rejection(api({ ...put, method: "DELETE" })))) as ApiError;
    // Else the pace would count twice what it has heard of: it was no refusal.
    expect(details.wasDone !== undefined).toBe(may);
  });

  test("has the advice of who asks, though another service at its origin met it first", async () => {
    const { api } = answering("shared", new TransportError("unsent", "nothing answers there", "down"));
    const market = createApi(endpointAt("https://shared.example", {}, {}, "market"), quiet);
    for (const _ of [1, 2, 3]) await ended(rejection(api(put)));
    const { reason } = (await ended(rejection(market(put)))) as ApiError;
    expect(reason).toMatch(/none of the last 12 writes succeeded: .* check tracking:marketBaseUrl$/);
  });

  test("by a 502 with the end of a window that is not used up, waits for no window", async () => {
    const window = { "x-ratelimit-remaining": "4999", "x-ratelimit-reset": "3000" };
    const { api } = answering("window", said(200), said(502, window), said(200));
    await ended(api(put));
    expect((await ended(api(put))).status).toBe(200);
  });

  test("by a status in the body of a 200, it refuses by that status", async () => {
    const busy = { ...said(200), text: '{"status":503}' };
    const { api, sent } = answering("within", said(200), busy, said(200));
    await ended(api(put));
    const refused = rejection(api({ method: "DELETE", path }));
    await vi.advanceTimersByTimeAsync(30);
    const other = api(put);
    expect(await ended(refused)).toMatchObject({
      failure: "unclear",
      details: { status: 503, isBusy: true },
    });
    expect((await other).status).toBe(200);
    expect((sent[2] ?? 0) - (sent[1] ?? 0)).toBeGreaterThan(500);
  });
});
