import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { configAt, doctor, KEY, only, sealed, service, stored, trouble } from "./harness";

/** A server that gives every request the same answer; its address. */
async function answering(status: number, headers: Record<string, string>, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const plain = (value: string) => ({ value, secret: false });

describe("a sound set-up", () => {
  test("has no error and no warning, says that every service answers, and is only read", async () => {
    const emulator = await service({ seed: { websites: [{ id: 5, domain: "a.example" }], pixels: [] } });
    const deployment = { resources: [stored("Website", "a", 5, { domain: "A.example." })] };
    const report = await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } });
    expect(trouble(report)).toEqual([]);
    expect(report.stacks).toEqual(["dev"]);
    expect(report.findings.filter(({ code }) => code === "service-ok").map(({ message }) => message)).toEqual(
      [
        `websites: ${emulator.url} accepts the key of tracking:apiKey (1 website)`,
        `pixels: ${emulator.url} accepts the key of tracking:apiKey (0 pixels)`,
        `marketplace: ${emulator.url} accepts the key of tracking:apiKey (the account's details)`,
      ],
    );
    const requests = await emulator.control.requests();
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("may have its settings in the environment alone, without a project, and no engine is asked", async () => {
    const { url } = await service();
    const env = { TRACKING_API_KEY: KEY, TRACKING_ANALYTICS_BASE_URL: url };
    const report = await doctor({ env, project: false });
    expect(trouble(report)).toEqual([]);
    expect(report.stacks).toEqual([]);
    expect(only(report, "service-ok").message).toContain("the key of TRACKING_API_KEY");
    expect(only(report, "no-stack")).toMatchObject({ severity: "info" });
  });

  test("may use one service of three: the others are reported as unused", async () => {
    const { url } = await service();
    const config = { "tracking:apiKey": { value: KEY, secret: true }, "tracking:dataBaseUrl": plain(url) };
    const report = await doctor({ stacks: { dev: { config } } });
    expect(trouble(report)).toEqual([]);
    const unused = report.findings.filter(({ code }) => code === "service-unused");
    expect(unused.map((each) => each.service)).toEqual(["analytics", "market"]);
  });
});

