import { afterEach, beforeEach, expect, vi } from "vitest";
import { stateFor } from "../../../emulator/server";
import { withBody } from "../../../emulator/service/request";
import { respond } from "../../../emulator/service/router";
import type { Request } from "../../../provider/api/api";
import { create, remove, update } from "../../../provider/lifecycle";
import { website } from "../../../provider/resources";
import {
  byChance,
  type Limiter,
  limitConn,
  limitReq,
  limitReqNoDelay,
  noLimit,
  restarts,
  retryAfterAlone,
  silent,
  slidingWindow,
  throttle,
  usedUp,
  workers,
} from "../../service/limiters";
import { type Run, run } from "../harness";
import { site, stateOf, upTo } from "../sites";

/** How many websites each verb is tried with, all at once. Behind 60 a minute they are done in the third minute. */
export const COUNT = 120;
/** How long the service works at a request, in milliseconds. */
const TAKES = 100;
/** How long after its answer a connection ends, in milliseconds. */
const ENDS = 2;
/** How many requests may be in flight. */
const MOST = 16;

/**
 * Has each test of a file begin at the moment 0 of a clock of its own. The file mocks `node:timers/promises` and the `send` of
 * `provider/api/http` itself, since Vitest moves `vi.mock` to the top of the file where it stands.
 */
export function useFakeClock(): void {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        now: 0,
        toFake: ["setTimeout", "clearTimeout", "performance", "Date"],
        loopLimit: 1_000_000,
      }),
  );
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** A limiter, and how long so many requests take behind it at least, in milliseconds. */
export interface Row {
  readonly name: string;
  readonly begin: () => Limiter;
  readonly least: (requests: number) => number;
  /** How long the service works at a request instead. */
  readonly takes?: number;
  readonly settings?: Record<string, string>;
  /** How many milliseconds a request is on its way on average, and an answer. */
  readonly away?: number;
}

const atATime =
  (most: number, takes = TAKES) =>
  (requests: number) =>
    Math.ceil(requests / most) * takes;
const conn = (most: number, status: number) => ({
  name: `${most} at a time, the others ${status}`,
  begin: () => limitConn(most, { status }),
  least: atATime(most),
});
const req = (seconds: number, burst: number, status: number) => ({
  name: `one each ${seconds} s, ${burst} may wait, the others ${status}`,
  begin: () => limitReq(seconds * 1000, burst, { status }),
  least: (requests: number) => (requests - 1) * seconds * 1000,
});
const windows = (requests: number, seconds: number) => (all: number) =>
  Math.floor((all - 1) / requests) * seconds * 1000;

export const free: Row = { name: "none", begin: () => noLimit, least: atATime(MOST) };
/** Laravel's throttle. */
export const laravel: Row = {
  name: "60 a minute, and says what is left",
  begin: () => throttle({ requests: 60, seconds: 60 }),
  least: windows(60, 60),
};
export const limiters: readonly Row[] = [
  free,
  laravel,
  conn(2, 429),
  conn(2, 503),
  conn(5, 503),
  {
    name: "2 at a time, the others 503, and each is 100 ms away",
    begin: () => limitConn(2, { status: 503 }),
    // The third may leave when an answer has come back.
    least: atATime(2, TAKES + 200),
    away: 100,
  },
  {
    name: "5 a second, 12 may wait, 8 of them for nothing, the others 503",
    begin: () => limitReq(200, 12, { status: 503 }, 8),
    least: (requests) => Math.max(0, requests - 12) * 200,
  },
  {
    name: "5 a second, 0 may wait, the others 503, and each is 100 ms away",
    begin: () => limitReq(200, 0, { status: 503 }),
    least: (requests) => (requests - 1) * 200,
    away: 100,
  },
  req(1, 0, 429),
  req(1, 0, 503),
  req(6, 0, 429),
  {
    ...req(6, 0, 503),
    name: "one each 6 s, 0 may wait, the others 503, and a program that sends 10 a minute",
    settings: { requestsPerMinute: "10" },
  },
  {
    name: "20 at once, then one each 1 s, the others 503",
    begin: () => limitReqNoDelay(1000, 20, { status: 503 }),
    least: (requests) => (requests - 20) * 1000,
  },
  {
    name: "10 in 5 s, the others 429 with Retry-After",
    begin: () => retryAfterAlone(throttle({ requests: 10, seconds: 5 })),
    least: windows(10, 5),
  },
  {
    name: "60 a minute, and says nothing",
    begin: () => silent(throttle({ requests: 60, seconds: 60 })),
    least: windows(60, 60),
  },
  {
    name: "60 a minute, says nothing, and an earlier command has sent 60",
    begin: () => usedUp(silent(throttle({ requests: 60, seconds: 60 })), 60),
    least: (requests) => windows(60, 60)(requests + 60),
  },
  {
    name: "10 in the last 5 s, those that it refuses included",
    begin: () => slidingWindow(10, 5),
    least: windows(10, 5),
  },
  { name: "4 workers, the others wait", begin: () => workers(4, TAKES), least: atATime(4) },
  {
    name: "none, and each answer takes 12 s",
    begin: () => noLimit,
    least: atATime(MOST, 12_000),
    takes: 12_000,
    settings: { requestTimeout: "30" },
  },
  {
    name: "33 % a 503 by chance, however many",
    begin: () => byChance(0.33, { status: 503 }),
    least: (requests: number) => atATime(MOST)(requests / 0.67),
  },
  {
    name: "a 502 for 5 s, as while it is started again",
    begin: () => restarts(500, 5000, { status: 502 }),
    least: (requests: number) => 5000 + atATime(MOST)(requests),
  },
];

