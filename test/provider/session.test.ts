import { randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sanitize } from "../../provider/api/redact";
import { assertAgreed, endpoint, IMPORTING } from "../../provider/config";
import { ledgerAt } from "../../provider/hosts/run-file";
import { pixel, website } from "../../provider/resources";
import { createSession, RunState, type Session } from "../../provider/session";
import { rejection } from "../rejection";
import { bareRun, sessionOf, world } from "./harness";

const shop = { domain: "shop.example" };
const defaults = { privacy: "private", emailReports: false, excludeBots: true };

/** A host without an engine that is asked by a type, a verb and its arguments. */
function host(settings: Record<string, string>) {
  const own = bareRun();
  const sessions = new Map<string, Session>(
    [website, pixel].map((each) => [each.type, sessionOf(each, settings, own)]),
  );
  const ask = async (call: string, ...args: unknown[]) => {
    const [type = "", verb = ""] = call.split(" ");
    const asked = Reflect.get(sessions.get(type) ?? {}, verb) as (...args: unknown[]) => Promise<unknown>;
    return asked(...args).then(
      (value) => ["done", value] as const,
      ({ message }: Error) => ["failed", { message }] as const,
    );
  };
  return { ask };
}

const configured = async () => {
  const { settings, control } = await world({ apiKey: "the-long-key" });
  return { ...host(settings), control };
};

test("a check of what is imported refuses nothing that an existing record may have", async () => {
  const { ask } = await configured();
  const odd = { name: "P", type: "odd", value: "1" };
  expect(await ask("Pixel check", {}, odd)).toMatchObject(["done", { failures: [expect.any(String)] }]);
  vi.stubEnv(IMPORTING, __dirname);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await ask("Pixel check", {}, odd)).toMatchObject(["done", { failures: [] }]);
});

test("a session that is configured again, after it has sent something, sends to the new address with the new key", async () => {
  const [old, current] = [await world({ apiKey: "old-key" }), await world({ apiKey: "current-key" })];
  const session = sessionOf(website, old.settings, bareRun());
  const made = await session.create({ ...shop, ...defaults });
  const settings: Readonly<Record<string, string>> = current.settings;
  session.configure({ get: (name) => settings[name] });
  await session.create({ ...shop, ...defaults });
  expect(made).toMatchObject({ state: shop });
  expect([old, current].map(({ control }) => control.websites().length)).toEqual([1, 1]);
});

test("a first read, which a program asks for, takes no settings from the last up, and a refresh does", async () => {
  const refused = async (state: object, ...before: [call: string, ...args: unknown[]][]) => {
    const { control, settings } = await world();
    control.keys.clear();
    const { ask } = host(settings);
    for (const [call, ...args] of before) await ask(call, ...args);
    return ((await ask("Website read", "7", state)) as ["failed", { message: string }])[1].message;
  };
  const ofProgram = /\]\nCheck apiKey of the tracking.Provider "agency"$/;
  expect(await refused({})).toMatch(ofProgram);
  expect(await refused(shop)).toContain(", and run the same command with --run-program");
  // An up that refreshes what it has not declared yet is an up.
  expect(await refused(shop, ["Website check", {}, shop])).toMatch(ofProgram);
});

describe("beside a program's own process with another key", () => {
  const besideAnother = async () => {
    const { settings } = await world();
    const address = `session ${randomUUID()}`;
    const source = (own: Readonly<Record<string, string>>) => ({ get: (name: string) => own[name] });
    const inProgram = source({ ...settings, apiKey: "another-key" });
    assertAgreed(endpoint("analytics", inProgram, {}), ledgerAt(address).settings);
    const session = createSession(website, new RunState({ warn() {}, debug() {} }, ledgerAt(address)));
    session.configure(source(settings));
    return session;
  };

  test("a refresh, which may use the key of the last up, does not ask for the program's key, and an up does", async () => {
    const session = await besideAnother();
    expect(await session.read("7", { ...shop, ...defaults })).toBeUndefined();
    // Only a program reads what it has no state of.
    expect((await rejection(session.read("7", {}))).message).toContain(
      "different values of TRACKING_API_KEY",
    );
  });

  test("the first check fails, as does each that follows", async () => {
    const session = await besideAnother();
    for (const domain of ["one.example", "two.example"])
      expect((await session.check({}, { domain })).failures).toEqual([
        expect.stringContaining("different values of TRACKING_API_KEY"),
      ]);
  });
});

