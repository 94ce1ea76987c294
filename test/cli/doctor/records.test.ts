import { describe, expect, test } from "vitest";
import { configAt, doctor, of, only, service, stored, trouble } from "./harness";

const seed = { websites: [], pixels: [] };
const shop = (id: number, name = "shop") => stored("Website", name, id, { domain: "shop.example" });
const shopAt = (id: number) => ({ id, domain: "shop.example" });

/** The report on one stack that holds these resources, at a service with these records. */
async function reportOn(
  resources: ReturnType<typeof stored>[],
  records: { websites?: { id: number; domain: string }[]; pixels?: { id: number; name: string }[] } = {},
) {
  const emulator = await service({ seed: { ...seed, ...records } });
  return doctor({ stacks: { dev: { config: configAt(emulator.url), deployment: { resources } } } });
}

describe("records that a stack holds", () => {
  test("one that does not exist is an error, which says what refresh will do", async () => {
    const report = await reportOn([shop(5)]);
    expect(trouble(report)).toEqual(["error record-missing"]);
    expect(only(report, "record-missing")).toMatchObject({
      stacks: ["dev"],
      record: { type: "Website", id: "5" },
      message: 'The website "shop.example" (id 5) of "shop" does not exist on the service',
      remedy: expect.stringContaining("pulumi refresh"),
    });
  });

  test("one that a list leaves out is not missing", async () => {
    const emulator = await service({ seed: { ...seed, websites: [shopAt(5)] } });
    await emulator.control.configure({ lists: { abridged: 0 } });
    const deployment = { resources: [shop(5)] };
    expect(
      trouble(await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } })),
    ).toEqual([]);
  });

  test("an id that has become another's is an error that names both", async () => {
    const report = await reportOn([shop(5)], { websites: [{ id: 5, domain: "other.example" }] });
    expect(trouble(report)).toEqual(["error record-mismatch"]);
    const { message, remedy } = only(report, "record-mismatch");
    expect(message).toBe(
      'The website with id 5 of "shop" is "other.example" on the service, but "shop.example" in state',
    );
    expect(remedy).toContain(`pulumi state delete --force --stack dev ${shop(5).urn}`);
  });

  test("a pixel that was renamed on the service is still the one, and drift is the engine's to show", async () => {
    const emulator = await service({ seed: { ...seed, pixels: [{ id: 1, name: "New", value: "G-1" }] } });
    const deployment = { resources: [stored("Pixel", "p", 1, { name: "Old", value: "G-1" })] };
    expect(
      trouble(await doctor({ stacks: { dev: { config: configAt(emulator.url), deployment } } })),
    ).toEqual([]);
  });

  test("one that is only read, or that waits for its delete, is not missed", async () => {
    const read = stored("Website", "read", 5, { domain: "a.example" }, { external: true });
    const old = stored("Website", "old", 6, { domain: "b.example" }, { delete: true });
    expect(trouble(await reportOn([read, old]))).toEqual([]);
  });
});

describe("records that the service has", () => {
  test("two of one domain or name, spelling apart, are a warning with both ids", async () => {
    const websites = [shopAt(5), { id: 6, domain: "SHOP.example." }, { id: 7, domain: "www.shop.example" }];
    const pixels = [1, 2].map((id) => ({ id, name: "GA" }));
    const report = await reportOn([], { websites, pixels });
    expect(of(report, "duplicate-record").map(({ severity, message }) => [severity, message])).toEqual([
      ["warning", 'The service has 2 websites with the domain "shop.example" (id 5, id 6)'],
      ["warning", 'The service has 2 pixels with the name "GA" (id 1, id 2)'],
    ]);
  });

  test("those of no stack are information for one stack, and a warning only if all were read", async () => {
    const { url } = await service({ seed: { ...seed, websites: [shopAt(5)] } });
    const stacks = { dev: { config: configAt(url) }, live: { config: configAt(url) } };
    const one = await doctor({ stacks });
    expect([one.stacks, only(one, "unmanaged").severity]).toEqual([["dev"], "info"]);
    const named = await doctor({ stacks }, ["dev", "live"]);
    expect([named.stacks, only(named, "unmanaged").severity]).toEqual([["dev", "live"], "info"]);
    const all = await doctor({ stacks }, "all");
    expect(only(all, "unmanaged")).toMatchObject({
      severity: "warning",
      stacks: ["dev", "live"],
      record: { id: "5" },
    });
    const locked = { ...stacks, live: { refusal: "incorrect passphrase" } };
    const partly = await doctor({ stacks: locked }, "all");
    expect(trouble(partly)).toEqual(["error stack-unreadable"]);
    expect(only(partly, "unmanaged").severity).toBe("info");
    const env = { TRACKING_API_KEY: "canary-key-0123456789", TRACKING_ANALYTICS_BASE_URL: url };
    expect(of(await doctor({ project: undefined, env }), "unmanaged")).toEqual([]);
  });
});