describe("settings", () => {
  test("a missing key is an error that says both places where it can be set", async () => {
    const { url } = await service();
    const { "tracking:apiKey": _, "tracking:marketBaseUrl": __, ...config } = configAt(url);
    const report = await doctor({ stacks: { dev: { config } } });
    expect(trouble(report)).toEqual(["error setting-missing", "error setting-missing"]);
    for (const { remedy } of report.findings.filter(({ code }) => code === "setting-missing"))
      expect(remedy).toBe('Run "pulumi config set --secret tracking:apiKey", or set TRACKING_API_KEY');
  });

  test("a missing base URL is an error where the stack has records of the service", async () => {
    const { url } = await service();
    const { "tracking:dataBaseUrl": _, ...config } = configAt(url);
    const deployment = { resources: [stored("Pixel", "p", 1, { name: "P", value: "1" })] };
    const report = await doctor({ stacks: { dev: { config, deployment } } });
    expect(trouble(report)).toEqual(["error setting-missing"]);
    expect(only(report, "setting-missing")).toMatchObject({
      service: "data",
      remedy: 'Run "pulumi config set tracking:dataBaseUrl", or set TRACKING_DATA_BASE_URL',
    });
  });

  test("every invalid setting is reported by its name, wherever it is set", async () => {
    const { url } = await service();
    const config = configAt(url, {
      "tracking:requestTimeout": plain("soon"),
      "tracking:allowInsecureHttp": plain("maybe"),
      "tracking:marketPostParameters": plain("header"),
    });
    const env = { TRACKING_MAX_RETRY_WAIT: "-1" };
    const report = await doctor({ stacks: { dev: { config } }, env });
    const wrong = report.findings
      .filter(({ code }) => code === "setting-invalid")
      .map(({ message }) => message);
    expect(wrong.sort()).toEqual([
      expect.stringMatching(/^TRACKING_MAX_RETRY_WAIT is "-1": /),
      expect.stringMatching(/^tracking:allowInsecureHttp is "maybe": /),
      expect.stringMatching(/^tracking:marketPostParameters is "header": /),
      expect.stringMatching(/^tracking:requestTimeout is "soon": /),
    ]);
    expect(trouble(report)).toEqual(Array(4).fill("error setting-invalid"));
  });

  test.each([
    ["http://analytics.example.com", "must be an https:// address"],
    ["https://analytics.example.com/api/v1/websites", "the part of the address before /api"],
    ["ftp://analytics.example.com", "an address such as"],
    [`https://user:${KEY}@analytics.example.com`, "without user and password"],
  ])("the base URL %s is wrong, and nothing is sent", async (address, part) => {
    const { "tracking:marketBaseUrl": _, "tracking:dataBaseUrl": __, ...config } = configAt(address);
    const report = await doctor({ stacks: { dev: { config } } });
    expect(trouble(report)).toEqual(["error setting-invalid"]);
    expect(only(report, "setting-invalid")).toMatchObject({
      message: expect.stringContaining(part),
      remedy: 'Run "pulumi config set tracking:analyticsBaseUrl"',
    });
    expect(JSON.stringify(report)).not.toContain(KEY);
  });

  test("a key in plain text is a warning, and so is one of an explicit provider", async () => {
    const { url } = await service();
    const config = configAt(url, { "tracking:apiKey": plain(KEY) });
    const urn = "urn:pulumi:dev::made-up::pulumi:providers:pulumi-nodejs::second";
    const inputs = { "tracking:apiKey": KEY, "tracking:dataBaseUrl": url, "tracking:explicit": "true" };
    const deployment = { resources: [{ urn, type: "pulumi:providers:pulumi-nodejs", id: "1", inputs }] };
    const report = await doctor({ stacks: { dev: { config, deployment } } });
    expect(trouble(report)).toEqual(["warning plaintext-key", "warning plaintext-key"]);
    expect(
      report.findings.filter(({ code }) => code === "plaintext-key").map(({ message }) => message),
    ).toEqual([
      "tracking:apiKey is stored in plain text: it is not a secret in the stack's config",
      'apiKey of the tracking.Provider "second" is stored in plain text: it is not a secret in the state',
    ]);
  });

  test("what looks like a setting and is none is a warning with the one that was probably meant", async () => {
    const { url } = await service();
    const config = configAt(url, { "tracking:api-key": plain("x"), "tracking:colour": plain("x") });
    const report = await doctor({ stacks: { dev: { config } } });
    expect(trouble(report)).toEqual(["warning setting-unknown", "warning setting-unknown"]);
    expect(JSON.stringify(report)).toContain("and set tracking:apiKey");
  });

  test("one of the environment that config overrides is reported as having no effect", async () => {
    const { url } = await service();
    const report = await doctor({
      stacks: { dev: { config: configAt(url) } },
      env: { TRACKING_API_KEY: "another-canary-key" },
    });
    expect(trouble(report)).toEqual([]);
    expect(only(report, "setting-shadowed").message).toContain("TRACKING_API_KEY");
    expect(JSON.stringify(report)).not.toContain("another-canary-key");
  });

  test("an http:// address that is allowed is a warning", async () => {
    const config = {
      "tracking:apiKey": { value: KEY, secret: true },
      "tracking:dataBaseUrl": plain("http://analytics.invalid"),
      "tracking:allowInsecureHttp": plain("true"),
    };
    const report = await doctor({ stacks: { dev: { config } } });
    expect(trouble(report)).toEqual(["warning insecure-http", "error unreachable"]);
  });
});

