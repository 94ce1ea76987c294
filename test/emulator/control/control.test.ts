import { createServer } from "node:http";
import { expect, test } from "vitest";
import { connectEmulator, parseSeed, startEmulator } from "../../../emulator";
import { listening } from "../../listening";
import { pixels, startService, websites } from "../harness";

const headers = { Authorization: "Bearer local-key", Accept: "application/json" };

test("it listens on this machine only, at any free port unless one is named", async () => {
  const first = await startService();
  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const port = Number(new URL(first.url).port);
  await expect(startEmulator({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("closing ends open connections and frees the port", async () => {
  const first = await startEmulator();
  const waiting = first.control.waitFor({ path: "/x" }).catch((error: Error) => error);
  await first.control.mark();
  const stalled = first.control
    .addFault({ match: {}, reply: "stall" })
    .then(() => fetch(`${first.url}${websites}`, { headers }));
  const caught = stalled.catch((error: Error) => error);
  await first.control.waitFor({ path: websites });
  await first.close();
  expect(await caught).toBeInstanceOf(Error);
  expect(await waiting).toBeInstanceOf(Error);
  const second = await startEmulator({ port: Number(new URL(first.url).port) });
  await second.close();
});

test("the log keeps what was sent, but no key and no password", async () => {
  const { control, ask } = await startService();
  await ask("POST", `${websites}?api_key=local-key&page=1`, { domain: "a.example", password: "s3cret" });
  const [entry] = await control.requests();
  expect(entry).toMatchObject({
    index: 0,
    method: "POST",
    path: websites,
    query: { api_key: "***", page: "1" },
    key: "right",
    form: { domain: "a.example", password: "***" },
    json: {},
    fault: null,
    answered: true,
    status: 201,
    committed: true,
  });
  expect(entry?.headers).toMatchObject({ accept: "application/json" });
  expect(JSON.stringify(entry)).not.toMatch(/local-key|s3cret/);
  await ask("GET", websites, undefined, { Authorization: "Bearer wrong" });
  await ask("GET", websites, undefined, { Authorization: "" });
  expect((await control.requests()).map(({ key, status }) => [key, status])).toEqual([
    ["right", 201],
    ["wrong", 401],
    ["none", 401],
  ]);
});

test("waitFor resolves as soon as there are enough requests since a mark", async () => {
  const { control, ask } = await startService();
  await ask("GET", websites);
  const since = await control.mark();
  const waiting = control.waitFor({ method: "get", path: "/api/v1/*", count: 2, since, phase: "answered" });
  await ask("GET", websites);
  await ask("POST", pixels, {});
  await ask("GET", pixels);
  expect((await waiting).map(({ path }) => path)).toEqual([websites, pixels]);
  expect(await control.waitFor({ status: 422 })).toMatchObject([{ method: "POST" }]);
});

test("waitFor tells receiving from answering, and answering from committing", async () => {
  const { control, ask } = await startService();
  await control.addFault({ match: {}, commit: "never", delay: 60_000 });
  void ask("POST", websites, { domain: "a.example" }).catch(() => undefined);
  expect(await control.waitFor({ method: "POST" })).toMatchObject([{ answered: false, committed: false }]);
  await expect(control.waitFor({ phase: "answered", timeoutMs: 1 })).rejects.toThrow(
    "to be answered: none arrived",
  );
});

test("waitFor gives up in time, and says what it waited for and what there was", async () => {
  const { control, ask } = await startService();
  await ask("GET", websites);
  await expect(control.waitFor({ method: "GET", path: websites, count: 2, timeoutMs: 1 })).rejects.toThrow(
    `Timed out waiting for 2 × GET ${websites} to be received: only 1 arrived`,
  );
});

test("a command that makes no sense is refused with the place and the reason", async () => {
  const { control, url } = await startService();
  await expect(control.configure(JSON.parse('{"dialect":"klingon"}'))).rejects.toThrow("settings.dialect:");
  await expect(control.addFault(JSON.parse('{"match":{},"reply":"explode"}'))).rejects.toThrow(
    "fault.reply:",
  );
  expect((await fetch(`${url}/_emulator/explode`, { method: "POST" })).status).toBe(404);
  expect((await fetch(`${url}/_emulator/toString`, { method: "POST" })).status).toBe(404);
  expect((await fetch(`${url}/_emulator/websites`)).status).toBe(404);
  expect((await fetch(`${url}/_emulator/seed`, { method: "POST", body: "{" })).status).toBe(400);
});

test("the client says so when there is no emulator, or something else", async () => {
  const other = createServer((_request, response) => void response.writeHead(500).end("no"));
  await expect(connectEmulator(`http://127.0.0.1:${await listening(other)}`).websites()).rejects.toThrow(
    "refused: no",
  );
  await expect(connectEmulator("http://127.0.0.1:1").websites()).rejects.toMatchObject({
    code: "ECONNREFUSED",
  });
});

test.each([
  ["[", "it is not JSON"],
  ['{"sites":[]}', 'it: Unrecognized key: "sites"'],
  ['{"websites":[{"domain":1}]}', "websites[0].domain:"],
])("the seed %s is refused: %s", (json, reason) => {
  expect(() => parseSeed(json)).toThrow(reason);
});
