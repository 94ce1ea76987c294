import { expect, test } from "vitest";
import { RateLimiter } from "../../../emulator/service/rate-limit";
import { service, websites } from "../../service";

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
  expect(control.websites()).toEqual([]);
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