describe("services", () => {
  test.each([
    ["connection refused", async () => "http://127.0.0.1:1", "unreachable", "connection refused"],
    ["an unknown host", async () => "https://no-such-host.invalid", "unreachable", ""],
    [
      "an HTML page",
      () => answering(200, { "content-type": "text/html" }, "<html>Log in</html>"),
      "wrong-service",
      "text/html",
    ],
    [
      "JSON that is no list",
      () => answering(200, { "content-type": "application/json" }, '{"hello":1}'),
      "wrong-service",
      "without a list",
    ],
    [
      "a redirect for good",
      () => answering(301, { location: "https://b.example/" }, ""),
      "redirected",
      "https://b.example/",
    ],
    ["a redirect to a login", () => answering(302, { location: "/login" }, ""), "redirected", "/login"],
    ["a wrong prefix", async () => `${(await service()).url}/statistics`, "wrong-base-url", "404"],
    ["a plan without API", () => answering(403, {}, "{}"), "forbidden", "403"],
    ["a broken service", () => answering(500, {}, "oops"), "service-error", "500"],
  ])("%s is reported with its remedy, which names the setting", async (_says, address, code, part) => {
    const config = {
      "tracking:apiKey": { value: KEY, secret: true },
      "tracking:analyticsBaseUrl": plain(await address()),
    };
    const report = await doctor({ stacks: { dev: { config } } });
    expect(trouble(report)).toEqual([`error ${code}`]);
    const [found] = report.findings.filter((each) => each.code === code);
    expect(found).toMatchObject({
      service: "analytics",
      stacks: ["dev"],
      message: expect.stringContaining(part),
    });
    if (!["forbidden", "service-error"].includes(code))
      expect(found?.remedy).toContain("tracking:analyticsBaseUrl");
    expect(found?.message).not.toMatch(/ - check/);
  });

  test("a key that one service takes and the others refuse is an error for each of them, the marketplace too", async () => {
    const emulator = await service();
    await emulator.control.revokeKey(KEY);
    await emulator.control.addKey(KEY, ["analytics"]);
    const report = await doctor({ stacks: { dev: { config: configAt(emulator.url) } } });
    // The one kind of service says so by a status of its own, the other refuses the key.
    expect(trouble(report)).toEqual(["error forbidden", "error key-rejected"]);
    expect(only(report, "service-ok").service).toBe("analytics");
    expect(only(report, "forbidden").remedy).toContain("set tracking:dataApiKey to one for pixels");
    expect(only(report, "key-rejected").remedy).toContain("tracking:marketApiKey");
  });

  test("a wrong key in config is not hidden by a right one in the environment", async () => {
    const { url } = await service();
    const config = configAt(url, { "tracking:apiKey": { value: "revoked-canary-key", secret: true } });
    const report = await doctor({ stacks: { dev: { config } }, env: { TRACKING_API_KEY: KEY } });
    expect(trouble(report)).toEqual(["error key-rejected", "error key-rejected", "error key-rejected"]);
  });

  test("no echo of a key reaches the report, raw or encoded", async () => {
    const emulator = await service();
    await emulator.control.configure({ echoKey: true });
    await emulator.control.revokeKey(KEY);
    const report = JSON.stringify(await doctor({ stacks: { dev: { config: configAt(emulator.url) } } }));
    for (const form of [KEY, KEY.slice(0, 12), Buffer.from(KEY).toString("base64")])
      expect(report).not.toContain(form);
  });

  test("an explicit provider's records are looked for where that provider says, with its key", async () => {
    const [first, second] = [await service(), await service({ apiKey: "second-canary-key" })];
    await second.control.insertWebsite({ id: 7, domain: "b.example" });
    const urn = "urn:pulumi:dev::made-up::pulumi:providers:pulumi-nodejs::second";
    const inputs = {
      "tracking:apiKey": sealed("second-canary-key"),
      "tracking:analyticsBaseUrl": second.url,
      "tracking:explicit": "true",
    };
    const deployment = {
      resources: [
        { urn, type: "pulumi:providers:pulumi-nodejs", id: "99", inputs },
        stored("Website", "b", 7, { domain: "b.example" }, { provider: `${urn}::99` }),
      ],
    };
    const report = await doctor({ stacks: { dev: { config: configAt(first.url), deployment } } });
    expect(trouble(report)).toEqual([]);
    expect((await second.control.requests()).map(({ key }) => key)).toEqual(["right"]);
  });
});
