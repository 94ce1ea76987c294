import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stateFor } from "../../../emulator/server";
import { withBody } from "../../../emulator/service/request";
import type { respond } from "../../../emulator/service/router";
import type { Request } from "../../../provider/api/api";
import { create, remove, update } from "../../../provider/lifecycle";
import { website } from "../../../provider/resources";
import { serviceOf, type Ways } from "../../service/ways";
import { type Run, run } from "../harness";
import { site, stateOf, upTo } from "../sites";

vi.mock("../../../provider/api/http", async (original) => ({
  ...(await original<object>()),
  send: (request: Request) => answer(request),
}));

const COUNT = 200;
const all = upTo(COUNT);
/** How long an answer takes, in milliseconds. */
let latency = (_: Request) => 20;
let state = stateFor({});
let service: typeof respond = serviceOf({});
let accepted: string[] = [];

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

async function answer(request: Request) {
  const { method, path, query, form } = request;
  const headers = { authorization: "Bearer local-key", accept: "application/json" };
  const head = { method, path, query: new URLSearchParams(query), headers, origin: "" };
  const asked = { ...withBody(head, ""), form: new URLSearchParams(form) };
  await wait(latency(request) / 2);
  const { response, change } = service(state, asked);
  change?.();
  if (response.status !== 429) accepted.push(method);
  await wait(latency(request) / 2);
  return { status: response.status, headers: {}, text: JSON.stringify(response.body ?? "") };
}
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const steps: Record<string, (here: Run, id: number) => Promise<unknown>> = {
  POST: (here, id) => create(here, stateOf(id)),
  PUT: (here, id) => update(here, `${id}`, stateOf(id), { ...stateOf(id), privacy: "public" }),
  DELETE: (here, id) => remove(here, `${id}`, stateOf(id)),
};

/** Does one step with each of the websites. Returns the milliseconds that it took, after which all are done. */
async function doAll(method: string, ways: Ways, settings: Record<string, string> = {}): Promise<number> {
  state = stateFor({ seed: { websites: method === "POST" ? [] : all.map(site) } });
  service = serviceOf(ways);
  accepted = [];
  const analyticsBaseUrl = `https://${expect.getState().currentTestName?.replace(/\W+/g, "-")}.example`;
  const here = run(website, { apiKey: "local-key", analyticsBaseUrl, ...settings });
  const began = performance.now();
  const done = Promise.all(all.map((id) => steps[method]?.(here, id)));
  await Promise.all([vi.runAllTimersAsync(), done]);
  const left = state.tables.website.all();
  expect(left).toHaveLength(method === "DELETE" ? 0 : COUNT);
  expect(left.filter(({ privacy }) => privacy !== (method === "PUT" ? 0 : 1))).toEqual([]);
  return performance.now() - began;
}

test.each(["POST", "PUT", "DELETE"])(
  "200 %ss behind a limiter without burst end in at most 2.2 times the least possible time",
  async (method) => {
    latency = () => 20;
    const took = await doAll(method, { interval: 2000 });
    expect(took / (COUNT * 2000)).toBeLessThanOrEqual(2.2);
  },
);

test.each(["POST", "PUT", "DELETE"])(
  "200 %ss at 60 requests a minute end in at most 1.5 times the least possible time, and none is turned away",
  async (method) => {
    latency = () => 20;
    const took = await doAll(method, { interval: 900 }, { requestsPerMinute: "60" });
    expect(took / (COUNT * 1000)).toBeLessThanOrEqual(1.5);
  },
);

test.each(["POST", "PUT", "DELETE"])("200 %ss end if every look takes 12 s", async (method) => {
  latency = ({ method }) => (method === "GET" ? 12_000 : 20);
  await doAll(method, {}, { requestTimeout: "30" });
  expect(accepted.filter((each) => each === "GET").length).toBeLessThanOrEqual(4);
});
