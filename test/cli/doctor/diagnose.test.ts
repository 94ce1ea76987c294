import { describe, expect, test } from "vitest";
import { answering, wrongAddresses } from "../../provider/wrong-addresses";
import { configAt, doctor, KEY, only, type Project, sealed, service, stored, trouble } from "./harness";

const plain = (value: string) => ({ value, secret: false });
const key = { value: KEY, secret: true };

describe("a sound set-up", () => {
  test("has no error and no warning, and every service is only read, once", async () => {
    const emulator = await service({ seed: { websites: [{ id: 5, domain: "a.example" }], pixels: [] } });
    const deployment = { resources: [stored("Website", "a", 5, { domain: "A.example." })] };
    const report = await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } });
    expect([report.stacks, trouble(report)]).toEqual([["dev"], []]);
    expect(report.findings.map(({ code, message }) => [code, message])).toEqual([
      ["service-ok", `websites: ${emulator.url} accepts the key of tracking:apiKey (1 website)`],
      ["service-ok", `pixels: ${emulator.url} accepts the key of tracking:apiKey (0 pixels)`],
      [
        "service-ok",
        `marketplace: ${emulator.url} accepts the key of tracking:apiKey (the account's details)`,
      ],
    ]);
    expect((await emulator.control.requests()).map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  });

  test("may have its settings in the environment alone, without a project", async () => {
    const { url } = await service();
    const env = { TRACKING_API_KEY: KEY, TRACKING_ANALYTICS_BASE_URL: url };
    const report = await doctor({ env, project: undefined });
    expect([report.stacks, trouble(report)]).toEqual([[], []]);
    expect(only(report, "service-ok").message).toContain("the key of TRACKING_API_KEY");
    expect(only(report, "no-stack").severity).toBe("info");
  });
});

describe("settings", () => {
  const wrong: [string, Project["stacks"], NodeJS.ProcessEnv, string, string, string][] = [
    [
      "a missing key",
      { dev: { config: { "tracking:dataBaseUrl": plain("https://a.example") } } },
      {},
      "setting-missing",
      "The API key for pixels is missing",
      'Run "pulumi config set --secret tracking:apiKey", or set TRACKING_API_KEY',
    ],
    [
      "a missing base URL of records",
      {
        dev: {
          config: { "tracking:apiKey": key },
          deployment: { resources: [stored("Pixel", "p", 1, { name: "P" })] },
        },
      },
      {},
      "setting-missing",
      "The base URL for pixels is missing",
      'Run "pulumi config set tracking:dataBaseUrl", or set TRACKING_DATA_BASE_URL',
    ],
    [
      "a setting of config",
      {
        dev: {
          config: {
            "tracking:apiKey": key,
            "tracking:dataBaseUrl": plain("https://a.example"),
            "tracking:requestTimeout": plain("soon"),
          },
        },
      },
      {},
      "setting-invalid",
      'tracking:requestTimeout is "soon"',
      "Correct tracking:requestTimeout",
    ],
    [
      "one of the environment",
      { dev: { config: { "tracking:apiKey": key, "tracking:dataBaseUrl": plain("https://a.example") } } },
      { TRACKING_MAX_RETRY_WAIT: "-1" },
      "setting-invalid",
      'TRACKING_MAX_RETRY_WAIT is "-1"',
      "Correct TRACKING_MAX_RETRY_WAIT",
    ],
    [
      "an address with a path of the API",
      {
        dev: {
          config: {
            "tracking:apiKey": key,
            "tracking:dataBaseUrl": plain("https://a.example/api/v1/pixels"),
          },
        },
      },
      {},
      "setting-invalid",
      "the part of the address before /api",
      "Correct tracking:dataBaseUrl",
    ],
    [
      "an address with a key in it",
      {
        dev: {
          config: { "tracking:apiKey": key, "tracking:dataBaseUrl": plain(`https://user:${KEY}@a.example`) },
        },
      },
      {},
      "setting-invalid",
      "without user and password",
      "Correct tracking:dataBaseUrl",
    ],
  ];
  test.each(wrong)(
    "%s is an error that says where it is set, and nothing is sent",
    async (_says, stacks, env, code, message, remedy) => {
      const report = await doctor({ stacks: stacks ?? {}, env });
      expect(trouble(report)).toEqual([`error ${code}`]);
      expect(report.findings[0]?.message).toContain(message);
      expect(report.findings[0]?.remedy).toContain(remedy);
      expect(JSON.stringify(report)).not.toContain(KEY);
    },
  );

  test("a key in plain text is a warning", async () => {
    const { url } = await service();
    const config = configAt(url, { "tracking:apiKey": plain(KEY) });
    const report = await doctor({ stacks: { dev: { config } } });
    expect(trouble(report)).toEqual(["warning plaintext-key"]);
    expect(report.findings[0]?.remedy).toContain("pulumi config set --secret tracking:apiKey");
  });

  test("what is no setting is a warning with the one that was probably meant", async () => {
    const { url } = await service();
    const report = await doctor({
      stacks: { dev: { config: configAt(url, { "tracking:api-key": plain("x") }) } },
    });
    expect(trouble(report)).toEqual(["warning setting-unknown"]);
    expect(report.findings[0]?.remedy).toBe(
      'Run "pulumi config rm tracking:api-key", and set tracking:apiKey',
    );
  });
});