describe("stacks beside each other", () => {
  test("three with a part of one account each are clean together, and the account is read once", async () => {
    const websites = [1, 2, 3].map((id) => ({ id, domain: `s${id}.example` }));
    const emulator = await service({ seed: { ...seed, websites } });
    const stackOf = ({ id, domain }: { id: number; domain: string }) => ({
      config: configAt(emulator.url),
      deployment: { resources: [stored("Website", "w", id, { domain })] },
    });
    const stacks = Object.fromEntries(websites.map((each) => [`part${each.id}`, stackOf(each)]));
    const all = await doctor({ stacks }, "all");
    expect([all.stacks.length, trouble(all), of(all, "unmanaged")]).toEqual([3, [], []]);
    expect(await emulator.control.requests()).toHaveLength(3);
  });

  test.each([
    ["one stack", { dev: [shop(5, "a"), shop(5, "b")] }, '"a" of stack dev and "b" of stack dev'],
    ["two stacks", { dev: [shop(5)], live: [shop(5)] }, '"shop" of stack dev and "shop" of stack live'],
  ])("one record held twice, by %s, is an error", async (_says, held, holders) => {
    const { url } = await service({ seed: { ...seed, websites: [shopAt(5)] } });
    const stacks = Object.fromEntries(
      Object.entries(held).map(([name, resources]) => [
        name,
        { config: configAt(url), deployment: { resources } },
      ]),
    );
    const report = await doctor({ stacks }, "all");
    expect(trouble(report)).toEqual(["error managed-twice"]);
    expect(only(report, "managed-twice")).toMatchObject({
      stacks: Object.keys(held),
      record: { type: "Website", id: "5" },
      message: expect.stringContaining(holders),
    });
  });

  test("one id at two installations is two records", async () => {
    const stackAt = async () => ({
      config: configAt((await service({ seed: { ...seed, websites: [shopAt(5)] } })).url),
      deployment: { resources: [shop(5)] },
    });
    const stacks = { dev: await stackAt(), live: await stackAt() };
    expect(trouble(await doctor({ stacks }, "all"))).toEqual([]);
  });

  test("two keys of one account show its records once, and know of each other's stacks", async () => {
    const emulator = await service({ seed: { ...seed, websites: [shopAt(5), shopAt(6)] } });
    await emulator.control.addKey("second-canary-key");
    const second = { "tracking:apiKey": { value: "second-canary-key", secret: true } };
    const stacks = {
      dev: { config: configAt(emulator.url), deployment: { resources: [shop(5)] } },
      live: { config: configAt(emulator.url, second) },
    };
    const report = await doctor({ stacks }, "all");
    expect(trouble(report)).toEqual(["warning duplicate-record", "warning unmanaged"]);
  });
});

describe("an update that was cut", () => {
  const resource = { ...shop(0), id: "" };
  test.each([
    [
      "creates",
      ["creating", "creating", "deleting"],
      "error",
      "npx pulumi-tracking import --declared --apply",
    ],
    ["a delete", ["deleting"], "warning", "pulumi refresh"],
  ])("with %s is one finding with one remedy", async (_says, types, severity, remedy) => {
    const { url } = await service({ seed });
    const other = { resource: { urn: "urn:x::other", type: "aws:s3/bucket:Bucket" }, type: "creating" };
    const pending_operations = [...types.map((type) => ({ resource, type })), other];
    const report = await doctor({
      stacks: { dev: { config: configAt(url), deployment: { pending_operations } } },
    });
    expect(trouble(report)).toEqual([`${severity} pending-operation`]);
    const found = only(report, "pending-operation");
    expect(found.message).toContain(`${types[0]} the website "shop.example" ("shop")`);
    expect(found.remedy?.split(remedy)).toHaveLength(2);
  });
});

describe("what the program does not declare", () => {
  const at = async (
    preview: { op: string; urn: string; newState?: ReturnType<typeof stored> }[],
    files = {},
  ) => {
    const { url } = await service({ seed: { ...seed, websites: [shopAt(5)] } });
    const dev = { config: configAt(url), deployment: { resources: [shop(5, "help")] }, preview };
    return doctor({ stacks: { dev }, files });
  };

  test("because it was renamed is an error that names aliases first, then adopt", async () => {
    const renamed = shop(0, "support");
    const report = await at([
      { op: "create", urn: renamed.urn, newState: renamed },
      { op: "delete", urn: shop(5, "help").urn },
    ]);
    expect(trouble(report)).toEqual(["error renamed"]);
    expect(only(report, "renamed")).toMatchObject({
      message:
        'The program declares the website "shop.example" (id 5) as "support", but the stack manages it as "help"',
      remedy: expect.stringMatching(
        /aliases: \[\{ name: "help" \}\] \(in a file of declarations: aliases: \[help\]; in Pulumi YAML: aliases: \["urn:.*::help"\]\).*adopt: true/,
      ),
    });
  });

  test("because its file is not imported is a warning that names the file", async () => {
    const files = {
      "tracking.ts": 'new tracking.Website("help", { domain: "shop.example" });',
      "index.ts": "",
    };
    const report = await at([{ op: "delete", urn: shop(5, "help").urn }], files);
    expect(trouble(report)).toEqual(["warning undeclared"]);
    expect(only(report, "undeclared").remedy).toBe("Import tracking.ts, which names it, in the program");
  });
});
