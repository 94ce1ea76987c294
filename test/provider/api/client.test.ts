import { beforeEach, expect, test, vi } from "vitest";
import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { createApi } from "../../../provider/api/client";
import { rejection } from "../../rejection";
import { endpointAt } from "../endpoint";
import { world } from "../harness";

const path = "/api/v1/websites";
const get: Request = { method: "GET", path };
const post: Request = { method: "POST", path, form: { domain: "shop.example", privacy: "1" } };

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

/** A client of a service, and what it sends and prints. */
function way(url: string, settings: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}) {
  const said: string[] = [];
  const logged: string[] = [];
  const voice = { warn: (text: string) => said.push(text), debug: (text: string) => logged.push(text) };
  const api: Api = createApi(endpointAt(url, settings, env), voice);
  return { api, said, logged };
}
const failed = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await rejection(promise);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

test("a wait above maxRetryWait fails at once and names the wait and the setting", async () => {
  const here = await world();
  const reply = { status: 429, headers: { "Retry-After": "61" }, body: { message: "Slow down." } };
  here.control.addFault({ match: {}, reply });
  const error = await failed(way(here.url, { maxRetryWait: "60" }).api(post));
  expect(error).toMatchObject({ failure: "rejected", details: { status: 429 } });
  expect(error.reason).toBe(
    "the service is throttling requests (429: Slow down.); it asks to wait 61 s, more than is left of tracking:maxRetryWait (60 s)",
  );
  expect(here.control.requests()).toHaveLength(1);
});

test("a log-in page of a server in front of the service is answered by the setting for what that server demands", async () => {
  const here = await world();
  const headers = { location: "https://team.cloudflareaccess.com/cdn-cgi/access/login" };
  here.control.addFault({ match: {}, reply: { status: 302, headers, body: "" } });
  const { what, details } = await failed(way(here.url).api(get));
  expect(what).toMatch(/^a server in front of the service redirects to its log-in page \(302 to https:/);
  expect(details.advice).toBe(
    "set tracking:headers to what that server demands, or check tracking:analyticsBaseUrl",
  );
});

test("a run that is cancelled while a request waits to be sent again tells what had failed, and sends no more", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.9);
  const here = await world();
  here.control.addFault({ match: { times: 0 }, commit: "never", reply: { status: 500 } });
  const cancellation = new AbortController();
  const api = createApi(endpointAt(here.url), { warn: () => {}, debug: () => {} }, cancellation.signal);
  const asked = failed(api(get));
  await here.control.waitFor(({ answered }) => answered);
  cancellation.abort();
  expect(await asked).toMatchObject({ details: { status: 500 } });
  expect(here.control.requests()).toHaveLength(1);
});

test("a request leaves one line in the log where it is wanted, and never a key", async () => {
  const here = await world({ apiKey: "canary-key-0123456789" });
  const settings = { apiKey: "canary-key-0123456789" };
  here.control.addFault({ match: { method: "GET" }, reply: { status: 500 } });
  here.control.become({ echoesKey: true });
  const { api, logged } = way(here.url, settings, { TRACKING_LOG: "debug" });
  const { askedAt = 0, answeredAt = 0 } = await api(get);
  expect(askedAt).toBeLessThan(answeredAt);
  expect(logged).toHaveLength(2);
  expect(logged[0]).toMatch(new RegExp(`^GET ${here.url}${path} 500 \\d+ ms, attempt 1$`));
  expect(logged[1]).toMatch(/ 200 \d{1,5} ms, attempt 2$/);
  expect(logged.join()).not.toContain("canary");
  here.control.addFault({ match: { method: "GET" }, reply: "reset" });
  await api(get);
  expect(logged[2]).toMatch(/ lost \d+ ms, attempt 1$/);
  const quiet = way(here.url, settings);
  await quiet.api(get);
  expect(quiet.logged).toEqual([]);
});

test("a service that asks many at once to wait is not held for dead", async () => {
  const here = await world();
  const reply = { status: 503, headers: { "Retry-After": "0.05" }, body: {} };
  here.control.addFault({ match: { times: 9 }, reply });
  const { api } = way(here.url);
  const answers = await Promise.all(Array.from({ length: 16 }, () => api(get)));
  expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
});

test("a request that is refused is sent again before those that have waited for less", async () => {
  const here = await world();
  const reply = { status: 429, headers: { "Retry-After": "0.05" }, body: {} };
  here.control.addFault({ match: { path: `${path}/1` }, reply });
  const { api } = way(here.url);
  const paths = Array.from({ length: 100 }, (_, at) => `${path}/${at + 1}`);
  await Promise.allSettled(paths.map((each) => api({ method: "GET", path: each })));
  const sent = here.control.requests().map((each) => each.path);
  expect(sent.slice(0, 50).filter((each) => each === paths[0])).toHaveLength(2);
});

test("a service that fails now and then is not held for dead, however often", async () => {
  const here = await world();
  const { api } = way(here.url);
  for (let count = 0; count < 12; count += 1) {
    here.control.addFault({ match: {}, reply: { status: 500 } });
    expect(await api(get)).toMatchObject({ status: 200 });
  }
});

test("services at one origin keep one pace, others one of their own", async () => {
  const busy = await world();
  const free = await world();
  busy.control.addFault({ match: {}, reply: { status: 429, headers: { "Retry-After": "0.5" } } });
  const { api, logged } = way(busy.url, {}, { TRACKING_LOG: "debug" });
  const first = api(get);
  await vi.waitUntil(() => logged.length > 0);
  const order: string[] = [];
  const elsewhere = way(free.url)
    .api(get)
    .then(() => order.push("elsewhere"));
  const sameOrigin = way(`${busy.url}/prefix`)
    .api(get)
    .catch(() => undefined)
    .then(() => order.push("same origin"));
  await Promise.all([first, elsewhere, sameOrigin]);
  expect(order).toEqual(["elsewhere", "same origin"]);
});
