import { Agent, get as httpGet, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Fault, FaultReply } from "../../../emulator";
import { startService, type TestService, websites } from "../harness";

const form = { domain: "shop.example" };
const post = { method: "POST", path: websites };

async function troubled(fault: Fault): Promise<TestService> {
  const at = await startService();
  await at.control.addFault(fault);
  return at;
}

/** Everything that comes back over a bare connection, and how it ended. */
function bytesFrom({ url }: TestService, text: string): Promise<{ received: string; code: string }> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve({ received, code: error.code ?? "" }));
    socket.on("end", () => resolve({ received, code: "" }));
  });
}

const request = (method: string, body = "") =>
  [
    `${method} ${websites} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Authorization: Bearer local-key",
    "Accept: application/json",
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
const creation = request("POST", "domain=shop.example");

test.each<[FaultReply, boolean]>([
  ["ok", true],
  ["reset", true],
  ["truncate", true],
  ["half-headers", true],
  ["hang-up", true],
  ["reset-unread", false],
  ["html", false],
  [{ status: 500 }, false],
  [{ status: 201, body: {} }, false],
])("with reply %j and no commit named, whether the record is stored is %j", async (reply, stored) => {
  const at = await troubled({ match: post, reply });
  await at.ask("POST", websites, form).catch(() => undefined);
  await at.control.waitFor({ ...post, phase: "answered" });
  expect(await at.control.websites()).toHaveLength(stored ? 1 : 0);
  expect(await at.control.requests()).toMatchObject([{ committed: stored, fault: 1 }]);
});

test("after commits once the reply is cut", async () => {
  const at = await troubled({ match: post, commit: "after", reply: "reset" });
  await expect(at.ask("POST", websites, form)).rejects.toThrow();
  await at.control.waitFor({ ...post, phase: "committed" });
  expect(await at.control.websites()).toHaveLength(1);
});

test("late commits when it is told to, also beside a twin made meanwhile", async () => {
  const at = await troubled({ match: post, commit: "late", reply: { status: 504 } });
  await at.ask("POST", websites, form);
  expect(await at.control.websites()).toEqual([]);
  await at.ask("POST", websites, form);
  expect(await at.control.releaseLate()).toBe(1);
  expect(await at.control.releaseLate()).toBe(0);
  expect((await at.control.websites()).map(({ id, domain }) => [id, domain])).toEqual([
    [1, "shop.example"],
    [2, "shop.example"],
  ]);
});

test("never changes nothing, though the answer may be the usual one", async () => {
  const at = await startService({ seed: { websites: [{ domain: "shop.example", privacy: 1 }] } });
  await at.control.addFault({ match: { method: "PUT" }, commit: "never" });
  expect(await at.ask("PUT", `${websites}/1`, { privacy: "0" })).toMatchObject({
    status: 200,
    body: { data: { privacy: "0" } },
  });
  expect(await at.control.websites()).toMatchObject([{ privacy: 1 }]);
});

test.each<[FaultReply, string, RegExp]>([
  ["reset", "ECONNRESET", /^$/],
  ["hang-up", "", /^$/],
  ["half-headers", "", /^HTTP\/1\.1 201 [^\n]*\n[^\n]+$/],
])("%s ends the connection with %j", async (reply, code, received) => {
  const at = await troubled({ match: post, reply });
  expect(await bytesFrom(at, creation)).toEqual({ received: expect.stringMatching(received), code });
});

test("reset-unread strikes before the body has come", async () => {
  const at = await troubled({ match: post, reply: "reset-unread" });
  const withoutBody = creation.slice(0, creation.indexOf("domain="));
  expect(await bytesFrom(at, withoutBody)).toEqual({ received: "", code: "ECONNRESET" });
  expect(await at.control.requests()).toMatchObject([
    { form: {}, answered: true, status: null, committed: false },
  ]);
});

test("truncate ends within the JSON", async () => {
  const at = await troubled({ match: post, reply: "truncate" });
  const { received } = await bytesFrom(at, creation);
  const [head, body = ""] = received.split("\r\n\r\n");
  const promised = Number(/content-length: (\d+)/i.exec(head ?? "")?.[1]);
  expect(body.length).toBe(Math.floor(promised / 2));
  expect(body).toMatch(/^\{"data":/);
});

test("stall answers nothing, ever", async () => {
  const at = await troubled({ match: post, reply: "stall" });
  const asked = at.ask("POST", websites, form).catch((error: Error) => error);
  await at.control.waitFor({ ...post, phase: "committed" });
  expect(await at.control.requests()).toMatchObject([{ answered: false, status: null }]);
  await at.close();
  expect(await asked).toBeInstanceOf(Error);
});

test("html is a page with the status that was asked for", async () => {
  const at = await troubled({ match: {}, reply: "html", status: 502 });
  await at.control.addFault({ match: {}, reply: "html" });
  for (const status of [502, 200])
    expect(await at.ask("GET", websites)).toMatchObject({ status, body: expect.stringContaining("<html") });
});

test("close promises to keep the connection and then ends it", async () => {
  const at = await troubled({ match: {}, reply: "close" });
  const { received, code } = await bytesFrom(at, request("GET"));
  expect(received).toMatch(/keep-alive/i);
  expect(received).toMatch(/"status":200\}$/);
  expect(code).toBe("");
});

test("trickle sends the body byte by byte", async () => {
  const at = await troubled({ match: {}, reply: "trickle", byteMs: 0 });
  const pieces = await new Promise<string[]>((resolve) => {
    const headers = { Authorization: "Bearer local-key", Accept: "application/json" };
    httpGet(`${at.url}${websites}`, { headers, agent: new Agent() }, (answer: IncomingMessage) => {
      const received: string[] = [];
      answer.on("data", (piece) => received.push(String(piece)));
      answer.on("end", () => resolve(received));
    });
  });
  expect(pieces.length).toBeGreaterThan(10);
  expect(JSON.parse(pieces.join(""))).toMatchObject({ data: [], status: 200 });
});

test.each<[FaultReply, string]>([
  ["endless", "identity"],
  ["gzip-bomb", "gzip"],
])("%s sends more than anyone wants, for as long as it is read", async (reply, encoding) => {
  const at = await troubled({ match: {}, reply });
  const answer = await fetch(`${at.url}${websites}`);
  expect(answer.headers.get("content-encoding")).toBe(encoding);
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > 8 * 1024 * 1024) break;
  }
  expect(size).toBeGreaterThan(8 * 1024 * 1024);
});

test("an answer of one's own may have any status, headers and body", async () => {
  const at = await startService();
  const own = (reply: FaultReply) => at.control.addFault({ match: {}, reply });
  await own({ status: 503, headers: { "Retry-After": "7" }, body: "<h1>Back soon</h1>" });
  await own({
    status: 200,
    headers: { "Content-Type": "application/json" },
    body: '{"data":{"id":9007199254740993}}',
  });
  await own({ body: { data: [] } });
  await own({ body: null });
  const busy = await at.ask("GET", websites);
  expect([busy.status, busy.headers.get("retry-after"), busy.body]).toEqual([503, "7", "<h1>Back soon</h1>"]);
  expect((await at.ask("GET", websites)).headers.get("content-type")).toBe("application/json");
  expect((await at.ask("GET", websites)).body).toEqual({ data: [] });
  expect((await at.ask("GET", websites)).body).toBeNull();
});

test("raw bytes go out as they are", async () => {
  const raw = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
  const at = await troubled({ match: {}, reply: { raw } });
  expect(await bytesFrom(at, request("GET"))).toEqual({ received: raw, code: "" });
});

test("a delay lies between the commit and the reply", async () => {
  const at = await troubled({ match: post, delay: 60_000 });
  const asked = at.ask("POST", websites, form).catch((error: Error) => error);
  await at.control.waitFor({ ...post, phase: "committed" });
  expect(await at.control.requests()).toMatchObject([{ answered: false }]);
  await at.close();
  expect(await asked).toBeInstanceOf(Error);
});

test("nth and times say which of the matching requests are struck", async () => {
  const at = await troubled({ match: { method: "GET", nth: 2, times: 2 }, reply: { status: 500 } });
  await at.ask("POST", websites, form);
  const statuses: number[] = [];
  for (let times = 0; times < 5; times += 1) statuses.push((await at.ask("GET", websites)).status);
  expect(statuses).toEqual([200, 500, 500, 200, 200]);
});

test("times 0 is for ever, until faults are cleared", async () => {
  const at = await troubled({ match: { times: 0 }, reply: { status: 500 } });
  for (let times = 0; times < 3; times += 1) expect((await at.ask("GET", websites)).status).toBe(500);
  await at.control.clearFaults();
  expect((await at.ask("GET", websites)).status).toBe(200);
});

test("a fault can be for a path, the beginning of one, or the values of fields", async () => {
  const at = await startService();
  const { control, ask } = at;
  await control.addFault({ match: { path: `${websites}/*`, times: 0 }, reply: { status: 500 } });
  await control.addFault({ match: { field: { domain: "bad.example" } }, reply: { status: 409 } });
  await control.addFault({ match: { field: { search: "x" } }, reply: { status: 418 } });
  expect((await ask("GET", websites)).status).toBe(200);
  expect((await ask("GET", `${websites}/1`)).status).toBe(500);
  expect((await ask("POST", websites, form)).status).toBe(201);
  expect((await ask("POST", websites, { domain: "bad.example" })).status).toBe(409);
  expect((await ask("GET", `${websites}?search=x`)).status).toBe(418);
});

test("a key can be echoed in every failure: in header, body and redirect", async () => {
  const at = await startService();
  await at.control.configure({ echoKey: true });
  const wrong = { Authorization: "Bearer s3cret" };
  const refused = await at.ask("GET", websites, undefined, wrong);
  expect(refused.body).toEqual({ message: "Unauthenticated. (Bearer s3cret)" });
  expect(refused.headers.get("x-debug-key")).toBe("Bearer s3cret");
  const redirected = await at.ask("GET", websites, undefined, { ...wrong, Accept: "*/*" });
  expect(redirected.headers.get("location")).toBe(`${at.url}/login?key=Bearer+s3cret`);
  const invalid = await at.ask("POST", websites, {});
  expect(invalid.body).toMatchObject({
    message: { domain: ["The domain field is required. (Bearer local-key)"] },
  });
  expect((await at.ask("GET", "/api/items/all?api_key=s3cret")).body).toMatchObject({
    msg: expect.stringContaining("s3cret"),
  });
  expect(JSON.stringify((await at.ask("GET", websites)).body)).not.toContain("local-key");
});
