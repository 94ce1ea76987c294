import { describe, expect, test } from "vitest";
import { configAt, doctor, of, only, sealed, service, stored, trouble } from "./harness";

const seed = { websites: [], pixels: [] };

describe("records that a stack holds", () => {
  test("one that is gone is an error, which says what refresh will do", async () => {
    const emulator = await service({ seed });
    const deployment = { resources: [stored("Website", "shop", 5, { domain: "shop.example" })] };
    const report = await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } });
    expect(trouble(report)).toEqual(["error record-missing"]);
    expect(only(report, "record-missing")).toMatchObject({
      stacks: ["dev"],
      record: { type: "Website", id: "5" },
      message: 'The website "shop.example" (id 5) of "shop" does not exist on the service',
      remedy: expect.stringContaining("pulumi refresh"),
    });
  });

  test("one that a list leaves out is not held to be gone", async () => {
    const emulator = await service({ seed: { ...seed, websites: [{ id: 5, domain: "shop.example" }] } });
    await emulator.control.configure({ lists: { abridged: 0 } });
    const deployment = { resources: [stored("Website", "shop", 5, { domain: "shop.example" })] };
    expect(
      trouble(await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } })),
    ).toEqual([]);
  });

  test("an id that has become another's is an error that names both", async () => {
    const emulator = await service({ seed: { ...seed, websites: [{ id: 5, domain: "other.example" }] } });
    const deployment = { resources: [stored("Website", "shop", 5, { domain: "shop.example" })] };
    const report = await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } });
    expect(trouble(report)).toEqual(["error record-mismatch"]);
    expect(only(report, "record-mismatch").message).toBe(
      'The website with id 5 of "shop" is "other.example" on the service, but "shop.example" in state',
    );
    expect(only(report, "record-mismatch").remedy).toContain(
      "pulumi state delete --force --stack dev urn:pulumi:dev::made-up::pulumi-nodejs:dynamic/tracking:Website::shop",
    );
  });

  test("a pixel that was renamed, or given another value, is still the one", async () => {
    const emulator = await service({ seed: { ...seed, pixels: [{ id: 1, name: "New", value: "G-1" }] } });
    const deployment = { resources: [stored("Pixel", "p", 1, { name: "Old", value: "G-1" })] };
    expect(
      trouble(await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } })),
    ).toEqual(["warning drift"]);
  });

  test("one that was changed on the service is a warning that names every field, with the way back", async () => {
    const website = { id: 5, domain: "shop.example", privacy: 0, exclude_bots: 0, exclude_ips: "192.0.2.9" };
    const emulator = await service({ seed: { ...seed, websites: [website] } });
    await emulator.control.clearRequests();
    const values = {
      ...{ domain: "Shop.example.", privacy: "private", emailReports: false, excludeBots: true },
      ...{ password: sealed("canary-password"), excludeIps: ["192.0.2.1"] },
    };
    const deployment = { resources: [stored("Website", "shop", 5, values)] };
    const report = await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } });
    expect(trouble(report)).toEqual(["warning drift"]);
    const { message, remedy, record } = only(report, "drift");
    for (const part of [
      '(id 5) of "shop" was changed on the service',
      'privacy is "public" there, but "private" in state',
      "excludeBots is false there, but true in state",
      'excludeIps is ["192.0.2.9"] there, but ["192.0.2.1"] in state',
    ])
      expect(message).toContain(part);
    expect(message).not.toMatch(/domain is|emailReports|canary/);
    expect(remedy).toContain("pulumi up --refresh");
    expect(record).toEqual({ type: "Website", id: "5" });
    const sent = await emulator.control.requests();
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("one that is only read, or that waits for its delete, is not missed", async () => {
    const { url } = await service({ seed });
    const deployment = {
      resources: [
        stored("Website", "read", 5, { domain: "a.example" }, { external: true }),
        stored("Website", "old", 6, { domain: "b.example" }, { delete: true }),
      ],
    };
    expect(trouble(await doctor({ stacks: { dev: { config: configAt(url), deployment } } }))).toEqual([]);
  });

  test("a service that fails says nothing of its records", async () => {
    const emulator = await service({ seed });
    await emulator.control.addFault({
      match: { path: "/api/v1/websites", times: 0 },
      reply: "html",
      status: 404,
    });
    const deployment = { resources: [stored("Website", "shop", 5, { domain: "shop.example" })] };
    const report = await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } });
    expect(trouble(report)).toEqual(["error wrong-base-url"]);
  });
});

