import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { beginProcess } from "../../../faults/process";
import { rejection } from "../../../rejection";
import type { EmulatorOptions } from "../../../service";
import { world } from "../../harness";
import { upTo } from "../../sites";

const sealed = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
const provider = { __provider: "constant" };
const defaults = { privacy: "private", emailReports: false, excludeBots: true };
const shop = { domain: "shop.example", ...defaults };
const bag = { ...shop, ...provider };
const pixel = { name: "GA", type: "bing", value: "1", ...provider };
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

/** The host in a process of its own, configured for a service. */
async function hosted(options: EmulatorOptions = {}, more: Record<string, string> = {}) {
  const { url, control, settings } = await world(options);
  const process = await beginProcess({ ...settings, ...more });
  onTestFinished(() => process.leave());
  return { url, control, ...process };
}
const theirs = { id: 7, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1 };

describe("check", () => {
  test("gives the arguments with their defaults and the constant text, and nothing of its own", async () => {
    const { host, control } = await hosted();
    const news = { domain: "shop.example", password: null, ...provider };
    expect(await host.Website.check({}, news)).toStrictEqual({ inputs: bag, failures: [] });
    const { inputs } = await host.Website.check({}, { ...bag, password: "hunter2!" });
    expect(inputs).toStrictEqual({ ...bag, password: sealed("hunter2!") });
    expect(control.requests()).toEqual([]);
  });
  test("gives each wrong argument as a sentence without a property, and hides what it keeps secret", async () => {
    const { host } = await hosted();
    const news = { ...bag, privacy: "geheim!", password: "geheim!" };
    expect((await host.Website.check({}, news)).failures).toEqual([
      { property: "", reason: expect.stringMatching(/^privacy .* not \(secret\)$/) },
    ]);
  });
  test("hides what the program names as secret, old and new, also in what follows", async () => {
    const { host, control } = await hosted();
    const told = { __resource: JSON.stringify({ secrets: ["value"] }) };
    await host.Pixel.check({}, pixel);
    const { id, outs } = await host.Pixel.create(pixel);
    control.addFault({
      match: { method: "PUT" },
      commit: "never",
      reply: { body: { data: { id, value: "1" } } },
    });
    const next = { ...pixel, value: "2" };
    await host.Pixel.check(outs as object, { ...next, ...told });
    expect(await rejection(host.Pixel.update(id, outs as object, next))).toMatchObject({
      reasons: [expect.stringContaining("value: sent (secret), stored (secret)")],
    });
  });
  test("hides what the program names as secret of a new record", async () => {
    const { host, control } = await hosted();
    const news = { ...pixel, value: "canary-1" };
    await host.Pixel.check({}, { ...news, __resource: JSON.stringify({ secrets: ["value"] }) });
    const reply = { status: 400, body: { message: "canary-1 is odd" } };
    control.addFault({ match: { method: "POST" }, commit: "never", reply });
    const { message } = await rejection(host.Pixel.create(news));
    expect(message).toContain("not shown, since it repeats a secret");
    expect(message).not.toContain("canary");
  });
  test("hides the old value of what the program names as secret by now", async () => {
    const old = { ...bag, domain: "canary.example" };
    const { host, control } = await hosted({ seed: { websites: [{ ...theirs, domain: old.domain }] } });
    await host.Website.check(old, { ...bag, __resource: JSON.stringify({ secrets: ["domain"] }) });
    // The new domain replaces the website, and the old one's delete knows the old domain alone.
    control.addFault({ match: { method: "DELETE" }, commit: "never", reply: { status: 400, body: {} } });
    const { message } = await rejection(host.Website.delete("7", old));
    expect(message).toMatch(/^website .*\(id 7\)/);
    expect(message).not.toContain("canary");
  });
  test("knows the resource by the argument that names it", async () => {
    const named = (name: string) => {
      const urn = `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tracking:Website::${name}`;
      return { ...bag, __resource: JSON.stringify({ urn }) };
    };
    const { host } = await hosted();
    await host.Website.check({}, named("one"));
    const { failures: twice } = await host.Website.check({}, named("other"));
    expect(twice?.[0]?.reason).toContain('by "one" and "other"');
  });
  test("names once the explicit provider that lacks a setting, as a refresh does, which checks nothing", async () => {
    const lacking = async () => (await hosted({}, { explicit: "agency", apiKey: "" })).host;
    const title = "the API key for websites is missing";
    const missing = `${title}\nGive apiKey to the tracking.Provider "agency"`;
    const refreshed = await lacking();
    expect((await rejection(refreshed.Website.read("7", bag))).message).toContain(missing);
    const host = await lacking();
    const reason = async () => (await host.Website.check({}, bag)).failures?.[0]?.reason;
    expect(await reason()).toContain(missing);
    // As of a hundred websites, which all lack it.
    expect(await reason()).toBe(title);
  });
});