describe("services", () => {
  const broken: [string, () => string | Promise<string>, string, string][] = [
    ["unreachable", () => "http://127.0.0.1:1", "connection refused", "tracking:analyticsBaseUrl"],
    ["service-error", async () => `${(await service()).url}/old`, "404", "tracking:analyticsBaseUrl"],
    [
      "key-rejected",
      () => answering({ says: "", words: "", status: 403 }),
      "403",
      "tracking:analyticsApiKey",
    ],
    ["service-error", () => answering({ says: "", words: "", status: 500 }), "500", "Try again later"],
  ];
  test.each(broken)("%s is an error with its remedy", async (code, address, part, remedy) => {
    const config = { "tracking:apiKey": key, "tracking:analyticsBaseUrl": plain(await address()) };
    const report = await doctor({ stacks: { dev: { config } } });
    expect(trouble(report)).toEqual([`error ${code}`]);
    expect(report.findings[0]).toMatchObject({
      service: "analytics",
      stacks: ["dev"],
      message: expect.stringContaining(part),
      remedy: expect.stringContaining(remedy),
    });
  });

  test.each(wrongAddresses.map((each) => [each.says, each] as const))(
    "for %s the doctor names the address and the setting",
    async (_says, wrong) => {
      const url = await answering(wrong);
      const { findings } = await doctor({ stacks: { dev: { config: configAt(url) } } });
      const errors = findings.filter(({ severity }) => severity === "error");
      expect(errors.map((each) => each.service)).toEqual(["analytics", "data", "market"]);
      for (const { service: name, message, remedy } of errors) {
        expect(message).toContain(url);
        expect(remedy).toContain(`tracking:${name}BaseUrl`);
      }
    },
  );

  test("a key that one service accepts and the others reject is an error for each of them", async () => {
    const emulator = await service();
    await emulator.control.revokeKey(KEY);
    await emulator.control.addKey(KEY, ["analytics"]);
    const env = { TRACKING_API_KEY: "a-right-key-of-the-environment" };
    await emulator.control.addKey(env.TRACKING_API_KEY);
    const report = await doctor({ stacks: { dev: { config: configAt(emulator.url) } }, env });
    expect(trouble(report)).toEqual(["error key-rejected", "error key-rejected"]);
    expect(only(report, "service-ok").service).toBe("analytics");
    expect(report.findings[0]?.remedy).toContain("set tracking:dataApiKey");
  });

  test("no echo of a key, and no password of a record, reaches the report", async () => {
    const emulator = await service();
    await emulator.control.configure({ echoKey: true });
    await emulator.control.revokeKey(KEY);
    const values = { domain: "shop.example", password: sealed("canary-password") };
    const deployment = { resources: [stored("Website", "shop", 5, values)] };
    const report = JSON.stringify(
      await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } }),
    );
    for (const form of [KEY, KEY.slice(0, 12), Buffer.from(KEY).toString("base64"), "canary-password"])
      expect(report).not.toContain(form);
  });

  test("an explicit provider's records are looked for at its address, with its key", async () => {
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
    expect((await second.control.requests()).map((each) => each.key)).toEqual(["right"]);
  });
});

describe("the root cause", () => {
  const LOGIN = "PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions";
  const NO_PASSPHRASE = "getting stack configuration: passphrase must be set with PULUMI_CONFIG_PASSPHRASE";
  const dev = { stacks: { dev: {} } };
  test.each([
    ["no project", { project: undefined }, undefined, "no-stack", "Pulumi.yaml"],
    ["no stack", { stacks: {} }, undefined, "no-stack", "pulumi stack init"],
    ["no stack of all", { stacks: {} }, "all", "no-stack", "pulumi stack init"],
    ["no such stack", dev, ["nope"], "stack-unreadable", "pulumi stack select"],
    ["no login", { ...dev, refusal: LOGIN }, undefined, "stack-unreadable", "pulumi login"],
    [
      "no passphrase",
      { stacks: { dev: { refusal: NO_PASSPHRASE } } },
      undefined,
      "stack-unreadable",
      "PULUMI_CONFIG_PASSPHRASE",
    ],
    ["no pulumi", { ...dev, pulumi: undefined }, undefined, "stack-unreadable", "Install it"],
  ] as const)(
    "is the only finding, and what is unknown is not called missing: %s",
    async (_says, project, wanted, code, remedy) => {
      const env = { TRACKING_DATA_BASE_URL: "http://127.0.0.1:1" };
      const isOptional = _says === "no project" || _says === "no stack";
      const report = await doctor({ ...project, ...(isOptional ? {} : { env }) }, wanted);
      expect(report.findings.map((each) => [each.severity, each.code])).toEqual([["error", code]]);
      expect(report.findings[0]?.remedy).toContain(remedy);
    },
  );
});

describe("the installation", () => {
  const NATIVE = 'import * as tracking from "pulumi-tracking/native";';
  const python = "name: made-up\nruntime: python\n";
  const configured = `${python}plugins:\n  providers:\n    - name: tracking\n      path: node_modules/.bin\n`;
  test.each([
    ["an old CLI", { pulumi: "3.253.0" }, ["warning pulumi-version"]],
    ["the plugin's classes without the plugin", { files: { "index.ts": NATIVE } }, ["error plugin-missing"]],
    ["a program in Python without the plugin", { project: python }, ["error plugin-missing"]],
    ["one whose plugin is not installed", { project: configured }, ["error plugin-missing"]],
    [
      "one that has it",
      { project: configured, files: { "node_modules/.bin/pulumi-resource-tracking": "" } },
      [],
    ],
  ] as const)("%s", async (_says, project, expected) => {
    const report = await doctor({ stacks: { dev: {} }, ...project });
    expect(trouble(report)).toEqual(expected);
    if (expected[0] === "error plugin-missing")
      expect(report.findings[0]?.remedy).toBe('Run "npx pulumi-tracking init-native"');
    expect(JSON.stringify(report.findings)).not.toMatch(_says.includes("Python") ? /npm|TypeScript/ : /^$/);
  });
});
