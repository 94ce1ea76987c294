import { expect, test } from "vitest";
import { parseSeed, startEmulator } from "../../emulator";
import { service, websites } from "../service";

test("it listens on this machine only, at any free port unless one is named", async () => {
  const first = await service();
  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  // Another address of this machine, where the system has it.
  await expect(fetch(first.url.replace("127.0.0.1", "127.0.0.2"))).rejects.toThrow();
  const port = Number(new URL(first.url).port);
  await expect(startEmulator({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("without any option it serves as fast as it is asked, until it is closed and its port is free", async () => {
  const { url, close } = await startEmulator();
  const headers = { Authorization: "Bearer local-key", Accept: "application/json" };
  const body = new URLSearchParams({ domain: "shop.example" });
  const stored = await fetch(url + websites, { method: "POST", headers, body });
  expect([stored.status, stored.headers.get("x-ratelimit-remaining")]).toEqual([201, null]);
  expect(await (await fetch(url + websites, { headers })).json()).toMatchObject({ data: { length: 1 } });
  await close();
  await expect(fetch(url + websites, { headers })).rejects.toThrow();
  const second = await startEmulator({ port: Number(new URL(url).port) });
  await second.close();
});

test.each([
  ["[", "it is not JSON"],
  ['{"sites":[]}', 'it: Unrecognized key: "sites"'],
  ['{"websites":[{"domain":1}]}', "websites[0].domain:"],
  ['{"websites":[{"domain":"a.example","privacy":3}]}', "websites[0].privacy:"],
])("the seed %s is refused: %s", (json, reason) => {
  expect(() => parseSeed(json)).toThrow(reason);
});