test("the first calls, which the engine makes before configure is done, have its settings", async () => {
  const websites = Array.from({ length: 8 }, (_, at) => ({ ...theirs, id: at + 1, domain: `${at}.example` }));
  const { host, control, url } = await hosted({ apiKey: "new", seed: { websites } }, { apiKey: "old" });
  await host.Website.check({}, bag);
  const settings: Record<string, string> = { "tracking:apiKey": "new", "tracking:analyticsBaseUrl": url };
  const configured = host.Website.configure({
    config: { get: (key: string) => settings[key] },
  } as unknown as Parameters<typeof host.Website.configure>[0]);
  const reads = websites.map(({ id, domain }) => host.Website.read(String(id), { ...bag, domain }));
  expect((await Promise.all(reads)).map(({ id }) => id)).toEqual(websites.map(({ id }) => String(id)));
  await configured;
  expect(new Set(control.requests().map(({ key }) => key))).toEqual(new Set(["right"]));
});

test("diff names what has changed, and what asks for another record", async () => {
  const { host } = await hosted();
  const moved = { ...bag, domain: "b.example" };
  expect(await host.Website.diff("7", bag, moved)).toEqual({ changes: true, replaces: ["domain"] });
  expect(await host.Website.diff("7", shop, bag)).toEqual({ changes: true, replaces: [] });
});

describe("create", () => {
  test("gives the id and what was made", async () => {
    const { host, control } = await hosted();
    const made = await host.Website.create({ ...bag, password: "hunter2!" });
    const outs = { ...shop, password: sealed("hunter2!"), __at: expect.any(String) };
    expect(made).toStrictEqual({ id: "1", outs });
    expect(control.websites()).toMatchObject([{ domain: "shop.example", password: "hunter2!" }]);
    expect(await host.Pixel.create(pixel)).toMatchObject({ id: "1", outs: { name: "GA" } });
  });
  test("a record that is half made leaves with its id, what is known of it, and the reason", async () => {
    const { host, control } = await hosted();
    control.addFault({
      match: { method: "POST" },
      commit: "before",
      reply: { status: 201, body: { id: 1, privacy: 0 } },
    });
    control.addFault({
      match: { path: "/api/v1/websites/1", times: 2 },
      reply: { body: { id: 1, privacy: 0 } },
    });
    const error = await rejection(host.Website.create(bag));
    expect({ ...error }).toMatchObject({ id: "1", reasons: [error.message] });
    expect(Reflect.get(error, "properties")).toStrictEqual({
      __provider: bag.__provider,
      domain: bag.domain,
      privacy: "public",
    });
  });
  test("that fails leaves one clean sentence, once, and no id", async () => {
    const { host, control } = await hosted();
    const body = { message: "no \u001b[31m for you" };
    control.addFault({ match: { method: "POST" }, reply: { status: 400, body } });
    const error = await rejection(host.Website.create({ ...bag, password: "hunter2!" }));
    expect(error.message).toContain("no \uFFFD[31m for you");
    expect([error.stack, String(error)]).toEqual(["", ""]);
    expect(error).not.toHaveProperty("id");
  });
});

describe("read", () => {
  test("gives what there is as properties and as inputs, with the constant text", async () => {
    const { host } = await hosted({
      seed: { websites: [{ ...theirs, privacy: 0, password: "hunter2!" }] },
    });
    const now = { ...bag, privacy: "public" };
    const props = { ...now, __at: expect.any(String) };
    expect(await host.Website.read("7", bag)).toStrictEqual({ id: "7", props, inputs: now });
    const password = sealed("hunter2!");
    const locked = await host.Website.read("7", { ...bag, password });
    expect([locked.props, locked.inputs]).toStrictEqual([
      { ...props, password },
      { ...now, password },
    ]);
  });
  test("for the first time takes all that there is", async () => {
    const { host } = await hosted({ seed: { websites: [{ ...theirs, exclude_ips: "192.0.2.7" }] } });
    // Without state, the engine's SDK hands over the inputs.
    const { props } = await host.Website.read("7", { ...provider, __resource: "{}" });
    expect(props).toMatchObject({ domain: "shop.example", excludeIps: ["192.0.2.7"] });
    expect((await host.Website.read("7")).props).toMatchObject({ domain: "shop.example" });
  });
  test("of what is gone is empty and says what it means, and for the first time an error", async () => {
    const { host, said } = await hosted();
    expect(await host.Website.read("7", bag)).toStrictEqual({});
    expect(said).toEqual([
      expect.stringMatching(/^website "shop.example" \(id 7\) is gone .*tracking:apiKey/),
    ]);
    // Each time in full: who imports one has no other line.
    for (const _time of upTo(2))
      expect((await rejection(host.Website.read("7", { ...provider }))).message).toMatch(/ id 7$/);
  });
});

describe("update", () => {
  test("sends what has changed and gives what is there now", async () => {
    const { host, control } = await hosted({ seed: { websites: [theirs] } });
    const changes = { privacy: "public", password: sealed("hunter2!") };
    const { outs } = await host.Website.update("7", bag, { ...bag, ...changes });
    expect(outs).toStrictEqual({ ...shop, ...changes, __at: expect.any(String) });
    expect(control.websites()).toMatchObject([{ id: 7, privacy: 0, password: "hunter2!" }]);
  });
  test("that is half done has the constant text of the arguments", async () => {
    const { host, control } = await hosted({ seed: { websites: [theirs] } });
    control.addFault({ match: { method: "PUT" }, commit: "never", reply: { status: 204 } });
    const error = await rejection(host.Website.update("7", shop, { ...bag, privacy: "public" }));
    expect(error).toMatchObject({ id: "7", properties: provider });
  });
});

