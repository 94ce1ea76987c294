import { createServer } from "node:https";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createApi } from "../../../provider/api/client";
import { send, type Transport } from "../../../provider/api/http";
import { listening } from "../../listening";
import { endpointAt, rejection, service } from "../harness";
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

async function store(url: string, more: { proxied?: boolean } = { proxied: true }): Promise<void> {
  const api = createApi(
    { ...endpointAt(url, {}, process.env, "data"), ...more },
    { warn: () => {}, debug: () => {} },
  );
  await api({ method: "POST", path, form });
  await api({ method: "GET", path });
}

test("HTTP_PROXY is asked for everything that goes by http", async () => {
  const [{ url, control }, proxy] = [await service(), await startProxy()];
  environment({ HTTP_PROXY: proxy.url });
  await store(url);
  expect(proxy.asked).toEqual([`POST ${url}${path}`, `GET ${url}${path}`]);
  expect(await control.pixels()).toMatchObject([form]);
});

test("a service on this machine is asked without a proxy, which would be shown the key", async () => {
  const [{ url, control }, proxy] = [await service(), await startProxy()];
  environment({ HTTP_PROXY: proxy.url });
  await store(url, {});
  expect(proxy.asked).toEqual([]);
  expect(await control.pixels()).toMatchObject([form]);
  for (const base of ["http://localhost:1", "http://[::1]:1", "http://127.0.0.9", "https://localhost"])
    expect(endpointAt(base, {}, process.env).proxied, base).toBe(false);
  expect(endpointAt("https://localhost.example", {}, process.env).proxied).toBe(true);
});

test("HTTPS_PROXY opens the way to a service, and whom it leads to must be trusted as ever", async () => {
  const proxy = await startProxy();
  environment({ HTTPS_PROXY: proxy.url });
  const secure = createServer(certificate, (_, answer) => void answer.end("{}"));
  const host = `localhost:${await listening(secure)}`;
  const way: Transport = { baseUrl: `https://${host}`, headers: {}, timeout: 60_000, proxied: true };
  const error = await rejection(send({ method: "POST", path, form }, way));
  expect(error).toMatchObject({ outcome: "untrusted" });
  expect(proxy.asked).toEqual([`CONNECT ${host}`]);
});

test("HTTP_PROXY that is no address is named, and nothing counts as sent", async () => {
  environment({ HTTP_PROXY: "not a url" });
  const remedy = "check HTTP_PROXY and HTTPS_PROXY";
  const what = "http://localhost: HTTP_PROXY or HTTPS_PROXY is not an address";
  const expected = { failure: "unsent", what, details: { remedy } };
  expect(await rejection(store("http://localhost"))).toMatchObject(expected);
});