describe("records that the service has", () => {
  test("two of one domain, spelling apart, are a warning with both ids, in a pixel's name too", async () => {
    const websites = [
      { id: 5, domain: "shop.example" },
      { id: 6, domain: "SHOP.example." },
      { id: 7, domain: "www.shop.example" },
    ];
    const pixels = [
      { id: 1, name: "GA" },
      { id: 2, name: "GA" },
    ];
    const { url } = await service({ seed: { websites, pixels } });
    const report = await doctor({ project: false, env: environment(url) });
    expect(trouble(report)).toEqual(["warning duplicate-record", "warning duplicate-record"]);
    expect(of(report, "duplicate-record").map(({ message }) => message)).toEqual([
      'The service has 2 websites with the domain "shop.example" (id 5, id 6)',
      'The service has 2 pixels with the name "GA" (id 1, id 2)',
    ]);
  });

  test("those of no stack are information for one stack, and a warning for all stacks", async () => {
    const { url } = await service({ seed: { ...seed, websites: [{ id: 5, domain: "shop.example" }] } });
    const stacks = { dev: { config: configAt(url) }, live: { config: configAt(url) } };
    const one = await doctor({ stacks });
    expect([one.stacks, trouble(one), of(one, "unmanaged").length]).toEqual([["dev"], [], 1]);
    const named = await doctor({ stacks }, { names: ["dev", "live"] });
    expect([named.stacks, trouble(named)]).toEqual([["dev", "live"], []]);
    const all = await doctor({ stacks }, { all: true });
    expect(trouble(all)).toEqual(["warning unmanaged"]);
    expect(only(all, "unmanaged")).toMatchObject({ stacks: ["dev", "live"], record: { id: "5" } });
  });

  test("a stack that can't be read may hold any of them, so that they stay information", async () => {
    const { url } = await service({ seed: { ...seed, websites: [{ id: 5, domain: "shop.example" }] } });
    const stacks = { dev: { config: configAt(url) }, live: { refusal: "incorrect passphrase" } };
    const report = await doctor({ stacks }, { all: true });
    expect(trouble(report)).toEqual(["error stack-unreadable"]);
    expect(only(report, "stack-unreadable").remedy).toContain("PULUMI_CONFIG_PASSPHRASE");
    expect(only(report, "unmanaged").severity).toBe("info");
  });

  test("without any stack nothing is said of where they belong", async () => {
    const { url } = await service({ seed: { ...seed, websites: [{ id: 5, domain: "shop.example" }] } });
    expect(of(await doctor({ project: false, env: environment(url) }), "unmanaged")).toEqual([]);
  });
});

describe("stacks beside each other", () => {
  const shop = (id: number, name = "shop") => stored("Website", name, id, { domain: "shop.example" });

  test("three with a part of one account each are clean together, and alone see the others as information", async () => {
    const websites = [1, 2, 3].map((id) => ({ id, domain: `s${id}.example` }));
    const emulator = await service({ seed: { ...seed, websites } });
    const stacks = Object.fromEntries(
      websites.map(({ id, domain }) => [
        `part${id}`,
        {
          config: configAt(emulator.url),
          deployment: { resources: [stored("Website", "w", id, { domain })] },
        },
      ]),
    );
    const all = await doctor({ stacks }, { all: true });
    expect([all.stacks.length, trouble(all), of(all, "unmanaged")]).toEqual([3, [], []]);
    expect((await emulator.control.requests()).length, "one account is asked once").toBe(3);
    const alone = await doctor({ stacks });
    expect(trouble(alone)).toEqual([]);
    expect(of(alone, "unmanaged").map(({ record }) => record?.id)).toEqual(["2", "3"]);
  });

  test.each([
    ["one stack", { dev: [shop(5, "a"), shop(5, "b")] }, '"a" of stack dev and "b" of stack dev'],
    ["two stacks", { dev: [shop(5)], live: [shop(5)] }, '"shop" of stack dev and "shop" of stack live'],
  ])(
    "one record held twice, by %s, is an error",
    async (_says, held: Record<string, ReturnType<typeof shop>[]>, holders) => {
      const { url } = await service({ seed: { ...seed, websites: [{ id: 5, domain: "shop.example" }] } });
      const stacks = Object.fromEntries(
        Object.entries(held).map(([name, resources]) => [
          name,
          { config: configAt(url), deployment: { resources } },
        ]),
      );
      const report = await doctor({ stacks }, { all: true });
      expect(trouble(report)).toEqual(["error managed-twice"]);
      expect(only(report, "managed-twice")).toMatchObject({
        stacks: Object.keys(held),
        record: { type: "Website", id: "5" },
        message: expect.stringContaining(holders),
      });
    },
  );

  test("one id at two installations is two records", async () => {
    const at = async () =>
      (await service({ seed: { ...seed, websites: [{ id: 5, domain: "shop.example" }] } })).url;
    const deployment = { resources: [shop(5)] };
    const stacks = {
      dev: { config: configAt(await at()), deployment },
      live: { config: configAt(await at()), deployment },
    };
    expect(trouble(await doctor({ stacks }, { all: true }))).toEqual([]);
  });

  test("two resources of one domain with different ids are a warning", async () => {
    const { url } = await service({
      seed: {
        ...seed,
        websites: [
          { id: 5, domain: "shop.example" },
          { id: 6, domain: "shop.example" },
        ],
      },
    });
    const deployment = { resources: [shop(5, "a"), shop(6, "b")] };
    const report = await doctor({ stacks: { dev: { config: configAt(url), deployment } } });
    expect(trouble(report)).toEqual(["warning duplicate-in-state", "warning duplicate-record"]);
  });

  test("two keys of one account show its records once, and know of each other's stacks", async () => {
    const emulator = await service({
      seed: {
        ...seed,
        websites: [
          { id: 5, domain: "a.example" },
          { id: 6, domain: "a.example" },
        ],
      },
    });
    await emulator.control.addKey("second-canary-key");
    const second = configAt(emulator.url, {
      "tracking:apiKey": { value: "second-canary-key", secret: true },
    });
    const stacks = {
      dev: {
        config: configAt(emulator.url),
        deployment: { resources: [stored("Website", "a", 5, { domain: "a.example" })] },
      },
      live: { config: second },
    };
    const report = await doctor({ stacks }, { all: true });
    expect(trouble(report)).toEqual(["warning duplicate-record", "warning unmanaged"]);
  });
});

