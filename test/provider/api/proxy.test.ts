import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createApi } from "../../../provider/api/client";
import { send } from "../../../provider/api/http";
import { listening } from "../../listening";
import { rejection } from "../../rejection";
import { endpointAt } from "../endpoint";
import { world } from "../harness";
import { certificate } from "./certificate";
import { startProxy } from "./proxy";

const path = "/api/v1/pixels";
const form = { name: "P", type: "bing", value: "1" };

/** The environment of this test, and none of the machine's own proxies. */
function environment(set: Record<string, string>): void {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]) {
    vi.stubEnv(name, set[name]);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
  onTestFinished(() => void vi.unstubAllEnvs());
}
beforeEach(() => environment({}));

const silent = { warn: () => {}, debug: () => {} };

async function store(url: string, more: { proxy?: string } = { proxy: "HTTP_PROXY" }): Promise<void> {
  const api = createApi({ ...endpointAt(url, {}, process.env, "data"), ...more }, silent);
  await api({ method: "POST", path, form });
  await api({ method: "GET", path });
}

let services = 0;
/** The address of another service each time, so that what one refused says nothing to the next. Only a proxy would look for it. */
const nowhere = () => `http://localhost:${++services}`;

test("HTTP_PROXY opens a tunnel for all that goes by http", async () => {
  const [{ url, control }, proxy] = [await world(), await startProxy()];
  environment({ HTTP_PROXY: proxy.url.replace("//", "//us%40er:pass@") });
  await store(url);
  const { host } = new URL(url);
  expect(proxy.asked).toEqual([`CONNECT ${host}`, `CONNECT ${host}`]);
  expect([...proxy.users]).toEqual(["us@er:pass"]);
  expect(control.pixels()).toMatchObject([form]);
  const api = createApi({ ...endpointAt(url, {}, {}, "data"), proxy: "HTTP_PROXY" }, silent);
  await api({ method: "GET", path });
  await api({ method: "POST", path, form: { ...form, name: "Q" } });
  // A POST has a connection of its own, the others keep one.
  expect(proxy.connections.size).toBe(3);
  environment({ HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1" });
  await api({ method: "GET", path });
  expect(proxy.asked).toHaveLength(3);
});

test("a proxy gets a password with a percent sign of its own as it is, and whom it leads to must be trusted as ever", async () => {
  const [{ url }, proxy] = [await world(), await startProxy()];
  const address = proxy.url.replace("//", "//us%40er:100%@");
  environment({ HTTP_PROXY: address, HTTPS_PROXY: address });
  await store(url);
  const secure = createServer(certificate, (_, answer) => void answer.end("{}"));
  const host = `localhost:${await listening(secure)}`;
  const way = { baseUrl: `https://${host}`, headers: {}, timeout: 60_000, proxy: "HTTPS_PROXY" };
  expect(await rejection(send({ method: "GET", path }, way))).toMatchObject({ outcome: "untrusted" });
  expect(proxy.asked.slice(2)).toEqual([`CONNECT ${host}`]);
  expect([...proxy.users]).toEqual(["us@er:100%"]);
});

test("a service on this machine is asked without a proxy, which would be shown the key", async () => {
  const [{ url, control }, proxy] = [await world(), await startProxy()];
  environment({ HTTP_PROXY: proxy.url });
  await store(url, {});
  expect(proxy.asked).toEqual([]);
  expect(control.pixels()).toMatchObject([form]);
  for (const base of ["http://localhost:1", "http://[::1]:1", "http://127.0.0.9", "https://localhost"])
    expect(endpointAt(base, {}, process.env).proxy, base).toBeUndefined();
  expect(endpointAt("http://localhost.example", { allowInsecureHttp: "true" }, process.env).proxy).toBe(
    "HTTP_PROXY",
  );
});

test.each(["not a url", "socks5://localhost:1080", "pac+https://proxy.example/proxy.pac"])(
  "HTTP_PROXY that is no address of a proxy is named, and nothing counts as sent: %s",
  async (HTTP_PROXY) => {
    environment({ HTTP_PROXY });
    const what = expect.stringContaining("HTTP_PROXY is not an http:// or https:// address");
    const expected = { failure: "unsent", what, details: { advice: "check HTTP_PROXY" } };
    expect(await rejection(store(nowhere()))).toMatchObject(expected);
  },
);

test("a proxy whose own certificate is not trusted is named, and is shown nothing", async () => {
  const proxy = await startProxy({ isSecure: true });
  environment({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
  const error = await rejection(store("https://localhost:81"));
  expect(error).toMatchObject({ failure: "unsent", details: { likelyCause: "proxy" } });
  expect(error.message).toMatch(/through the proxy localhost:\d+ .*its certificate is not trusted/);
  expect(proxy.asked).toEqual([]);
});

test("a proxy that is dead or unknown is named with its variable and without its password, and the service is not blamed", async () => {
  const dead = await startProxy();
  await dead.close();
  for (const url of [dead.url.replace("//", "//user:hunter2@"), "http://proxy.invalid:3128"]) {
    environment({ HTTP_PROXY: url });
    const error = await rejection(store(nowhere()));
    const details = { likelyCause: "proxy", advice: "check HTTP_PROXY" };
    expect(error).toMatchObject({ failure: "unsent", details });
    expect(error.message).toContain(`through the proxy ${new URL(url).host} (HTTP_PROXY)`);
    expect(error.message).not.toContain("hunter2");
  }
});

test.each([
  [404, "", {}],
  [301, "", { advice: expect.stringMatching(/^check tracking:dataBaseUrl, and HTTP_PROXY$/) }],
  [
    302,
    ", or the proxy answers in its place",
    { advice: expect.stringMatching(/^check tracking:apiKey and tracking:dataBaseUrl, and HTTP_PROXY$/) },
  ],
])("what answers %i in the place of a proxy is named as one", async (status, words, details) => {
  const answer = `HTTP/1.1 ${status} ?\r\ncontent-type: text/html\r\nlocation: https://login.example/\r\n\r\n<p>`;
  const page = createPlainServer().on("connect", (_, socket) => void socket.end(answer));
  const url = `http://127.0.0.1:${await listening(page)}`;
  environment({ HTTP_PROXY: url });
  const error = await rejection(store(nowhere()));
  expect(error).toMatchObject({ details });
  const { message } = error;
  expect(message).toContain(words);
  expect(message).toContain(`through the proxy ${new URL(url).host} (HTTP_PROXY)`);
});