/** The way to a command that has the stack's settings of today. */
const WITH_PROGRAM = ", and the same command with --run-program";

test("a service that throttles again and again is limited by a setting, which the message gives to the command that ran", async () => {
  const behind = async () => {
    const here = await hosted({ seed: { websites: [theirs] } }, { maxRetryWait: "1" });
    // It accepts some first.
    await here.host.Pixel.read("3", pixel).catch(() => {});
    expect(here.control.requests()).not.toEqual([]);
    const reply = { status: 429, headers: { "retry-after": "0.01" } };
    here.control.addFault({ match: { times: 0 }, commit: "never", reply });
    return here.host.Website;
  };
  const number = ", or the number that the service allows";
  const set = `]\nRun "pulumi config set tracking:requestsPerMinute 30"${number}`;
  const refresh = await behind();
  expect((await rejection(refresh.read("7", bag))).message).toContain(`${set}${WITH_PROGRAM}`);
  vi.stubEnv("TRACKING_REQUESTS_PER_MINUTE", "60000");
  onTestFinished(() => void vi.unstubAllEnvs());
  const again = await behind();
  expect((await rejection(again.read("7", bag))).message).toContain(
    `]\nSet TRACKING_REQUESTS_PER_MINUTE to 30${number}, and run the same command again`,
  );
});

describe("a key of stack config", () => {
  async function rotated() {
    vi.stubEnv("TRACKING_API_KEY", "new");
    onTestFinished(() => void vi.unstubAllEnvs());
    return hosted({ apiKey: "new", seed: { websites: [theirs] } }, { apiKey: "old" });
  }

  test("that is rejected is never replaced by another, and the advice is true for the command", async () => {
    const refresh = await rotated();
    expect((await rejection(refresh.host.Website.read("7", bag))).message).toMatch(
      /\]\nRun "pulumi config set --secret tracking:apiKey", and the same command with --run-program$/,
    );
    const destroy = await rotated();
    expect((await rejection(destroy.host.Website.delete("7", bag))).message).toContain(
      `]\nRun "pulumi config set --secret tracking:apiKey"${WITH_PROGRAM}, or "pulumi up" once with`,
    );
    const up = await rotated();
    // The program runs.
    await up.host.Pixel.check({}, pixel);
    const { message } = await rejection(up.host.Website.update("7", bag, { ...bag, emailReports: true }));
    expect(message).toMatch(/\(401.*\) \[GET .*\]\nCheck tracking:apiKey$/);
    for (const { control, said } of [refresh, destroy, up]) {
      expect(new Set(control.requests().map(({ key }) => key))).toEqual(new Set(["wrong"]));
      expect([control.websites().length, said]).toEqual([1, []]);
    }
  });

  test("that the last up did not have is asked for with the way to it", async () => {
    const { host } = await hosted({}, { apiKey: "" });
    expect((await rejection(host.Website.read("7", bag))).message).toContain(
      `\nSet TRACKING_API_KEY, and run the same command again; or run "pulumi config set --secret tracking:apiKey"${WITH_PROGRAM}`,
    );
    expect((await rejection(host.Website.delete("8", bag))).message).toMatch(
      /^the API key for websites [^:]+$/,
    );
    // The program runs.
    const { failures } = await host.Pixel.check({}, pixel);
    expect(failures).toEqual([
      { property: expect.anything(), reason: expect.stringMatching(/^(?!.*"pulumi up").*TRACKING_API_KEY/s) },
    ]);
  });
});

describe("the process's own lines", () => {
  test("show no secret, whichever stream they go to", async () => {
    vi.stubEnv("TRACKING_LOG", "debug");
    onTestFinished(() => void vi.unstubAllEnvs());
    const errors: unknown[] = [];
    const printed = vi.spyOn(console, "error").mockImplementation((text: unknown) => void errors.push(text));
    onTestFinished(() => printed.mockRestore());
    const { host, said } = await hosted();
    const gone = { ...bag, domain: "hunter2-and-more.example", password: sealed("hunter2-and-more") };
    expect(await host.Website.read("hunter2-and-more", gone)).toEqual({});
    expect([said.length, errors.length]).toEqual([1, 2]);
    expect([...said, ...errors].join()).not.toContain("hunter2");
  });
  test("leave out the colon that the engine's host would print of our errors, and nothing else", async () => {
    const errors: unknown[][] = [];
    const printed = vi.spyOn(console, "error").mockImplementation((...words) => void errors.push(words));
    onTestFinished(() => printed.mockRestore());
    await hosted();
    console.error(": ");
    console.error("an error of others", 5);
    expect(errors).toEqual([["an error of others", 5]]);
  });
});