describe("state", () => {
  test("a create that was interrupted is an error that names the three commands; a delete is a warning", async () => {
    const { url } = await service({ seed });
    const resource = { ...stored("Website", "shop", "", { domain: "shop.example" }), id: "" };
    const pending_operations = [
      { resource, type: "creating" },
      { resource, type: "deleting" },
      { resource: { urn: "urn:x::other", type: "aws:s3/bucket:Bucket" }, type: "creating" },
    ];
    const report = await doctor({
      stacks: { dev: { config: configAt(url), deployment: { pending_operations } } },
    });
    expect(trouble(report)).toEqual(["error pending-operation", "warning pending-operation"]);
    const [making] = of(report, "pending-operation");
    expect(making?.message).toContain('creating the website "shop.example" ("shop")');
    for (const command of ["pulumi cancel", "pulumi refresh", "npx pulumi-tracking import --declared"])
      expect(making?.remedy).toContain(command);
  });

  test("a provider's text that is not the constant one is an error, and is not shown", async () => {
    const { url } = await service({ seed: { ...seed, pixels: [{ id: 1, name: "P", value: "1" }] } });
    const bag = { name: "P", value: "1", __provider: "exports.handler = () => stolen('canary')" };
    const deployment = { resources: [stored("Pixel", "p", 1, {}, { inputs: bag, outputs: bag })] };
    const report = await doctor({ stacks: { dev: { config: configAt(url), deployment } } });
    expect(trouble(report)).toEqual(["error foreign-provider"]);
    expect(JSON.stringify(report)).not.toContain("canary');");
  });

  test("a secret password of a record is in nothing that is said", async () => {
    const { url } = await service({ seed });
    const values = { domain: "shop.example", password: sealed("canary-password") };
    const deployment = { resources: [stored("Website", "shop", 5, values)] };
    const report = await doctor({ stacks: { dev: { config: configAt(url), deployment } } });
    expect(JSON.stringify(report)).not.toContain("canary-password");
  });

  test("a named stack that is not there, or a project that has none selected, is said", async () => {
    const { url } = await service({ seed });
    const named = await doctor({ stacks: { dev: { config: configAt(url) } } }, { names: ["nope"] });
    expect(trouble(named)).toEqual(["error stack-unreadable"]);
    expect(trouble(await doctor({ stacks: {} }))).toEqual(["error no-stack"]);
    expect(trouble(await doctor({ stacks: {} }, { all: true }))).toEqual(["error no-stack"]);
    expect(trouble(await doctor({ stacks: {}, env: environment(url) }))).toEqual(["warning no-stack"]);
    expect(trouble(await doctor({ project: false }, { all: true }))).toEqual(["error no-stack"]);
  });
});

describe("the root cause", () => {
  const LOGIN = "PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions";
  const NO_PASSPHRASE = "getting stack configuration: passphrase must be set with PULUMI_CONFIG_PASSPHRASE";

  test.each([
    [
      "no project",
      { project: false },
      "no-stack",
      "There is no Pulumi project in this folder",
      "Pulumi.yaml",
    ],
    ["no stack", { stacks: {} }, "no-stack", "No stack is selected", "pulumi stack select"],
    ["no login", { refusal: LOGIN }, "no-stack", "Pulumi is not logged in", "pulumi login"],
    [
      "no passphrase",
      { stacks: { dev: { refusal: NO_PASSPHRASE } } },
      "stack-unreadable",
      "Stack dev can't be read. The stack's secrets can't be decrypted: no passphrase is set",
      "PULUMI_CONFIG_PASSPHRASE",
    ],
    [
      "no pulumi",
      { pulumi: undefined },
      "pulumi-missing",
      'There is no "pulumi" command on PATH',
      "Install it",
    ],
  ] as const)(
    "is reported first, and its consequences are not: %s",
    async (_says, project, code, message, remedy) => {
      const report = await doctor({ stacks: { dev: {} }, ...project });
      expect(report.findings[0]).toMatchObject({ severity: "error", code });
      expect(report.findings[0]?.message).toContain(message);
      expect(report.findings[0]?.remedy).toContain(remedy);
      expect(trouble(report)).toHaveLength(1);
    },
  );
});

function environment(url: string): NodeJS.ProcessEnv {
  return {
    TRACKING_API_KEY: "canary-key-0123456789",
    TRACKING_ANALYTICS_BASE_URL: url,
    TRACKING_DATA_BASE_URL: url,
  };
}