test("what a policy corrects after the check is not said of a change", async () => {
  const { settings } = await world();
  const said: string[] = [];
  const session = sessionOf(
    website,
    settings,
    bareRun((line) => said.push(line)),
  );
  const olds = { ...shop, ...defaults };
  await session.check(olds, { ...shop, privacy: "public" });
  await session.check(olds, shop);
  await session.diff("7", olds, { ...olds, privacy: "private" });
  expect(said).toEqual([]);
  await session.diff("7", olds, { ...olds, privacy: "public" });
  expect(said).toEqual([expect.stringContaining("becomes public")]);
});

describe("a session whose settings are missing", () => {
  test("reports them all once the arguments are right, and begins without them", async () => {
    const { ask } = host({});
    expect(await ask("Website check", {}, shop)).toMatchObject([
      "done",
      {
        failures: [
          expect.stringContaining("\nGive apiKey"),
          expect.stringContaining("\nGive analyticsBaseUrl"),
        ],
      },
    ]);
    expect(await ask("Website check", {}, { ...shop, privacy: "odd" })).toMatchObject([
      "done",
      { failures: [expect.stringContaining("privacy")] },
    ]);
  });
  test("compares what is there, and refuses to send anything", async () => {
    const { ask } = host({});
    expect(await ask("Website diff", "7", shop, { domain: "b.example" })).toEqual([
      "done",
      { changed: expect.arrayContaining(["domain"]), replaces: ["domain"] },
    ]);
    expect(await ask("Website delete", "7", shop)).toEqual([
      "failed",
      { message: expect.stringContaining("\nGive apiKey") },
    ]);
  });
});

test("what seems to be another account is reported with its advice once for each service", async () => {
  const { ask } = await configured();
  const missing = (each: object) => ({ ...each, privacy: "private" });
  const tell = async (type: string, id: string, state: object) =>
    ((await ask(`${type} read`, id, state)) as [string, { message: string }])[1].message;
  await ask("Website read", "1", missing({ domain: "a.example" }));
  const told = [
    await tell("Website", "2", missing({ domain: "b.example" })),
    await tell("Website", "3", missing({ domain: "c.example" })),
    await tell("Pixel", "4", { name: "D", type: "bing", value: "d" }),
  ];
  expect(told.map((each) => /tracking:\w+BaseUrl|\w+BaseUrl/.exec(each)?.[0])).toEqual([
    "analyticsBaseUrl",
    undefined,
    "dataBaseUrl",
  ]);
});

test.each<[says: string, kept: Record<number, number>, there: number[], end: string]>([
  ["has none of two records that this run keeps", { 1: 1, 2: 2 }, [], "failed"],
  ["has one of their names, under another id", { 7: 8, 2: 2 }, [], "failed"],
  ["has one of them", { 1: 1, 2: 2 }, [2], "done"],
  ["has not the only one", { 1: 1 }, [], "done"],
])("in an account that %s, creates and adoptions end so", async (_says, kept, there, end) => {
  const { ask, control } = await configured();
  const domain = (id: number) => `site-${id}.example`;
  const state = (id: number) => ({ domain: domain(id), ...defaults });
  control.seed({ websites: [...there, 8].map((id) => ({ id, domain: domain(id) })) });
  for (const [id, site] of Object.entries(kept)) await ask("Website diff", id, state(site), state(site));
  const asked = [state(10), { ...state(8), adopt: true }].map((args) => ask("Website create", args));
  expect((await Promise.all(asked)).map(([outcome]) => outcome)).toEqual([end, end]);
  const sent = control.requests().map(({ method }) => method);
  expect(["POST", "PUT"].map((each) => sent.includes(each))).toEqual([end === "done", end === "done"]);
});

test("a state without a name, as after an edit by hand, is no reason to doubt the account of a new record", async () => {
  const { ask, control } = await configured();
  const tag = { name: "Ads", type: "bing", value: "1" };
  control.seed({ pixels: [{ id: 3, ...tag }] });
  const { name: _, ...nameless } = tag;
  await ask("Pixel diff", "3", nameless, tag);
  expect(await ask("Pixel create", { ...tag, name: "News" })).toMatchObject(["done", {}]);
});

