import { describe, expect, test } from "vitest";
import { formatReport, type Report } from "../../../cli/doctor/report";
import type { Config } from "../../../cli/pulumi/json-output";
import { website } from "../../../provider/resources";
import { mergeRemote } from "../../../provider/schema/compare";
import { creationEntry } from "../../../provider/schema/identity";
import { pixels, websites } from "../../service";
import { account, doctor, KEY, only, plain, reportOn, sealed, stored, trouble } from "./harness";
import { answering, wrongAddresses } from "./wrong-addresses";

const key = plain(KEY);
const shop = (id: number | string, name = "shop") => stored("Website", name, id, { domain: "shop.example" });
const shopAt = (id: number) => ({ id, domain: "shop.example" });

describe("a sound set-up", () => {
  test("has no error and no warning, and every service is only read, once, for several stacks too", async () => {
    const websites = [1, 2, 3].map((id) => ({ id, domain: `s${id}.example` }));
    const { config, control, url } = await account({ seed: { websites } });
    const stacks = Object.fromEntries(
      websites.map(({ id }) => {
        const resources = [stored("Website", "w", id, { domain: `S${id}.example.` })];
        return [`part${id}`, { config, deployment: { resources } }];
      }),
    );
    const report = await doctor({ stacks }, { allStacks: true });
    expect([report.stacks.length, trouble(report)]).toEqual([3, []]);
    expect(report.findings.map(({ code, message }) => [code, message])).toEqual([
      ["service-ok", `websites: ${url} accepts the key of tracking:apiKey (3 websites)`],
      ["service-ok", `pixels: ${url} accepts the key of tracking:apiKey (0 pixels)`],
      ["service-ok", `marketplace: ${url} accepts the key of tracking:apiKey (the account's details)`],
    ]);
    expect(control.requests().map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  });

  test("has a pulumi that can import", async () => {
    const { config } = await account();
    expect(trouble(await doctor({ stacks: { dev: { config } }, pulumi: "3.253.0" }))).toEqual([
      "warning pulumi-version",
    ]);
  });

  test("may have its settings in the environment alone, without a project", async () => {
    const { url } = await account({ seed: { websites: [shopAt(5)] } });
    const env = { TRACKING_API_KEY: KEY, TRACKING_ANALYTICS_BASE_URL: url };
    const report = await doctor({ env, project: undefined });
    expect(report.stacks).toEqual([]);
    expect(report.findings.map(({ severity, code }) => [severity, code])).toEqual([
      ["info", "no-stack"],
      ["info", "service-ok"],
    ]);
    expect(only(report, "no-stack").message).toMatch(/^The settings are those of the environment\. /);
  });
});

describe("settings", () => {
  test.each<[string, Config]>([
    ["no setting", {}],
    ["a key alone", { "tracking:apiKey": key }],
  ])("a stack with %s is an error that names them, since nothing of it was checked", async (_, config) => {
    const sound = await account();
    const report = await doctor({ stacks: { dev: { config }, live: sound } }, { allStacks: true });
    expect(trouble(report)).toEqual(["error setting-missing"]);
    const { stacks, message, remedy } = only(report, "setting-missing");
    expect([stacks, message]).toEqual([
      ["dev"],
      "Stack dev has no base URL of a service, so nothing of it was checked",
    ]);
    expect(remedy).toMatch(
      /"pulumi config set --stack dev tracking:analyticsBaseUrl https:\/\/…"; for the other settings see "First site" in /,
    );
  });

  test("a stack whose program gives them to an explicit provider needs none", async () => {
    const { url } = await account();
    const inputs = {
      "tracking:apiKey": sealed(KEY),
      "tracking:analyticsBaseUrl": url,
      "tracking:explicit": "true",
    };
    const urn = "urn:pulumi:dev::made-up::pulumi:providers:pulumi-nodejs::second";
    const deployment = { resources: [{ urn, type: "pulumi:providers:pulumi-nodejs", inputs }] };
    expect(trouble(await doctor({ stacks: { dev: { deployment } } }))).toEqual([]);
  });

  test("what to run names the stack, which may not be the selected one, or its project", async () => {
    const deployment = { resources: [stored("Pixel", "p", 1, { name: "P" })] };
    const config = { "tracking:api-key": plain("x"), "tracking:dataApiKey": { value: KEY, secret: false } };
    const remedies = (report: Report) =>
      report.findings.map(({ message, remedy }) => `${message}: ${remedy}`);
    const stacks = { dev: {}, live: { config, deployment } };
    const [address, unknown, open] = remedies(await doctor({ stacks }, { stacks: ["live"] }));
    expect(address).toContain('Run "pulumi config set --stack live tracking:dataBaseUrl https://…"');
    expect(unknown).toContain('Run "pulumi config rm --stack live tracking:api-key"');
    expect(open).toContain('Run "pulumi config set --stack live --secret tracking:dataApiKey"');
    const foreign = "organization/blog/prod";
    const [missing] = remedies(await doctor({ stacks: { [foreign]: {} } }, { stacks: [foreign] }));
    expect(missing).toContain(`in the folder of its project, run "pulumi config set --stack ${foreign} `);
  });

  test.each([
    ["apiKey", ""],
    ["dataBaseUrl", ""],
    ["requestTimeout", "soon"],
    ["dataBaseUrl", `https://user:${KEY}@a.example`],
  ])("%s, set to %j, is an error that says where it is set", async (name, value) => {
    const sound = { "tracking:apiKey": key, "tracking:dataBaseUrl": plain("https://a.example") };
    const config = { ...sound, [`tracking:${name}`]: plain(value) };
    const deployment = { resources: [stored("Pixel", "p", 1, { name: "P" })] };
    const report = await doctor({ stacks: { dev: { config, deployment } } });
    expect(trouble(report)).toEqual(["error setting-invalid"]);
    const { message, remedy } = only(report, "setting-invalid");
    const about =
      name === "apiKey" ? "the API key" : name === "dataBaseUrl" && value === "" ? "the base URL" : name;
    expect(message).toContain(about);
    expect(remedy).toContain(`tracking:${name}`);
    expect(JSON.stringify(report)).not.toContain(KEY);
  });

  test("a name that is no setting is a warning, as is a key that git would show, and an address is none", async () => {
    const { config } = await account();
    const more = {
      "tracking:api-key": { value: "x", secret: true },
      "tracking:dataApiKey": { value: KEY, secret: false },
      "tracking:dataBaseUrl": { ...config["tracking:dataBaseUrl"], secret: false },
    };
    const report = await doctor({ stacks: { dev: { config: { ...config, ...more } } } });
    expect(trouble(report)).toEqual(["warning setting-unknown", "warning setting-unencrypted"]);
    expect(only(report, "setting-unknown")).toMatchObject({
      message: expect.stringContaining("tracking:apiKey"),
      remedy: 'Run "pulumi config rm --stack dev tracking:api-key"',
    });
    expect(only(report, "setting-unencrypted").message).toMatch(
      /^tracking:dataApiKey is stored in plain text/,
    );
    expect(JSON.stringify(report)).not.toContain(KEY);
  });

  test("a key as plain text under a misspelt name is a warning, too, which git may have", async () => {
    const { config } = await account();
    const misspelt = { "tracking:apikey": { value: "real-key", secret: false } };
    const report = await doctor({ stacks: { dev: { config: { ...config, ...misspelt } } } });
    expect(trouble(report)).toEqual(["warning setting-unknown", "warning setting-unencrypted"]);
    const { message, remedy } = only(report, "setting-unencrypted");
    expect(message).toMatch(/^tracking:apikey is stored in plain text/);
    expect(remedy).toContain("revoke this one if it is in git");
    expect(JSON.stringify(report)).not.toContain("real-key");
    const encrypted = { "tracking:apikey": { value: "real-key", secret: true } };
    expect(trouble(await doctor({ stacks: { dev: { config: { ...config, ...encrypted } } } }))).toEqual([
      "warning setting-unknown",
    ]);
  });
});

describe("services", () => {
  const failures: [string, () => string | Promise<string>, string, string][] = [
    [
      "service-error",
      () => "http://127.0.0.1:1",
      "127.0.0.1:1",
      "when the service is back; if it never was there, check tracking:analyticsBaseUrl",
    ],
    ["service-error", async () => `${(await account()).url}/old`, "404", "tracking:analyticsBaseUrl"],
    ["key-rejected", () => answering({ says: "", status: 403 }), "403", "tracking:analyticsApiKey"],
    ["service-error", () => answering({ says: "", status: 500 }), "500", "Try again later"],
  ];
  for (const wrong of wrongAddresses) failures.push(["service-error", () => answering(wrong), "", "BaseUrl"]);
  test.each(failures)("%s is an error with its remedy", async (code, url, part, remedy) => {
    const config = { "tracking:apiKey": key, "tracking:analyticsBaseUrl": plain(await url()) };
    const report = await doctor({ stacks: { dev: { config } } });
    const [found] = report.findings;
    expect(trouble(report)).toEqual([`error ${code}`]);
    expect(found).toMatchObject({ service: "analytics", stacks: ["dev"] });
    expect(found?.message).toContain(part);
    expect(found?.remedy).toContain(remedy);
  });

  test("a key of its own that a service rejects is to be checked, and not to be set", async () => {
    const { config } = await account();
    const report = await doctor({
      stacks: { dev: { config: { ...config, "tracking:dataApiKey": { value: "none", secret: true } } } },
    });
    expect(only(report, "key-rejected").remedy).toBe("Check tracking:dataApiKey");
  });

  test("a marketplace that knows none of its addresses is switched off, and one that sends its message rejects the key", async () => {
    const off = await answering({ says: "", status: 404, body: '{"message":"Not found."}' });
    const denying = await answering({ says: "", status: 404, body: '{"msg":"No Items Found"}' });
    const reports = await Promise.all(
      [off, denying].map((url) =>
        doctor({ env: { TRACKING_API_KEY: KEY, TRACKING_MARKET_BASE_URL: url }, project: undefined }),
      ),
    );
    expect(reports.map(trouble)).toEqual([["error service-error"], ["error key-rejected"]]);
    const [, denied] = reports;
    expect(denied && only(denied, "key-rejected").remedy).toContain(
      "; if the API key for the marketplace is another one, set tracking:marketApiKey",
    );
  });

  test("a key that one service accepts and the others reject is an error for each, and is not echoed", async () => {
    const { config, control } = await account();
    for (const [path, status] of [
      ["/api/v1/pixels*", 403],
      ["/api/account/details", 401],
    ] as const)
      control.addFault({ match: { path, times: 0 }, reply: { status, body: { msg: `Not ${KEY}` } } });
    const values = { domain: "shop.example", password: sealed("canary-password") };
    const deployment = { resources: [stored("Website", "shop", 5, values)] };
    const report = await doctor({ stacks: { dev: { config, deployment } } });
    expect(trouble(report)).toEqual(["error record-missing", "error key-rejected", "error key-rejected"]);
    expect(only(report, "service-ok").service).toBe("analytics");
    expect(report.findings[1]?.remedy).toContain("set tracking:dataApiKey");
    const text = JSON.stringify(report);
    for (const form of [KEY, KEY.slice(0, 12), Buffer.from(KEY).toString("base64"), "canary-password"])
      expect(text).not.toContain(form);
  });

  test("an explicit provider's records are looked for at its address, with its key; the stack needs none", async () => {
    const there = await account({ apiKey: "second-canary-key", seed: { websites: [shopAt(7)] } });
    const urn = "urn:pulumi:dev::made-up::pulumi:providers:pulumi-nodejs::second";
    const inputs = {
      "tracking:apiKey": sealed("second-canary-key"),
      "tracking:analyticsBaseUrl": there.url,
      "tracking:explicit": "true",
    };
    const provider = { urn, type: "pulumi:providers:pulumi-nodejs", id: "99", inputs };
    const resources = [provider, { ...shop(7), provider: `${urn}::99` }];
    expect(trouble(await doctor({ stacks: { dev: { deployment: { resources } } } }))).toEqual([]);
    expect(there.control.requests().map((each) => each.key)).toEqual(["right"]);
  });
});

describe("records that a stack manages", () => {
  test("one that does not exist is an error, and the refresh that repairs it is named", async () => {
    const report = await reportOn({ resources: [shop(5)] });
    expect(trouble(report)).toEqual(["error record-missing"]);
    expect(only(report, "record-missing")).toMatchObject({
      stacks: ["dev"],
      record: { type: "Website", id: "5" },
      message: 'The website "shop.example" (id 5) of "shop" is gone from the service',
      remedy: expect.stringContaining("pulumi up --refresh"),
    });
  });

  test("one that has another id now is an error, and the commands that take the new id are named", async () => {
    const report = await reportOn({ resources: [shop(5)] }, { websites: [shopAt(6)] });
    expect(trouble(report)).toEqual(["error wrong-id"]);
    expect(only(report, "wrong-id").message).toContain("(id 6)");
    expect(only(report, "wrong-id").remedy).toMatch(/pulumi state delete.* "When the service has given/);
  });

  test("one whose id is another's is an error, and not managed twice with the one that has the id", async () => {
    const stranger = stored("Website", "old", 5, { domain: "old.example" });
    const report = await reportOn({ resources: [stranger, shop(5)] }, { websites: [shopAt(5)] });
    expect(trouble(report)).toEqual(["error another-record"]);
    expect(only(report, "another-record")).toMatchObject({
      message: expect.stringMatching(
        /^The website "old.example" \(id 5\) of "old" is another record on the service now: "shop.example"/,
      ),
      remedy: expect.stringContaining("pulumi state delete --force"),
    });
  });

  const time = (minute: number) => `2024-01-01T00:0${minute}:00.000000Z`;
  const row = (id: number, domain: string, minute: number) => ({ id, domain, created_at: time(minute) });
  test.each([
    [
      "has another one under its id, of another name",
      [row(5, "new.example", 2)],
      "error another-record",
      /is another record on the service now: "new\.example", created at 2024-01-01T00:02:00/,
      /else run "pulumi state delete --force 'URN'" for each such resource/,
    ],
    [
      "someone deleted and made again",
      [row(6, "shop.example", 2)],
      "error record-missing",
      /is gone from the service$/,
      /else run "pulumi refresh", and then "npx .* --declared --apply", which imports the record that has its domain now \(id 6\)$/,
    ],
  ])("one that %s is told as the provider tells it", async (_says, rows, code, message, remedy) => {
    const held = shop(5);
    const resources = [
      { ...held, outputs: { ...held.outputs, ...creationEntry({}, { createdAt: time(1) }) } },
    ];
    const report = await reportOn({ resources }, { websites: rows });
    expect(trouble(report)).toEqual([code]);
    expect(only(report, code.replace("error ", ""))).toMatchObject({
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
  });

  test("one that the service stores without its www. has another id, where it was renumbered", async () => {
    const held = shop(5);
    const { domain: _, ...others } = shopAt(5);
    const stripped = mergeRemote(
      website,
      { domain: "www.shop.example" },
      {
        id: "5",
        values: { domain: "shop.example" },
      },
    );
    const resources = [{ ...held, inputs: { domain: "www.shop.example" }, outputs: stripped }];
    const report = await reportOn(
      { resources },
      { websites: [{ ...others, id: 75, domain: "shop.example" }] },
    );
    expect(trouble(report)).toEqual(["error wrong-id"]);
    expect(only(report, "wrong-id").message).toContain("has another id on the service now (id 75)");
  });

  test("an account is doubted by its records of all kinds, as the provider doubts it, with its advice", async () => {
    const [site, tag] = [shop(5), stored("Pixel", "ga", 6, { name: "GA" })];
    const none = await reportOn({ resources: [site, tag] });
    expect(trouble(none)).toEqual(["error wrong-account"]);
    const { message, remedy } = only(none, "wrong-account");
    expect(message).toMatch(
      /^websites and pixels: at http.*, none of the 2 records .* found in this account/,
    );
    expect(remedy).toMatch(
      /^First check tracking:apiKey and .*: is this the right account\? If it is, the records are gone: .*refresh --target 'URN'".*"pulumi up" creates them again\. For many/,
    );
    // One pixel proves that two websites are gone, and not that the account is another.
    const websites = [site, shop(7, "other")];
    const pixels = [{ id: 6, name: "GA", type: "bing", value: "1" }];
    const some = await reportOn({ resources: [...websites, tag] }, { pixels });
    expect(trouble(some)).toEqual(["error record-missing", "error record-missing"]);
  });

  test.each([
    ["pixels", "/api/v1/pixels/6", "websites", "tracking:analyticsBaseUrl"],
    ["websites", "/api/v1/websites/5", "pixels", "tracking:dataBaseUrl"],
  ])(
    "a service of %s that fails proves nothing about the account of another one",
    async (_, path, others, setting) => {
      const { config, control } = await account();
      control.addFault({ match: { path, times: 0 }, reply: { status: 500, body: {} } });
      const sites = [5, 7].map((id) => shop(id, `shop-${id}`));
      const tags = ["ga", "ads"].map((name, at) => stored("Pixel", name, at + 6, { name }));
      const deployment = { resources: [...sites, ...tags] };
      const report = await doctor({ stacks: { dev: { config, deployment } } });
      expect(trouble(report).sort()).toEqual(["error service-error", "error wrong-account"]);
      const { message, remedy } = only(report, "wrong-account");
      expect(message.startsWith(`${others}: at `)).toBe(true);
      expect(remedy).toContain(`First check tracking:apiKey and ${setting}`);
    },
  );

  test("a renamed pixel is drift, and proves that two others are gone, and not that the account is another", async () => {
    const [renamed, ...gone] = ["tag", "ga", "ads"].map((name, at) =>
      stored("Pixel", name, at + 5, { name }),
    );
    const outputs = { ...renamed?.outputs, ...creationEntry({}, { createdAt: time(1) }) };
    const report = await reportOn(
      { resources: [{ ...renamed, outputs } as typeof renamed & object, ...gone] },
      { pixels: [{ id: 5, name: "new", created_at: time(1) }] },
    );
    expect(trouble(report).sort()).toEqual(["error record-missing", "error record-missing"]);
    expect(only(report, "drift").message).toContain("differ from state: 1.");
  });

  test("several of which none exists are one error, of a wrong key or address, after one look at a record", async () => {
    const { config, control } = await account({ seed: { websites: [{ id: 1, domain: "other.example" }] } });
    const names = ["a", "b", "c"];
    const resources = names.map((name, at) => stored("Website", name, at + 5, { domain: `${name}.example` }));
    const report = await doctor({ stacks: { dev: { config, deployment: { resources } } } });
    expect(trouble(report)).toEqual(["error wrong-account"]);
    for (const setting of ["tracking:apiKey", "tracking:analyticsBaseUrl"])
      expect(only(report, "wrong-account").remedy).toContain(setting);
    const paths = control.requests().map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith("/api/v1/websites/"))).toHaveLength(1);
  });

  test("no error is one that a list omits, that is only read, or that waits for its delete", async () => {
    const { config, control } = await account({
      seed: { websites: [shopAt(5)], pixels: [{ id: 1, name: "New", value: "G-1" }] },
    });
    for (const path of [websites, pixels])
      control.addFault({ match: { path }, reply: { body: { data: [] } } });
    const resources = [
      shop(5),
      stored("Pixel", "p", 1, { name: "New", value: "G-1" }),
      stored("Website", "read", 6, { domain: "a.example" }, { external: true }),
      stored("Website", "old", 7, { domain: "b.example" }, { delete: true }),
      stored("Website", "older", 5, { domain: "shop.example" }, { delete: true }),
    ];
    const dev = { config, deployment: { resources } };
    const report = await doctor({ stacks: { dev } });
    expect(trouble(report)).toEqual(["warning pending-delete"]);
    // The other one has a record that somebody else manages.
    expect(only(report, "pending-delete").message).toContain('"b.example" (id 7) was replaced by "old"');
  });

  test("one id at services whose address is unknown is not one record", async () => {
    const { "tracking:analyticsBaseUrl": _, ...config } = (await account()).config;
    const deployment = { resources: [shop(5)] };
    const stacks = { dev: { config, deployment }, live: { config, deployment } };
    expect(trouble(await doctor({ stacks }, { allStacks: true }))).not.toContain("error managed-twice");
  });

  test.each([
    ["one stack", { dev: [shop(5, "a"), shop(5, "b")] }, '"a" of stack dev and "b" of stack dev'],
    ["two stacks", { dev: [shop(5)], live: [shop(5)] }, '"shop" of stack dev and "shop" of stack live'],
  ])("one managed twice, by %s, is an error", async (_says, held, holders) => {
    const { config } = await account({ seed: { websites: [shopAt(5)] } });
    const stacks = Object.fromEntries(
      Object.entries(held).map(([name, resources]) => [name, { config, deployment: { resources } }]),
    );
    const report = await doctor({ stacks }, { allStacks: true });
    expect(trouble(report)).toEqual(["error managed-twice"]);
    expect(only(report, "managed-twice")).toMatchObject({
      stacks: Object.keys(held),
      record: { type: "Website", id: "5" },
      message: expect.stringContaining(holders),
      remedy: expect.stringMatching(Object.keys(held).length > 1 ? /retainOnDelete/ : /unprotect/),
    });
  });

  test("a value of another type in state is an error that names it, and the way out", async () => {
    const odd = stored("Website", "odd", 5, {
      domain: "shop.example",
      excludeIps: "192.0.2.1",
      excludeBots: 1,
    });
    const report = await reportOn({ resources: [odd] }, { websites: [shopAt(5)] });
    expect(trouble(report)).toEqual(["error state-unreadable"]);
    expect(only(report, "state-unreadable")).toMatchObject({
      message: 'The website "shop.example" of "odd" can\'t be read from state: excludeBots, excludeIps',
      remedy: expect.stringContaining("pulumi state delete --force"),
    });
  });

  test("one that a service of an old version shows without its domain is an error, and the operator can help", async () => {
    const { config, control } = await account({ seed: { websites: [shopAt(5)] } });
    const data = { id: 5, url: "shop.example" };
    const bodies = { "": { data: [data], meta: { total: 1 } }, "/5": { data } };
    for (const [end, body] of Object.entries(bodies))
      control.addFault({ match: { path: `/api/v1/websites${end}`, times: 0 }, reply: { body } });
    const report = await doctor({ stacks: { dev: { config, deployment: { resources: [shop(5)] } } } });
    expect(only(report, "record-unreadable")).toMatchObject({
      severity: "error",
      message: expect.stringMatching(
        /^The website "shop.example" \(id 5\) of "shop" is shown without a domain/,
      ),
      remedy: expect.stringContaining("ask the service's operator for a version whose API sends a domain"),
    });
  });

  test("an update that was cut is one finding with one remedy", async () => {
    const pending_operations = ["deleting", "creating"].map((type) => ({ resource: shop(""), type }));
    const report = await reportOn({ deployment: { pending_operations } });
    expect(trouble(report)).toEqual(["error pending-operation"]);
    const { message, remedy } = only(report, "pending-operation");
    expect(message).toBe(
      'An interrupted run was deleting "shop", creating "shop", which may have succeeded or not',
    );
    expect(remedy).toContain('run "pulumi refresh --clear-pending-creates", as in "After a crash"');
    // A destroy only has to continue.
    const destroy = await reportOn({ deployment: { pending_operations: pending_operations.slice(0, 1) } });
    expect(only(destroy, "pending-operation").remedy).toMatch(
      /run the interrupted command again, as in "After a crash"/,
    );
  });
});

describe("records that the service has", () => {
  test("two of one domain or name, spelling apart, are a warning with both ids", async () => {
    const websites = [shopAt(5), { id: 6, domain: "SHOP.example." }, { id: 7, domain: "www.shop.example" }];
    const { severity, message } = only(await reportOn({}, { websites }), "duplicate-record");
    expect([severity, message]).toEqual([
      "warning",
      'The service has 2 websites with the domain "shop.example" (id 5, id 6)',
    ]);
  });

  test("those of no stack are named with an import only if it imports them, and those that differ from state with the list", async () => {
    const site = (id: number, name: string) => stored("Website", name, id, { domain: `${name}.example` });
    const resources = [site(8, "a"), site(3, "c"), site(4, "d")];
    const websites = [
      { id: 1, domain: "a.example" },
      { id: 3, domain: "c.example", privacy: 1 },
      { id: 4, domain: "d.example" },
      { id: 5, domain: "b.example" },
      { id: 6, domain: "D.example" },
    ];
    const made = await reportOn({ resources }, { websites });
    const remedies = made.findings.filter(({ code }) => code === "unmanaged").map(({ remedy }) => remedy);
    expect(remedies).toEqual([
      expect.stringMatching(/^If no stack .* --match b\.example"/),
      expect.stringMatching(/^First leave one record with its domain\. If no stack .* --match D\.example"/),
    ]);
    expect(trouble(made)).toEqual(["error wrong-id", "warning duplicate-record"]);
    expect(made.findings.map(({ code }) => code)).not.toContain("drift");
    const drifted = stored("Website", "c", 3, { domain: "c.example", privacy: "public" });
    expect(only(await reportOn({ resources: [drifted] }, { websites }), "drift")).toMatchObject({
      severity: "info",
      stacks: ["dev"],
      message: 'Records that differ from state: 1. "npx pulumi-tracking list" shows in what',
    });
  });

  test("those of no stack are information, and a warning beside a list of those to ignore, whatever their keys", async () => {
    const { config, control } = await account({
      seed: { websites: [shopAt(5), { id: 6, domain: "b.example" }] },
    });
    control.keys.add("second-canary-key");
    const second = { "tracking:apiKey": plain("second-canary-key") };
    const stacks = {
      dev: { config, deployment: { resources: [shop(5)] } },
      live: { config: { ...config, ...second } },
    };
    for (const some of [{}, { stacks: ["dev", "live"] }, { allStacks: true }])
      expect(only(await doctor({ stacks }, some), "unmanaged")).toMatchObject({
        severity: "info",
        record: { id: "6" },
      });
    const beside = (key: string) => key === "c.example";
    const { severity, remedy } = only(await doctor({ stacks }, { allStacks: true }, beside), "unmanaged");
    expect(`${severity} ${remedy}`).toMatch(/^warning .*"npx pulumi-tracking import --match b\.example"/);
    const ignored = await doctor({ stacks }, { allStacks: true }, (key) => key === "b.example");
    expect(ignored.findings.map(({ code }) => code)).not.toContain("unmanaged");
    // What a stack has lost is an error, whatever is ignored.
    const lost = stored("Website", "lost", 8, { domain: "b.example" });
    const dev = { config, deployment: { resources: [shop(5), lost] } };
    const losing = await doctor({ stacks: { dev } }, {}, (key) => key === "b.example");
    expect(trouble(losing)).toContain("error wrong-id");
    // As a text for a shell, and not as a file of names.
    control.insertPixel({ name: "@their team" });
    const tags = await doctor({ stacks }, { allStacks: true }, (key) => key === "b.example");
    expect(only(tags, "unmanaged").remedy).toContain("import --match '@@their team'\"");
    const keyless = { id: 9, type: "bing" };
    control.addFault({ match: { path: "/api/v1/pixels*", times: 0 }, reply: { body: { data: [keyless] } } });
    const old = await doctor({ stacks }, { allStacks: true }, (key) => key === "b.example");
    expect(only(old, "unmanaged").remedy).toMatch(
      /^Ask the service's operator for a version whose API sends a name/,
    );
    const locked = { ...stacks, live: { refusal: "incorrect passphrase" } };
    const unreadable = await doctor({ stacks: locked }, { allStacks: true }, beside);
    expect(trouble(unreadable)).toEqual(["error stack-unreadable"]);
  });

  test("one that a run creates while the service is read is in the stack, which is read after it", async () => {
    const { config, control } = await account();
    control.insertWebsite(shopAt(5));
    const dev = {
      config,
      get deployment() {
        return { resources: control.requests().length === 0 ? [] : [shop(5)] };
      },
    };
    expect(trouble(await doctor({ stacks: { dev } }, {}, () => false))).toEqual([]);
  });

  test("a stack of another project is read with the settings of its last up", async () => {
    const { config } = await account({ seed: { websites: [shopAt(5)] } });
    const settings = Object.entries(config).map(([name, { value }]) => [name, sealed(value)]);
    const provider = {
      urn: "urn:pulumi:live::other::pulumi:providers:pulumi-nodejs::default",
      type: "pulumi:providers:pulumi-nodejs",
      inputs: Object.fromEntries(settings),
    };
    const deployment = { resources: [provider, shop(5)] };
    const stacks = { "organization/other/live": { deployment } };
    const report = await doctor({ stacks });
    expect(trouble(report)).toEqual([]);
    expect(report.findings.map(({ message }) => message).join()).toContain("(1 website)");
  });
});

describe("the root cause", () => {
  const alone = { TRACKING_DATA_BASE_URL: "http://127.0.0.1:1" };
  const locked = { refusal: "getting stack configuration: passphrase must be set" };
  test.each([
    ["no project", { project: undefined }, undefined, "no-stack", "Pulumi.yaml"],
    ["no stack", { stacks: {} }, undefined, "no-stack", "pulumi stack init"],
    ["no stack of all", { stacks: {}, env: alone }, { allStacks: true }, "no-stack", "pulumi stack init"],
    ["no passphrase", { stacks: { dev: locked }, env: alone }, undefined, "stack-unreadable", "Fix that"],
    ["no pulumi", { pulumi: undefined, env: alone }, undefined, "stack-unreadable", "Install it"],
  ] as const)(
    "is the only finding, and what is unknown is not called missing: %s",
    async (_says, project, wanted, code, remedy) => {
      const report = await doctor(project, wanted);
      expect(report.findings.map((each) => [each.severity, each.code])).toEqual([["error", code]]);
      expect(report.findings[0]?.remedy).toContain(remedy);
      expect(formatReport(report)).toContain(" checked no stack\n");
    },
  );
});
