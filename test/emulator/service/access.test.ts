import { expect, test } from "vitest";
import { RateLimiter } from "../../../emulator/service/rate-limit";
import { pixels, service, websites } from "../../service";

const form = { domain: "a.example" };

test("a bad key is 401 to those who ask for JSON first, and to all others a redirect to a page to log in", async () => {
  const { ask, url } = await service();
  for (const Authorization of ["Bearer wrong", "", "Basic local-key"]) {
    const told = await ask("GET", websites, undefined, { Authorization });
    expect(told).toMatchObject({ status: 401, body: { message: "Unauthenticated." } });
    for (const Accept of ["*/*", "text/html, application/json"])
      for (const method of ["GET", "DELETE"]) {
        const sent = await ask(method, `${websites}/1`, undefined, { Authorization, Accept });
        expect(sent.status).toBe(302);
        expect(sent.headers.get("location")).toBe(`${url}/login`);
      }
  }
  const page = await ask("GET", "/login", undefined, { Accept: "*/*" });
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining("<!DOCTYPE html>") });
});

test("keys come, go, and may open some of the services only", async () => {
  const { ask, control } = await service({ apiKey: "first" });
  const as = (key: string) => ({ Authorization: `Bearer ${key}` });
  expect(await ask("GET", websites, undefined, as("first"))).toMatchObject({ status: 200 });
  await control.addKey("second", ["analytics"]);
  expect(await ask("GET", websites, undefined, as("second"))).toMatchObject({ status: 200 });
  expect(await ask("GET", pixels, undefined, as("second"))).toMatchObject({
    status: 403,
    body: { message: "Forbidden.", status: 403 },
  });
  expect(await control.revokeKey("first")).toBe(true);
  expect(await control.revokeKey("first")).toBe(false);
  expect(await ask("GET", websites, undefined, as("first"))).toMatchObject({ status: 401 });
  expect(await control.keys()).toEqual([{ key: "second", services: ["analytics"] }]);
});

test("a method that isn't offered is 405 and says which are", async () => {
  const { ask } = await service();
  const onAll = await ask("PUT", websites, { privacy: "1" });
  expect([onAll.status, onAll.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  const onOne = await ask("POST", `${websites}/1`, form);
  expect([onOne.status, onOne.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT, PATCH, DELETE"]);
});

test("doubled and trailing slashes are redirected, so that a followed POST reads the list", async () => {
  const { ask, url, control } = await service();
  const told = await ask("POST", `/${websites}`, form);
  expect([told.status, told.headers.get("location")]).toEqual([301, `${url}${websites}`]);
  const withQuery = await ask("GET", `${websites}/?page=2&search=a%26b`);
  expect(withQuery.headers.get("location")).toBe(`${url}${websites}?page=2&search=a%26b`);
  const followed = await fetch(`${url}${websites}/`, {
    method: "POST",
    headers: { Authorization: "Bearer local-key", Accept: "application/json" },
    body: new URLSearchParams(form),
  });
  expect([followed.status, await followed.json()]).toMatchObject([200, { data: [] }]);
  expect(await control.websites()).toEqual([]);
});

test("as many requests as allowed are let through, each with what is left, and the next is turned away", async () => {
  const { ask, control } = await service({ rateLimit: { requests: 2, seconds: 60 } });
  for (const left of ["1", "0"]) {
    const { headers } = await ask("GET", pixels);
    expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual(["2", left]);
  }
  const before = Date.now() / 1000;
  const { status, headers, body } = await ask("POST", websites, form);
  expect([status, body]).toEqual([429, { message: "Too Many Attempts." }]);
  expect(headers.get("x-ratelimit-remaining")).toBe("0");
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThanOrEqual(Math.floor(before));
  expect(await control.websites()).toEqual([]);
  await control.configure({ rateLimit: { requests: 60, seconds: 60 } });
  expect(await ask("POST", websites, form)).toMatchObject({ status: 201 });
});

test("refused requests count too, and each key has a window of its own", async () => {
  const { ask, control } = await service({ rateLimit: { requests: 1, seconds: 60 } });
  await control.addKey("other");
  expect(await ask("POST", websites, {})).toMatchObject({ status: 422 });
  expect(await ask("GET", websites)).toMatchObject({ status: 429 });
  expect(await ask("GET", websites, undefined, { Authorization: "Bearer other" })).toMatchObject({
    status: 200,
  });
});

test("a window begins with its first request and ends on time", () => {
  const limiter = new RateLimiter();
  const limit = { requests: 2, seconds: 6 };
  const at = (ms: number) => limiter.admit("key", limit, ms);
  expect(at(10_000)).toEqual({ limit: 2, remaining: 1, resetsAt: 16 });
  expect(at(12_000)).toEqual({ limit: 2, remaining: 0, resetsAt: 16 });
  expect(at(12_500)).toEqual({ limit: 2, remaining: 0, resetsAt: 16, retryAfter: 4 });
  expect(at(15_999)).toMatchObject({ retryAfter: 1 });
  expect(at(16_000)).toEqual({ limit: 2, remaining: 1, resetsAt: 22 });
});