test("what is gone is named with what the next up makes again, and what first to look at if nothing else was found", async () => {
  const { control, settings } = await world();
  control.insertPixel({ id: 4, name: "Ads", type: "bing", value: "1" });
  const said: string[] = [];
  const own = bareRun((text) => said.push(text));
  const [sites, pixels] = [sessionOf(website, settings, own), sessionOf(pixel, settings, own)];
  await sites.read("7", { ...shop, ...defaults });
  await pixels.read("4", { name: "Ads", type: "bing", value: "1" });
  await pixels.read("5", { name: "News", type: "bing", value: "2" });
  expect(said).toEqual([
    expect.stringMatching(
      /^website "shop\.example" \(id 7\) is gone from the service\. This run found no other record: check .*\. If the program still has it, "pulumi up" creates it again, without its statistics$/,
    ),
    'pixel "News" (id 5) is gone from the service. If the program still has it, "pulumi up" creates it again',
  ]);
});

test("every call hides the secrets that it is given, and nothing else", async () => {
  const { ask } = await configured();
  const site = (word: string) => ({ ...shop, password: `password-of-${word}` });
  const calls = { check: 2, diff: 2, create: 1, read: 1, update: 2, delete: 1 };
  for (const [verb, bags] of Object.entries(calls)) {
    const given = [`${verb}-before`, verb].slice(-bags);
    const id = ["check", "create"].includes(verb) ? [] : ["7"];
    await ask(`Website ${verb}`, ...id, ...given.map(site));
    for (const word of given) expect(sanitize(`it is password-of-${word}.`)).toBe("it is (secret).");
  }
  expect(sanitize(shop.domain)).toBe(shop.domain);
  // A word that is a secret is hidden where it is a value, in the first check too.
  const twice = { ...shop, privacy: "opensesame", password: "opensesame" };
  const [, checked] = await ask("Website check", {}, twice);
  expect(checked).toMatchObject({
    failures: [expect.stringMatching(/^privacy must be .*, not \(secret\)$/)],
  });
});

test("a record that its resource changes in place is kept by it, and one that it replaces is free", async () => {
  const { ask, control } = await configured();
  const seed = {
    websites: [{ id: 1, domain: "shop.example" }],
    pixels: [{ id: 1, name: "new", type: "bing", value: "1" }],
  };
  control.seed(seed);
  const tag = { name: "old", type: "bing", value: "1" };
  await ask("Pixel check", tag, { ...tag, type: "quora" }, "a");
  await ask("Pixel diff", "1", tag, { ...tag, type: "quora" });
  expect(await ask("Pixel check", {}, { ...tag, name: "new", adopt: true }, "b")).toMatchObject([
    "done",
    { failures: [expect.stringContaining("already belongs to")] },
  ]);
  const next = { domain: "next.example" };
  await ask("Website check", shop, next, "a");
  await ask("Website diff", "1", { ...shop, ...defaults }, { ...next, ...defaults });
  expect(await ask("Website check", {}, { ...shop, adopt: true }, "b")).toMatchObject([
    "done",
    { failures: [] },
  ]);
});

test("values in state that no program gives, as after an edit by hand, are refused either way round, and hold back no delete", async () => {
  const { ask, control } = await configured();
  control.seed({ websites: [{ id: 1, ...shop }] });
  const right = { ...shop, ...defaults };
  const odd = { ...right, excludeIps: "192.0.2.1" };
  const message = `website "shop.example" (id 1) can't be read from state: excludeIps`;
  const advised = expect.stringContaining(`${message}\nRun "pulumi state delete --force 'URN'"`);
  expect(await ask("Website diff", "1", odd, right)).toEqual(["failed", { message: advised }]);
  expect(await ask("Website diff", "1", right, odd)).toEqual(["failed", { message }]);
  expect(await ask("Website read", "1", odd)).toEqual(["failed", { message }]);
  expect(control.requests()).toEqual([]);
  expect(await ask("Website delete", "1", odd)).toEqual(["done", undefined]);
  expect(control.websites()).toEqual([]);
});

test("a record belongs to the resource that the program names now, not to its old key", async () => {
  const { ask } = await configured();
  const tag = { name: "new", type: "bing", value: "1" };
  const third = { ...tag, name: "third" };
  for (const each of [tag, third]) await ask("Pixel check", each, each);
  expect(await ask("Pixel diff", "1", { ...tag, name: "old" }, tag)).toMatchObject([
    "done",
    { changed: ["name"] },
  ]);
  expect(await ask("Pixel diff", "1", third, third)).toMatchObject(["failed", {}]);
});
