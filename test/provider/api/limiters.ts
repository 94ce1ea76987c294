import { afterEach, beforeEach, vi } from "vitest";
import { stateFor } from "../../../emulator/server";
import { withBody } from "../../../emulator/service/request";
import { respond } from "../../../emulator/service/router";
import type { Request } from "../../../provider/api/api";
import { create, remove, update } from "../../../provider/lifecycle";
import { website } from "../../../provider/resources";
import {
  byChance,
  everyNth,
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
  workers,
} from "../../service/limiters";
import { type Run, run } from "../harness";
import { site, stateOf, upTo } from "../sites";

/** How many websites each verb is tried with, all at once. */
export const COUNT = 200;
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
  /** How many times the least is allowed; by default 1.5. */
  readonly bounds?: Readonly<Record<Verb, number>>;
  /** What part of the requests may be refused, a tenth by default. */
  readonly mayRefuse?: number;
  /** How long the service works at a request instead. */
  readonly takes?: number;
  readonly settings?: Record<string, string>;
  /** How many milliseconds a request is on its way on average, and an answer. */
  readonly away?: number;
  /** What the service allows a minute. */
  readonly perMinute?: string;
}

const refusal = (status: number, after?: number) => ({
  status,
  headers: after === undefined ? {} : { "Retry-After": `${after}` },
});
const atATime =
  (most: number, takes = TAKES) =>
  (requests: number) =>
    Math.ceil(requests / most) * takes;
const conn = (most: number, status: number, after?: number) => ({
  name: `${most} at a time, the others ${status}${after === undefined ? "" : " with Retry-After"}`,
  begin: () => limitConn(most, refusal(status, after)),
  least: atATime(most),
});
const req = (seconds: number, burst: number) =>
  [429, 503].map((status) => ({
    name: `one each ${seconds} s, ${burst} may wait, the others ${status}`,
    begin: () => limitReq(seconds * 1000, burst, refusal(status)),
    least: (requests: number) => (requests - 1) * seconds * 1000,
    perMinute: `${60 / seconds}`,
  }));
const windows = (requests: number, seconds: number) => (all: number) =>
  Math.floor((all - 1) / requests) * seconds * 1000;