export const verbs = ["create", "update", "delete"] as const;
export type Verb = (typeof verbs)[number];
export const steps: Record<Verb, (here: Run, id: number) => Promise<unknown>> = {
  create: (here, id) => create(here, stateOf(id)),
  update: (here, id) => update(here, `${id}`, stateOf(id), { ...stateOf(id), privacy: "public" }),
  delete: (here, id) => remove(here, `${id}`, stateOf(id)),
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let answer = (_: Request): Promise<object> => Promise.reject(new Error("no service"));
/** In place of the transport. */
export const send = (request: Request) => answer(request);

/** Chance that is the same each time, from 0 up to 1. */
function chance(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** A request that came to a service. */
interface Entry {
  readonly method: string;
  readonly isRefused: boolean;
  /** What its limiter answered in the service's place; 0 if it took it. */
  readonly status: number;
}

/** A service behind a limiter, and what comes to it. Its answers overtake one another. */
export function serviceBehind(limiter: Limiter, state: ReturnType<typeof stateFor>, takes: number, away = 0) {
  const log: Entry[] = [];
  let inFlight = 0;
  let most = 0;
  const random = chance(7);
  const about = (time: number) => Math.max(1, Math.round(time * (0.5 + random())));
  answer = async ({ method, path, query, form }) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    if (away > 0) await wait(about(away));
    const { headers = {}, ...admission } = limiter.admit(performance.now(), { method, path });
    const isRefused = "status" in admission;
    log.push({ method, isRefused, status: "status" in admission ? admission.status : 0 });
    await wait(isRefused ? about(5) : admission.waits + about(takes));
    // nginx counts a connection until shortly after its last answer, and a POST has one of its own.
    if (!isRefused && method === "POST") setTimeout(() => limiter.leave(), ENDS);
    else if (!isRefused) limiter.leave();
    if (away > 0) await wait(about(away));
    // As `send` does.
    if (method === "POST" && !isRefused) await wait(5);
    inFlight -= 1;
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    if (isRefused)
      return {
        status: admission.status,
        headers: { ...Object.fromEntries(lower), "content-type": "text/html" },
        text: "<html>",
      };
    const asked = { authorization: "Bearer local-key", accept: "application/json" };
    const head = { method, path, query: new URLSearchParams(query), headers: asked, origin: "" };
    const { response, change } = respond(state, {
      ...withBody(head, ""),
      form: new URLSearchParams(form),
    });
    change?.();
    if (admission.answers !== undefined)
      return { status: admission.answers.status, headers: { "content-type": "text/html" }, text: "<html>" };
    const text = JSON.stringify(response.body ?? "");
    const date = new Date().toUTCString();
    return { status: response.status, headers: { date, ...Object.fromEntries(lower) }, text };
  };
  return { log, most: () => most };
}

let addresses = 0;
/** A run of a program against a service of its own address. */
export function runAt(settings: Record<string, string> = {}): Run {
  addresses += 1;
  const analyticsBaseUrl = `https://${addresses}.limiter.example`;
  return { ...run(website, { apiKey: "local-key", analyticsBaseUrl, ...settings }), sleep: wait };
}

/** Of a program that runs again at once, about as long as the engine takes to begin. */
const BETWEEN_UPS_MS = 2000;
const MAX_UPS = 100;

/** What came of one step with each of the websites behind a limiter. */
export interface Measured {
  /** How often the command was run until all was done: the engine begins nothing after a failure, and each run starts anew. */
  readonly ups: number;
  readonly messages: readonly string[];
  readonly sent: readonly Entry[];
  /** Milliseconds in all. */
  readonly took: number;
  readonly rows: ReturnType<ReturnType<typeof stateFor>["tables"]["website"]["all"]>;
}

/** Runs a step with each of the websites behind a limiter, again until all are done. Checks what the service has then. */
export async function measure(
  { begin, takes = TAKES, away = 0, settings = {} }: Row,
  verb: Verb,
  count = COUNT,
): Promise<Measured> {
  vi.spyOn(Math, "random").mockImplementation(chance());
  const state = stateFor({ seed: { websites: verb === "create" ? [] : upTo(count).map(site) } });
  const { log, most } = serviceBehind(begin(), state, takes, away);
  const left = new Set(upTo(count));
  const messages: string[] = [];
  let took = 0;
  let ups = 0;
  for (; left.size > 0 && ups < MAX_UPS; ups += 1) {
    const here = runAt(settings);
    const began = performance.now();
    const waiting = [...left];
    let hasFailed = false;
    const worker = async () => {
      for (let id = waiting.shift(); id !== undefined && !hasFailed; id = waiting.shift())
        await steps[verb](here, id).then(
          () => left.delete(id as number),
          (error: Error) => {
            hasFailed = true;
            messages.push(error.message);
          },
        );
    };
    const all = Promise.all(upTo(MOST).map(worker)).then(() => {
      took += performance.now() - began;
      return wait(BETWEEN_UPS_MS);
    });
    await vi.runAllTimersAsync();
    await all;
  }
  const rows = state.tables.website.all();
  expect({
    left: left.size,
    records: new Set(rows.map(({ domain }) => domain)).size,
    rows: rows.length,
  }).toEqual({
    left: 0,
    records: verb === "delete" ? 0 : count,
    rows: verb === "delete" ? 0 : count,
  });
  expect(rows.filter(({ privacy }) => privacy !== (verb === "update" ? 0 : 1))).toEqual([]);
  expect(most()).toBeLessThanOrEqual(MOST);
  return { ups, messages, sent: log, took, rows };
}
