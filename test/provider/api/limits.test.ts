import { expect, onTestFinished, test, vi } from "vitest";
import type { Request } from "../../../provider/api/api";
import { pixel } from "../../../provider/resources";
import { rejection } from "../../rejection";
import { run, world } from "../harness";
import { stateOf, upTo } from "../sites";

const list: Request = { method: "GET", path: "/api/v1/websites" };
const show = (id: number): Request => ({ method: "GET", path: `/api/v1/websites/${id}` });

test("a rejected key is sent once for hundreds of records, and the first error alone has the remedy", async () => {
  const here = await world();
  const session = here.session({ apiKey: "wrong" });
  const errors = await Promise.all(
    upTo(325).map(async (id) => (await rejection(session.read(String(id), stateOf(id)))).message),
  );
  expect(here.control.requests()).toHaveLength(1);
  expect(new Set(errors.map((each) => /rejects the API key \(401/.test(each)))).toEqual(new Set([true]));
  expect(errors.filter((each) => each.includes("apiKey of"))).toHaveLength(1);
});

test("another client of the process does not send a rejected key, but sends another one", async () => {
  const { at, control, later } = await world();
  await rejection(later({ apiKey: "wrong" }).api(list));
  expect(await rejection(later({ apiKey: "wrong" }).api(show(7)))).toMatchObject({
    failure: "unauthorised",
    request: show(7),
  });
  expect(control.requests()).toHaveLength(1);
  expect((await at.api(list)).status).toBe(200);
});

test("a key that one service rejects is sent to the others", async () => {
  const { at, control, settings } = await world();
  control.addFault({ match: { path: list.path, times: 0 }, reply: { status: 401, body: {} } });
  await rejection(at.api(list));
  expect((await run(pixel, settings).api({ method: "GET", path: pixel.path })).status).toBe(200);
});

test("a key that was rejected while it worked elsewhere is no rejected key", async () => {
  const { at, control } = await world();
  control.addFault({
    match: { path: "/api/v1/websites/1", times: 0 },
    reply: { status: 401, body: {} },
  });
  control.addFault({ match: { path: list.path }, delay: 50 });
  const [, works] = await Promise.all([rejection(at.api(show(1))), at.api(list)]);
  expect(works.status).toBe(200);
  expect(await rejection(at.api(show(2)))).toMatchObject({ failure: "missing" });
});

test("a rejected key is tried again after a while", async () => {
  const { later, control } = await world();
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { api } = later({ apiKey: "wrong" });
  for (const [wait, sent] of [
    [0, 1],
    [9_999, 1],
    [1, 2],
  ] as const) {
    vi.advanceTimersByTime(wait);
    await rejection(api(list));
    expect(control.requests()).toHaveLength(sent);
  }
});

test.each([
  [undefined, "120"],
  ["120", undefined],
  ["600", "120"],
  ["120", "600"],
])(
  "of two clients of the process, one with requestsPerMinute %s and one with %s, both keep to the lower one",
  async (...limits) => {
    const { later, control } = await world();
    const apis = limits.map((requestsPerMinute) => later(requestsPerMinute ? { requestsPerMinute } : {}).api);
    const began = performance.now();
    for (const api of apis) await api(list);
    expect(control.requests()).toHaveLength(2);
    expect(performance.now() - began).toBeGreaterThan(450);
  },
);