export const free: Row = { name: "none", begin: () => noLimit, least: atATime(MOST) };
/** Services that refuse some requests however few there are. The least counts those too. */
export const unsteady: readonly Row[] = [
  {
    name: "each third a 503, however many",
    begin: () => everyNth(3, refusal(503)),
    least: (requests) => atATime(MOST)((requests * 3) / 2),
    // Before a DELETE is sent again, its id is looked under, which a 503 may meet too.
    bounds: { create: 1.5, update: 1.5, delete: 1.75 },
  },
  ...(
    [
      [1, 503],
      [5, 503],
      [20, 503],
      [33, 503],
      [5, 502],
    ] as const
  ).map(([percent, status]) => ({
    name: `${percent} % a ${status} by chance, however many`,
    begin: () => byChance(percent / 100, refusal(status)),
    least: (requests: number) => atATime(MOST)(requests / (1 - percent / 100)),
    // Of 200 creates, which wait for a list of what they may have made, and are fewer at a time after each refusal.
    bounds: { create: 3.5, update: 2.75, delete: 2.75 },
  })),
  ...[502, 503].map((status) => ({
    name: `a ${status} for 5 s, as while it is started again`,
    begin: () => restarts(500, 5000, refusal(status)),
    least: (requests: number) => 5000 + atATime(MOST)(requests),
    // It may have been back for as long as it was away before the next request is sent.
    bounds: { create: 2.25, update: 2.25, delete: 2.25 },
  })),
];
export const limiters: readonly Row[] = [
  ...[2, 5].flatMap((most) => [429, 503].flatMap((status) => [conn(most, status), conn(most, status, 1)])),
  conn(2, 502),
  conn(5, 504),
  {
    name: "2 at a time, the others 503, and each is 100 ms away",
    begin: () => limitConn(2, refusal(503)),
    // The third may leave when an answer has come back.
    least: atATime(2, TAKES + 200),
    away: 100,
  },
  {
    name: "5 a second, 0 may wait, the others 503, and each is 100 ms away",
    begin: () => limitReq(200, 0, refusal(503)),
    least: (requests) => (requests - 1) * 200,
    // One at a time takes 300 ms, and two at a time would risk a 503, by which a create fails.
    bounds: { create: 1.8, update: 1.6, delete: 1.6 },
    away: 100,
    perMinute: "150",
  },
  ...req(1, 0),
  ...req(1, 5),
  ...req(6, 0),
  {
    name: "20 at once, then one each 1 s, the others 503",
    begin: () => limitReqNoDelay(1000, 20, refusal(503)),
    least: (requests) => (requests - 20) * 1000,
    // When the first 20 are used up, sixteen are on their way.
    mayRefuse: 0.2,
    perMinute: "60",
  },
  {
    name: "60 a minute, and says what is left",
    begin: () => throttle({ requests: 60, seconds: 60 }),
    least: windows(60, 60),
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
    // When the first minute's are used up, sixteen are on their way, and seven or eight try when it ends.
    mayRefuse: 0.15,
  },
  {
    name: "10 in 5 s, and says nothing",
    begin: () => silent(throttle({ requests: 10, seconds: 5 })),
    least: windows(10, 5),
  },
  {
    name: "10 in the last 5 s, those that it refuses included",
    begin: () => slidingWindow(10, 5),
    least: windows(10, 5),
  },
  {
    name: "one each 0.9 s, and a program that sends 60 a minute",
    begin: () => limitReq(900, 0, refusal(429)),
    least: (requests) => (requests - 1) * 1000,
    settings: { requestsPerMinute: "60" },
  },
  { name: "4 workers, the others wait", begin: () => workers(4, TAKES), least: atATime(4) },
  {
    name: "none, and each answer takes 12 s",
    begin: () => noLimit,
    least: atATime(MOST, 12_000),
    // One more is in flight each round, until there are sixteen.
    bounds: { create: 1.75, update: 1.75, delete: 1.75 },
    takes: 12_000,
    settings: { requestTimeout: "30" },
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

/** A request that came to a service. */
interface Entry {
  readonly method: string;
  readonly isRefused: boolean;
  readonly at: number;
}

/** A service behind a limiter, and what comes to it. */
export function serviceBehind(limiter: Limiter, state: ReturnType<typeof stateFor>, takes: number, away = 0) {
  const log: Entry[] = [];
  let inFlight = 0;
  let most = 0;
  answer = async ({ method, path, query, form }) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    // Requests overtake one another on their way.
    const way = () => wait(Math.round(away * (0.5 + Math.random())));
    if (away > 0) await way();
    const { headers = {}, ...admission } = limiter.admit(performance.now(), { method, path });
    const isRefused = "status" in admission;
    log.push({ method, isRefused, at: performance.now() });
    await wait(isRefused ? 1 : admission.waits + takes);
    // nginx counts a connection until shortly after its last answer, and a POST has one of its own.
    if (!isRefused && method === "POST") setTimeout(() => limiter.leave(), ENDS);
    else if (!isRefused) limiter.leave();
    if (away > 0) await way();
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

/** Chance that is the same each time. */
function fixChance(): void {
  let seed = 1;
  vi.spyOn(Math, "random").mockImplementation(() => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed / 0x80000000;
  });
}

let addresses = 0;
/** A run of a program against a service of its own address. */
export function runAt(settings: Record<string, string> = {}): Run {
  addresses += 1;
  const analyticsBaseUrl = `https://${addresses}.limiter.example`;
  return { ...run(website, { apiKey: "local-key", analyticsBaseUrl, ...settings }), sleep: wait };
}

/**
 * What came of one step with each of the websites behind a limiter, and of another run with those that failed, which sends no
 * more than the service allows.
 */
export async function measure(
  { begin, takes = TAKES, away = 0, settings = {}, perMinute }: Row,
  verb: Verb,
  count = COUNT,
) {
  fixChance();
  const state = stateFor({ seed: { websites: verb === "create" ? [] : upTo(count).map(site) } });
  const { log, most } = serviceBehind(begin(), state, takes, away);
  const failed = new Map<number, string>();
  const doAll = async (ids: readonly number[], more = {}) => {
    const here = runAt({ ...settings, ...more });
    const began = performance.now();
    let took = 0;
    const all = ids.map((id) =>
      steps[verb](here, id).then(
        () => failed.delete(id),
        (error: Error) => failed.set(id, error.message),
      ),
    );
    const done = Promise.all(all).then(() => {
      took = performance.now() - began;
    });
    await vi.runAllTimersAsync();
    await done;
    return took;
  };
  const took = await doAll(upTo(count));
  const messages = [...failed.values()];
  const sent = [...log];
  await doAll([...failed.keys()], perMinute && { requestsPerMinute: perMinute });
  return { took, messages, sent, most: most(), left: failed.size, rows: state.tables.website.all() };
}
