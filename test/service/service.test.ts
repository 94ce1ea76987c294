import { connect } from "node:net";
import { expect, test } from "vitest";
import { type Fault, type FaultReply, pixels, service, type TestService, websites } from ".";

const form = { domain: "shop.example" };
const post = { method: "POST", path: websites };

async function troubled(fault: Fault): Promise<TestService> {
  const at = await service();
  at.control.addFault(fault);
  return at;
}

/** Everything that comes back over a bare connection, and how it ended. */
function bytesFrom({ url }: TestService): Promise<{ received: string; code: string }> {
  const head = [
    `POST ${websites} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Authorization: Bearer local-key",
    "Content-Type: application/x-www-form-urlencoded",
    "Content-Length: 19",
  ];
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(`${head.join("\r\n")}\r\n\r\ndomain=shop.example`);
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve({ received, code: error.code ?? "" }));
    socket.on("end", () => resolve({ received, code: "" }));
  });
}

const raw = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
test.each<[FaultReply, stored: number, code: string, received: RegExp]>([
  ["reset", 1, "ECONNRESET", /^$/],
  ["reset-unread", 0, "ECONNRESET", /^$/],
  ["hang-up", 1, "", /^$/],
  ["half-headers", 1, "", /^HTTP\/1\.1 201 [^\n]*\n[^\n]+$/],
  ["truncate", 1, "", /\{"data":[^}]+$/],
  ["close", 1, "", /keep-alive.*"status":200\}$/is],
  ["html", 0, "", /^HTTP\/1\.1 200 .*<\/html>\n$/s],
  [{ raw }, 0, "", /^HTTP\/1\.1 200 OK\r\nContent-Length: 2\r\n\r\nhi$/],
  [{ status: 503, headers: { "Retry-After": "7" }, body: null }, 0, "", /retry-after: 7\r\n.*\r\n\r\nnull$/s],
])(
  "the reply %j leaves %i records, and ends the connection with %j",
  async (reply, stored, code, received) => {
    const at = await troubled({ match: post, reply, status: 200 });
    const ended = bytesFrom(at);
    await at.control.waitFor({ ...post, phase: "answered" });
    if (typeof reply !== "string" || reply === "html") await at.close();
    expect(await ended).toEqual({ received: expect.stringMatching(received), code });
    expect(at.control.websites()).toHaveLength(stored);
    expect(at.control.requests()).toMatchObject([{ committed: stored === 1, fault: 1 }]);
  },
);

test("an operation is performed before, after, late or never, whatever the reply says", async () => {
  const at = await service();
  const creating = async (commit: Fault["commit"], status = 504) => {
    at.control.addFault({ match: post, ...(commit && { commit }), reply: { status } });
    await at.ask("POST", websites, form);
    return at.control.websites().map(({ id }) => id);
  };
  expect(await creating("never", 201)).toEqual([]);
  expect(await creating("late")).toEqual([]);
  expect(await creating("before")).toEqual([3]);
  expect(at.control.releaseLate()).toBe(1);
  expect(at.control.websites().map(({ domain }) => domain)).toEqual([form.domain, form.domain]);
});

test("requests are struck by method, path, field, place and number, until faults are cleared", async () => {
  const { control, ask } = await service();
  control.addFault({
    match: { method: "GET", path: `${websites}/*`, nth: 2, times: 2 },
    reply: { status: 500 },
  });
  control.addFault({ match: { field: { search: "x" }, times: 0 }, reply: { status: 418 } });
  const statuses = async (path: string) => {
    const answers = [
      await ask("GET", path),
      await ask("GET", path),
      await ask("GET", path),
      await ask("GET", path),
    ];
    return answers.map(({ status }) => status);
  };
  expect(await statuses(`${websites}/1`)).toEqual([404, 500, 500, 404]);
  expect(await statuses(`${pixels}?search=x`)).toEqual([418, 418, 418, 418]);
  control.clearFaults();
  expect(await statuses(`${pixels}?search=x`)).toEqual([200, 200, 200, 200]);
});

test("a delay lies between the commit and the reply, and a wait tells both apart and names what arrived", async () => {
  const { control, ask, close } = await troubled({ match: post, delay: 60_000 });
  const since = control.mark();
  const asked = ask("POST", websites, form).catch((error: Error) => error);
  expect(await control.waitFor({ ...post, phase: "committed", since })).toMatchObject([{ answered: false }]);
  await expect(control.waitFor({ phase: "answered", timeoutMs: 1 })).rejects.toThrow(
    "to be answered: 0 arrived",
  );
  await close();
  expect(await asked).toBeInstanceOf(Error);
});

test("the log keeps what was sent, but no key and no password", async () => {
  const { control, ask } = await service();
  await ask("POST", `${websites}?api_key=local-key&page=1`, { ...form, password: "s3cret" });
  expect(control.requests()).toMatchObject([
    { query: { api_key: "***", page: "1" }, form: { ...form, password: "***" }, key: "right", status: 201 },
  ]);
  expect(JSON.stringify(control.requests())).not.toMatch(/local-key|s3cret/);
});

test("a service may list, deny, clear and name records in ways of its own", async () => {
  const { control, ask } = await service({ seed: { websites: [{ id: 7, ...form, email: 1 }] } });
  const list = async () => (await ask("GET", websites)).body;
  control.become({ abridged: 0, says: ({ total }) => ({ total }) });
  expect(await list()).toEqual({ data: [], meta: { total: 0 } });
  control.become({ upgraded: true, denials: 1 });
  expect(await list()).toMatchObject({ data: [{ id: "web_7" }] });
  const read = async () => (await ask("GET", `${websites}/web_7`)).status;
  expect([await read(), await read()]).toEqual([404, 200]);
  control.become({ put: "clears", lagMs: 1_000 });
  await ask("PUT", `${websites}/7`, { privacy: "1" });
  expect(control.websites()).toMatchObject([{ privacy: 1, email: 0 }]);
  expect(await list()).toMatchObject({ data: [] });
});
