import { randomUUID } from "node:crypto";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect, onTestFinished, test, vi } from "vitest";
import { EngineLog } from "../../../../provider/hosts/native/log";
import { Plugin } from "../../../../provider/hosts/native/plugin";
import { service as protocol } from "../../../../provider/hosts/native/protocol";
import { toStruct } from "../../../../provider/hosts/native/values";
import { world } from "../../harness";

const sealed = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
const { ADD, DELETE, UPDATE, UPDATE_REPLACE } = proto.PropertyDiff.Kind;
const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
const urn = (name: string) => `urn:pulumi:dev::shop::my:index:Group$tracking:index:Website::${name}`;
const tag = urn("tag").replace("Website", "Pixel");
const SHOP = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
const theirs = { id: 7, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1 };

/** The messages of methods. */
const messages = {
  check: proto.CheckRequest,
  checkConfig: proto.CheckRequest,
  configure: proto.ConfigureRequest,
  create: proto.CreateRequest,
  delete: proto.DeleteRequest,
  diff: proto.DiffRequest,
  handshake: proto.ProviderHandshakeRequest,
  invoke: proto.InvokeRequest,
  read: proto.ReadRequest,
  update: proto.UpdateRequest,
};
type Members = Readonly<Record<string, unknown>>;
const accessor = (verb: "get" | "set", name: string) =>
  `${verb}${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A method's message with these members; an object is a bag. */
function message(method: string, members: Members): object {
  const filled = method in messages ? new messages[method as keyof typeof messages]() : {};
  for (const [name, value] of Object.entries(members))
    Reflect.apply(Reflect.get(filled, accessor("set", name)), filled, [
      typeof value === "object" ? toStruct({ ...value }) : value,
    ]);
  return filled;
}

/** What an answer has under a name; a bag, and each entry of a list, as an object. */
function member(answer: object, name: string): unknown {
  const value: unknown = Reflect.apply(Reflect.get(answer, accessor("get", name)), answer, []);
  if (Array.isArray(value)) return value.map((each) => each.toObject());
  return value instanceof Struct ? value.toJavaScript() : value;
}

/** A plugin, asked as the engine does. `said` has what it warns of there: the resource and the line. */
async function plugin(address?: string) {
  const { settings, control } = await world({ seed: { websites: [theirs] } });
  const said: string[][] = [];
  const print = (request: LogRequest, _metadata: unknown, _options: unknown, done: () => void) => {
    if (request.getSeverity() === LogSeverity.WARNING) said.push([request.getUrn(), request.getMessage()]);
    done();
  };
  const log = vi.spyOn(EngineClient.prototype, "log").mockImplementation(print as never);
  onTestFinished(() => log.mockRestore());
  const engine = new EngineLog();
  // By it, the processes of a run share what they know, and others that run these tests are not of it.
  engine.connect(address ?? randomUUID());
  const methods = protocol(new Plugin(engine), engine, { version: "1.2.3", schema: "{}" });
  const call = (method: string, members: Members): Promise<object> =>
    new Promise((resolve, reject) => {
      const handle = methods[method] as (
        call: object,
        reply: (error: unknown, answer: object) => void,
      ) => void;
      const request = message(method, members);
      handle({ request }, (error, answer) => (error === null ? resolve(answer) : reject(error)));
    });
  /** Calls a method, and gives these members of the answer. */
  const ask = async (method: string, members: Members, ...names: string[]) => {
    const answer = await call(method, members);
    return names.map((name) => member(answer, name));
  };
  const configure = (args: object = settings, name = "other") =>
    ask("configure", { args, name }, "supportspreview", "acceptsecrets");
  return { call, ask, control, settings, said, engine, configure };
}

async function configured(address?: string) {
  const made = await plugin(address);
  // Otherwise the engine would not ask for what a preview shows of a create or an update, nor tell what is secret.
  expect(await made.configure()).toEqual([true, true]);
  return made;
}

test("a diff compares old values with new ones, and takes the protection from the old inputs", async () => {
  const { call, ask } = await configured();
  const diff = async (olds: object, news: object, oldInputs: object) => {
    const found = await call("diff", { urn: urn("shop"), id: "7", olds, news, oldInputs });
    const { changes, hasdetaileddiff, diffsList, replacesList, detaileddiffMap } = (
      found as proto.DiffResponse
    ).toObject();
    expect([changes, hasdetaileddiff]).toEqual([diffsList.length === 0 ? DIFF_NONE : DIFF_SOME, true]);
    const kinds = detaileddiffMap.map(([name, { kind }]) => [name, kind]);
    expect(diffsList).toEqual(kinds.map(([name]) => name));
    expect(replacesList).toEqual(diffsList.filter((_, at) => kinds[at]?.[1] === UPDATE_REPLACE));
    return kinds;
  };
  const secret = { ...SHOP, password: "hunter2!" };
  expect(await diff(secret, SHOP, secret)).toEqual([]);
  expect(await diff(SHOP, secret, SHOP)).toEqual([["password", ADD]]);
  expect(await diff(SHOP, { ...SHOP, privacy: "public" }, {})).toEqual([["privacy", UPDATE]]);
  const GA = { name: "GA", type: "bing", value: "1" };
  const first = async (of: string, bag: object) =>
    ask("diff", { urn: of, id: "1", olds: bag, news: bag }, "deletebeforereplace");
  expect([await first(tag, GA), await first(urn("shop"), SHOP)]).toEqual([[true], [false]]);
  const lifted = { ...SHOP, deletionProtection: false };
  expect(await diff(SHOP, SHOP, lifted)).toEqual([["deletionProtection", DELETE]]);
  expect(await diff(SHOP, lifted, lifted)).toEqual([]);
  const moved = { ...lifted, domain: "b.example" };
  expect(await diff(SHOP, moved, lifted)).toEqual([["domain", UPDATE_REPLACE]]);
});

test("an update sends what is new, and in a preview gives it without sending", async () => {
  const { ask, control } = await configured();
  const news = { ...SHOP, privacy: "public" };
  for (const [preview, privacy] of [
    [true, 1],
    [false, 0],
  ]) {
    const update = { urn: urn("shop"), id: "7", olds: SHOP, news, preview };
    expect(await ask("update", update, "properties")).toMatchObject([{ ...news, deletionProtection: true }]);
    expect(control.websites()).toMatchObject([{ privacy }]);
  }
});

test("a create gives the id, and in a preview none; a read keeps of the inputs what the service does not know", async () => {
  const { ask, control } = await configured();
  const given = { adopt: true, deletionProtection: false };
  const inputs = { ...SHOP, ...given, domain: "b.example", password: "hunter2!" };
  const create = { urn: urn("b"), properties: inputs };
  expect(await ask("create", { ...create, preview: true }, "id")).toEqual([""]);
  expect(control.websites()).toHaveLength(1);
  const own = { ...SHOP, domain: "b.example", password: sealed("hunter2!") };
  const known = { ...own, deletionProtection: false };
  const outputs = { ...known, __at: expect.any(String) };
  expect(await ask("create", create, "id", "properties")).toEqual(["8", outputs]);
  const look = { urn: urn("b"), id: "8", inputs };
  // Of what a program reads, an engine may know the inputs alone.
  for (const read of [{ ...look, properties: known }, look])
    expect(await ask("read", read, "properties", "inputs")).toEqual([outputs, { ...known, adopt: true }]);
  const exists = (id: string) => ask("read", { urn: urn("__exists__1"), inputs: {}, id }, "id");
  expect([await exists("8"), await exists("9")]).toEqual([["8"], [""]]);
});

test("what the engine marks as secret comes back so from each method, and of a look-up all of it", async () => {
  const { ask } = await configured();
  const own = { ...SHOP, deletionProtection: false };
  const bag = { ...own, excludeIps: ["192.0.2.1", sealed("192.0.2.2")] };
  const back = { ...own, excludeIps: sealed(["192.0.2.1", "192.0.2.2"]) };
  const of = { urn: urn("one") };
  expect(await ask("check", { ...of, news: bag }, "inputs")).toEqual([back]);
  expect(await ask("create", { ...of, properties: bag, preview: true }, "properties")).toEqual([back]);
  const update = { ...of, id: "7", olds: SHOP, news: bag };
  expect(await ask("update", update, "properties")).toMatchObject([back]);
  const read = { ...of, id: "7", properties: bag, inputs: bag };
  expect(await ask("read", read, "properties", "inputs")).toMatchObject([back, back]);
  const look = await ask("invoke", { tok: "tracking:index:getWebsite", args: { id: sealed("7") } }, "return");
  expect(look).toMatchObject([{ id: sealed("7"), privacy: sealed("private") }]);
});

test("a delete asks the old inputs for the protection, and state for the record", async () => {
  const { ask, control, engine } = await configured();
  // Other than a destroy, an up checks what the program declares, perhaps in another process of its run.
  const other = await configured(engine.address);
  await other.ask("check", { urn: urn("b"), news: { domain: "b.example" } });
  const shop = { urn: urn("shop"), id: "7", properties: SHOP };
  await expect(ask("delete", shop)).rejects.toMatchObject({
    details: expect.stringMatching(
      /^website "shop\.example" is protected.*\nTo keep website "shop\.example", put its lines back\nTo delete it, put them back with deletionProtection: false \(Python: deletion_protection=False\), run "pulumi up", remove the lines, and run "pulumi up" again$/,
    ),
  });
  expect(control.websites()).toHaveLength(1);
  await ask("delete", { ...shop, oldInputs: { domain: "unlike.example", deletionProtection: false } });
  expect(control.websites()).toEqual([]);
});

test("a check gives the program's arguments, a sealed password, and each failure without a property", async () => {
  const { ask } = await configured();
  const check = (of: string, news: object) => ask("check", { urn: of, news }, "inputs", "failuresList");
  const lifted = { domain: "shop.example", deletionProtection: false };
  expect(await check(urn("shop"), { ...lifted, password: "hunter2!" })).toEqual([
    { ...lifted, password: sealed("hunter2!") },
    [],
  ]);
  const reason = expect.stringMatching(/^emailReports must be/);
  expect((await check(urn("shop"), { ...lifted, emailReports: 7 }))[1]).toEqual([{ property: "", reason }]);
  expect((await check(tag, { name: "GA", type: "bing", value: "1" }))[1]).toEqual([]);
});

test("a line for people names the resource of its call, and shows no secret", async () => {
  const { ask, control, said, engine } = await configured();
  engine.debug("not for all people");
  control.seed({ websites: [] });
  const state = { ...SHOP, domain: "hunter2-and-more.example", password: "hunter2-and-more" };
  expect(await ask("read", { urn: urn("gone"), id: "7", properties: state }, "id")).toEqual([""]);
  expect(said).toEqual([[urn("gone"), expect.stringContaining("(secret)")]]);
  expect(said.splice(0).join()).not.toContain("hunter2");
  const oldInputs = { ...SHOP, deletionProtection: false };
  const news = { ...SHOP, domain: "b.example" };
  await ask("diff", { urn: urn("shop"), id: "7", olds: SHOP, news, oldInputs });
  expect(said.splice(0)).toEqual([[urn("shop"), expect.stringContaining("retainOnDelete")]]);
  const asked = ask("invoke", { tok: "hunter2-and-more" });
  await expect(asked).rejects.toMatchObject({ details: "no function (secret) exists" });
});

test("a refresh, which compares the other way round, tells of no change of the program", async () => {
  const { ask, said, control } = await configured();
  control.editWebsite(7, { privacy: 1, exclude_ips: "192.0.2.1" });
  const state = { ...SHOP, privacy: "public", excludeIps: [] };
  const shop = { urn: urn("shop"), id: "7" };
  const read = { ...shop, properties: state, inputs: state };
  const [now, given] = await ask("read", read, "properties", "inputs");
  const reversed = { ...shop, olds: now, oldInputs: given, news: state };
  expect(await ask("diff", reversed, "changes")).toEqual([DIFF_SOME]);
  expect(said).toEqual([]);
  // With --run-program, the program then is checked, and would make it public again.
  await ask("check", { urn: urn("shop"), olds: given, news: state });
  expect(await ask("diff", reversed, "changes")).toEqual([DIFF_SOME]);
  expect(said.map(([, text]) => text)).toEqual([
    'website "shop.example": its statistics page becomes public',
    'website "shop.example": its excludeIps will be emptied',
  ]);
});

test("an answer waits until the engine has the lines of its call", async () => {
  const { ask, control } = await configured();
  control.seed({ websites: [] });
  const events: string[] = [];
  vi.spyOn(EngineClient.prototype, "log").mockImplementation(((
    _line: LogRequest,
    _metadata: unknown,
    _options: unknown,
    done: () => void,
  ) => {
    setImmediate(() => {
      events.push("line");
      done();
    });
  }) as never);
  await ask("read", { urn: urn("gone"), id: "7", properties: SHOP });
  events.push("answer");
  expect(events).toEqual(["line", "answer"]);
});

test("keys among the settings come back as secrets", async () => {
  const { ask } = await configured();
  const given = { dataBaseUrl: "https://d.example", version: "1.2.3" };
  const news = { ...given, apiKey: "first-key", marketApiKey: "second-key" };
  expect(await ask("checkConfig", { news }, "inputs")).toEqual([
    { ...given, apiKey: sealed("first-key"), marketApiKey: sealed("second-key") },
  ]);
});

test("a look-up has the settings of its provider, and what they lack is asked for by its name or, of a default one, by that in the stack's config", async () => {
  const { ask, configure } = await configured();
  const look = () => ask("invoke", { tok: "tracking:index:getWebsites", args: {} }, "return");
  expect(await look()).toMatchObject([{ websites: [{ id: "7" }] }]);
  const rows: [string, object, string][] = [
    ["my_default", {}, '"my_default"'],
    ["default_10_2_3", {}, "tracking:apiKey"],
    ["default", {}, "tracking:apiKey"],
    ["default", { explicit: "true" }, '"default"'],
    [
      "",
      {},
      'is missing\nSet TRACKING_API_KEY, since "pulumi do" reads the settings from the environment here\n',
    ],
  ];
  for (const [name, settings, words] of rows) {
    await configure(settings, name);
    await expect(look()).rejects.toMatchObject({ details: expect.stringContaining(words) });
  }
});

test("a setting may come as the JSON text that SDKs of other languages make of it", async () => {
  const { ask, configure, control, settings } = await plugin();
  await configure({ ...settings, marketPostParameters: '"query"' });
  const args = { purchaseCode: "11111111-aaaa-4bbb-8ccc-000000000001" };
  await ask("invoke", { tok: "tracking:index:validatePurchase", args });
  expect(control.requests()[0]?.query).toHaveProperty("purchase_code");
});

test("headers may come as an object, as YAML has them, with a secret in it, or as JSON text", async () => {
  const { ask, configure, control, settings } = await plugin();
  control.configure({ headers: { "X-Team": "a" } });
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "a" };
  for (const headers of [{ "X-Team": "a" }, '{"X-Team":"a"}', { "X-Team": secret }]) {
    await configure({ ...settings, headers });
    expect(await ask("invoke", { tok: "tracking:index:getAccount", args: {} }, "return")).toHaveLength(1);
  }
  await configure({ ...settings, headers: ["X-Team: a"] });
  await expect(ask("invoke", { tok: "tracking:index:getAccount", args: {} })).rejects.toMatchObject({
    details: expect.stringContaining("headers of"),
  });
});

test("a setting that a preview does not know yet is missing, and nothing is sent", async () => {
  const { ask, configure, control, settings } = await plugin();
  await configure({ ...settings, apiKey: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" });
  await expect(ask("read", { urn: urn("shop"), id: "7", properties: SHOP })).rejects.toMatchObject({
    details: expect.stringContaining("the API key for websites is missing"),
  });
  expect(control.requests()).toEqual([]);
});

test("a refresh by the settings of the last up, before a program that has new ones, takes nothing from either", async () => {
  const { configure, ask, engine, settings } = await plugin();
  await configure(settings, "default_0_1_0");
  await ask("read", { urn: urn("shop"), id: "7", properties: SHOP });
  const today = await plugin(engine.address);
  await today.configure(today.settings, "default_0_1_0");
  const check = { urn: urn("shop"), olds: SHOP, news: SHOP };
  expect(await today.ask("check", check, "failuresList")).toEqual([[]]);
  const look = await today.ask("invoke", { tok: "tracking:index:getWebsites", args: {} }, "return");
  expect(look).toMatchObject([{ websites: [{ id: "7" }] }]);
});

test("whether the program's settings are used, and of which version its package is, shows when the engine checks them", async () => {
  const rotated = { apiKey: "of-nobody" };
  const advice = async (isChecked: boolean, name: string) => {
    const { configure, ask, settings, said } = await plugin();
    if (isChecked) await ask("checkConfig", { news: settings });
    await configure({ ...settings, ...rotated }, name);
    const failed = ask("read", { urn: urn("shop"), id: "7", properties: SHOP });
    const text = await failed.catch(({ details }: { details: string }) => details);
    return [String(text).split("\n")[1], said.map(([, line]) => line)];
  };
  const older = expect.stringMatching(
    /^the program's package is version 0\.1\.0, and the plugin is version 1\.2\.3: see "Upgrade" in /,
  );
  expect(await advice(false, "default_0_1_0")).toEqual([expect.stringMatching(/with --run-program$/), []]);
  expect(await advice(true, "default_0_1_0_https_/example.com")).toEqual(["Check tracking:apiKey", [older]]);
  expect(await advice(true, "default_1_2_3")).toEqual(["Check tracking:apiKey", []]);
});

test("a provider that the engine cancels sends nothing more", async () => {
  const { ask, control } = await configured();
  await ask("cancel", {});
  await expect(ask("read", { urn: urn("shop"), id: "7", properties: SHOP })).rejects.toMatchObject({
    details: expect.stringContaining("cancelled"),
  });
  expect(control.requests()).toEqual([]);
});

test("a record that is half made, or half changed, is answered with its id, and what is known of it", async () => {
  const { ask, control } = await configured();
  const half = async (method: string, members: Members) => {
    const failed = await ask(method, members).then(
      () => undefined,
      (error: { details: string; metadata: { get(name: string): Buffer[] } }) => error,
    );
    const [bytes] = failed?.metadata.get("grpc-status-details-bin") ?? [];
    const [detail] = Status.deserializeBinary(bytes as Buffer).getDetailsList();
    const answer = proto.ErrorResourceInitFailed.deserializeBinary(
      detail?.getValue_asU8() ?? new Uint8Array(),
    );
    expect(answer.getReasonsList()).toEqual([failed?.details]);
    return [failed?.details, answer.getId(), answer.getProperties()?.toJavaScript()];
  };
  const reply = { status: 201, body: { id: 8, domain: "b.example", privacy: 0 } };
  for (const match of [{ method: "POST" }, { path: "/api/v1/websites/8", times: 0 }])
    control.addFault({ match, commit: "before", reply });
  const inputs = { ...SHOP, domain: sealed("b.example"), password: "hunter2!" };
  expect(await half("create", { urn: urn("b"), properties: inputs })).toEqual([
    expect.stringContaining("(id 8)"),
    "8",
    { domain: inputs.domain, privacy: "public" },
  ]);
  // What the program marks as secret is so here too.
  control.addFault({ match: { method: "PUT" }, commit: "never", reply: { status: 204 } });
  const news = { ...SHOP, domain: sealed("shop.example"), privacy: "public" };
  expect(await half("update", { urn: urn("shop"), id: "7", olds: SHOP, news })).toEqual([
    expect.stringContaining("(id 7)"),
    "7",
    { ...news, privacy: "private", __at: expect.any(String) },
  ]);
});

test("the engine is reached where it says, by a handshake, even if it attaches, and told the version and the schema", async () => {
  const { ask, engine } = await configured();
  // Otherwise the engine would not tell what is secret.
  expect(await ask("handshake", { engineAddress: "127.0.0.1:2" }, "acceptSecrets")).toEqual([true]);
  await ask("attach", {});
  expect(engine.address).toBe("127.0.0.1:2");
  const told = [await ask("getPluginInfo", {}, "version"), await ask("getSchema", {}, "schema")];
  expect(told).toEqual([["1.2.3"], ["{}"]]);
});
