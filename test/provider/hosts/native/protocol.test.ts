import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
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
const SHOP = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
const theirs = { id: 7, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1 };

/** Each engine has an address, by which the processes of its run share what they know. */
let engines = 0;

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
  engines += 1;
  engine.connect(address ?? `127.0.0.1:${engines}`);
  const methods = protocol(new Plugin(engine), engine, { version: "1.2.3", schema: "{}" });
  const call = <R>(method: string, request: object): Promise<R> =>
    new Promise((resolve, reject) => {
      const handle = methods[method] as (call: object, reply: (error: unknown, answer: R) => void) => void;
      handle({ request }, (error, answer) => (error === null ? resolve(answer) : reject(error)));
    });
  const given = new proto.ConfigureRequest().setArgs(toStruct(settings));
  const configure = () => call<proto.ConfigureResponse>("configure", given.setName("other"));
  const check = (news: object, of = urn("shop"), olds = {}) => {
    const request = new proto.CheckRequest().setUrn(of).setOlds(toStruct(olds));
    return call<proto.CheckResponse>("check", request.setNews(toStruct({ ...news })));
  };
  return { call, check, control, settings, said, engine, configure };
}

async function configured(address?: string) {
  const made = await plugin(address);
  // Otherwise the engine would not ask for what a preview shows of a create or an update.
  expect((await made.configure()).getSupportspreview()).toBe(true);
  return made;
}

test("a diff compares old values with new ones, and takes the protection from the old inputs", async () => {
  const { call } = await configured();
  const diff = async (olds: object, news: object, oldInputs: object) => {
    const request = new proto.DiffRequest().setUrn(urn("shop")).setId("7");
    request.setOlds(toStruct({ ...olds })).setNews(toStruct({ ...news }));
    const found = await call<proto.DiffResponse>("diff", request.setOldInputs(toStruct({ ...oldInputs })));
    const { changes, hasdetaileddiff, diffsList, replacesList, detaileddiffMap } = found.toObject();
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
  const pixel = new proto.DiffRequest().setUrn(urn("ga").replace("Website", "Pixel")).setId("1");
  const [first, second] = [
    await call<proto.DiffResponse>("diff", pixel.setOlds(toStruct(GA)).setNews(toStruct(GA))),
    await call<proto.DiffResponse>("diff", pixel.clone().setUrn(urn("shop")) as proto.DiffRequest),
  ];
  expect([first, second].map((each) => each.getDeletebeforereplace())).toEqual([true, false]);
  const lifted = { ...SHOP, deletionProtection: false };
  expect(await diff(SHOP, SHOP, lifted)).toEqual([["deletionProtection", DELETE]]);
  expect(await diff(SHOP, lifted, lifted)).toEqual([]);
  const moved = { ...lifted, domain: "b.example" };
  expect(await diff(SHOP, moved, lifted)).toEqual([["domain", UPDATE_REPLACE]]);
});

test("an update sends what is new, and in a preview gives it without sending", async () => {
  const { call, control } = await configured();
  const news = { ...SHOP, privacy: "public" };
  const request = new proto.UpdateRequest().setUrn(urn("shop")).setId("7");
  request.setOlds(toStruct(SHOP)).setNews(toStruct(news));
  const update = async (preview: boolean) => {
    const answer = await call<proto.UpdateResponse>("update", request.setPreview(preview));
    return answer.getProperties()?.toJavaScript();
  };
  expect(await update(true)).toEqual({ ...news, deletionProtection: true });
  expect(control.websites()).toMatchObject([{ privacy: 1 }]);
  expect(await update(false)).toEqual({ ...news, deletionProtection: true });
  expect(control.websites()).toMatchObject([{ privacy: 0 }]);
});

test("a create gives the id, and in a preview none; a read keeps the protection of the inputs", async () => {
  const { call, control } = await configured();
  const given = { adopt: true, deletionProtection: false };
  const inputs = { ...SHOP, ...given, domain: "b.example", password: "hunter2!" };
  const request = new proto.CreateRequest().setUrn(urn("b")).setProperties(toStruct(inputs));
  expect((await call<proto.CreateResponse>("create", request.setPreview(true))).getId()).toBe("");
  expect(control.websites()).toHaveLength(1);
  const made = await call<proto.CreateResponse>("create", request.setPreview(false));
  const own = { ...SHOP, domain: "b.example", password: sealed("hunter2!") };
  const outputs = { ...own, deletionProtection: false };
  expect([made.getId(), made.getProperties()?.toJavaScript()]).toEqual(["8", outputs]);
  const look = new proto.ReadRequest().setUrn(urn("b")).setId("8");
  const found = await call<proto.ReadResponse>(
    "read",
    look.setProperties(toStruct(outputs)).setInputs(toStruct(inputs)),
  );
  expect(found.getProperties()?.toJavaScript()).toEqual(outputs);
  expect(found.getInputs()?.toJavaScript()).toEqual(outputs);
  // Of what a program reads, an engine may know the inputs alone.
  const bare = await call<proto.ReadResponse>("read", look.setProperties(undefined));
  expect(bare.getProperties()?.toJavaScript()).toEqual(outputs);
  const question = new proto.ReadRequest().setUrn(urn("__exists__1")).setInputs(toStruct({}));
  const exists = async (id: string) => (await call<proto.ReadResponse>("read", question.setId(id))).getId();
  expect([await exists("8"), await exists("9")]).toEqual(["8", ""]);
});

test("what the engine marks as secret comes back so from each method, and of a look-up all of it", async () => {
  const { call, check } = await configured();
  const bag = toStruct({
    ...SHOP,
    excludeIps: ["192.0.2.1", sealed("192.0.2.2")],
    deletionProtection: false,
  });
  const expected = { ...SHOP, excludeIps: sealed(["192.0.2.1", "192.0.2.2"]), deletionProtection: false };
  const answers: [object, "getInputs" | "getProperties"][] = [
    [await check(bag.toJavaScript(), urn("one")), "getInputs"],
    [
      await call("create", new proto.CreateRequest().setUrn(urn("one")).setProperties(bag).setPreview(true)),
      "getProperties",
    ],
    [
      await call(
        "update",
        new proto.UpdateRequest().setUrn(urn("one")).setId("7").setOlds(toStruct(SHOP)).setNews(bag),
      ),
      "getProperties",
    ],
  ];
  const read = new proto.ReadRequest().setUrn(urn("one")).setId("7").setProperties(bag).setInputs(bag);
  const found = await call<proto.ReadResponse>("read", read);
  answers.push([found, "getProperties"], [found, "getInputs"]);
  for (const [answer, bagOf] of answers)
    expect(Reflect.get(answer, bagOf).call(answer).toJavaScript()).toEqual(expected);
  const request = new proto.InvokeRequest().setTok("tracking:index:getWebsite");
  const look = await call<proto.InvokeResponse>("invoke", request.setArgs(toStruct({ id: sealed("7") })));
  expect(look.getReturn()?.toJavaScript()).toMatchObject({ id: sealed("7"), privacy: sealed("private") });
});

test("a delete asks the old inputs for the protection, and state for the record", async () => {
  const { call, control, engine } = await configured();
  // Other than a destroy, an up checks what the program declares, perhaps in another process of its run.
  const { check } = await configured(engine.address);
  await check({ domain: "b.example" }, urn("b"));
  const request = new proto.DeleteRequest().setUrn(urn("shop")).setId("7").setProperties(toStruct(SHOP));
  await expect(call("delete", request)).rejects.toMatchObject({
    details: expect.stringMatching(
      /^website "shop\.example" is protected.* To keep it, declare it under another name with adopt: true\. .*deletionProtection: false.*"pulumi up"$/,
    ),
  });
  expect(control.websites()).toHaveLength(1);
  const lifted = { domain: "unlike.example", deletionProtection: false };
  await call("delete", request.setOldInputs(toStruct(lifted)));
  expect(control.websites()).toEqual([]);
});

test("a check gives defaults and a sealed password, and each failure without a property", async () => {
  const { check } = await configured();
  const lifted = { deletionProtection: false };
  const right = await check({ domain: "shop.example", password: "hunter2!", ...lifted });
  expect(right.getInputs()?.toJavaScript()).toEqual({ ...SHOP, ...lifted, password: sealed("hunter2!") });
  const [failure, ...others] = (await check({ domain: "shop.example", emailReports: 7 })).getFailuresList();
  expect([failure?.getProperty(), others]).toEqual(["", []]);
  expect(failure?.getReason()).toMatch(/^emailReports must be/);
  const tag = await check({ name: "GA", type: "bing", value: "1" }, urn("tag").replace("Website", "Pixel"));
  expect(tag.getFailuresList()).toEqual([]);
});

test("a website that another resource of the run declares is refused, even where the provider is configured anew", async () => {
  const { check, configure } = await configured();
  expect((await check(SHOP, urn("one"))).getFailuresList()).toEqual([]);
  await configure();
  const [failure] = (await check(SHOP, urn("other"))).getFailuresList();
  expect(failure?.getReason()).toContain('by "one" and "other"');
});

test("a line for people names the resource of its call, and shows no secret", async () => {
  const { call, control, said, engine } = await configured();
  engine.debug("not for all people");
  control.seed({ websites: [] });
  const state = { ...SHOP, domain: "hunter2-and-more.example", password: "hunter2-and-more" };
  const request = new proto.ReadRequest().setUrn(urn("gone")).setId("7").setProperties(toStruct(state));
  expect((await call<proto.ReadResponse>("read", request)).getId()).toBe("");
  expect(said).toEqual([[urn("gone"), expect.stringContaining("(secret)")]]);
  expect(said.splice(0).join()).not.toContain("hunter2");
  const [olds, news] = [toStruct(SHOP), toStruct({ ...SHOP, domain: "b.example" })];
  const inputs = toStruct({ ...SHOP, deletionProtection: false });
  await call(
    "diff",
    new proto.DiffRequest().setUrn(urn("shop")).setOlds(olds).setNews(news).setOldInputs(inputs),
  );
  expect(said.splice(0)).toEqual([[urn("shop"), expect.stringContaining("retainOnDelete")]]);
  const asked = call("invoke", new proto.InvokeRequest().setTok("hunter2-and-more"));
  await expect(asked).rejects.toMatchObject({ details: "no function (secret) exists" });
});

test("an answer waits until the engine has the lines of its call", async () => {
  const { call, control } = await configured();
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
  const request = new proto.ReadRequest().setUrn(urn("gone")).setId("7").setProperties(toStruct(SHOP));
  await call("read", request).then(() => events.push("answer"));
  expect(events).toEqual(["line", "answer"]);
});

test("settings are checked by name, and keys come back as secrets", async () => {
  const { call, said } = await configured();
  const given = {
    apiKey: "first-key",
    marketApiKey: "second-key",
    dataBaseUrl: "https://d.example",
    version: "1.2.3",
    apikey: "x",
  };
  const answer = await call<proto.CheckResponse>(
    "checkConfig",
    new proto.CheckRequest().setNews(toStruct(given)),
  );
  expect(answer.getInputs()?.toJavaScript()).toEqual({
    ...given,
    apiKey: sealed("first-key"),
    marketApiKey: sealed("second-key"),
  });
  expect(said).toEqual([["", expect.stringContaining("tracking:apikey")]]);
});

test("a look-up has the settings of its provider, and what they lack is asked for by its name or, of a default one, by that in the stack's config", async () => {
  const { call } = await configured();
  const request = new proto.InvokeRequest().setTok("tracking:index:getWebsites").setArgs(toStruct({}));
  const answer = await call<proto.InvokeResponse>("invoke", request);
  expect(answer.getReturn()?.toJavaScript()).toMatchObject({ websites: [{ id: "7" }] });
  const rows: [string, object, string][] = [
    ["my_default", {}, '"my_default"'],
    ["default_10_2_3", {}, "tracking:apiKey"],
    ["default", {}, "tracking:apiKey"],
    ["default", { explicit: "true" }, '"default"'],
  ];
  for (const [name, settings, words] of rows) {
    await call("configure", new proto.ConfigureRequest().setArgs(toStruct({ ...settings })).setName(name));
    const details = expect.stringContaining(words);
    await expect(call("invoke", request)).rejects.toMatchObject({ details });
  }
});

test("a setting may come as the JSON text that SDKs of other languages make of it", async () => {
  const { call, control, settings } = await plugin();
  const given = toStruct({ ...settings, marketPostParameters: '"query"' });
  await call("configure", new proto.ConfigureRequest().setArgs(given).setName("agency"));
  const asked = new proto.InvokeRequest().setTok("tracking:index:validatePurchase");
  await call("invoke", asked.setArgs(toStruct({ purchaseCode: "11111111-aaaa-4bbb-8ccc-000000000001" })));
  expect(control.requests()[0]?.query).toHaveProperty("purchase_code");
});

test("a provider that the engine cancels sends nothing more", async () => {
  const { call, control } = await configured();
  const request = new proto.ReadRequest().setUrn(urn("shop")).setId("7").setProperties(toStruct(SHOP));
  await call("cancel", {});
  await expect(call("read", request)).rejects.toMatchObject({
    details: expect.stringContaining("cancelled"),
  });
  expect(control.requests()).toEqual([]);
});

test("a record that is half made is answered with its id, and what is known of it", async () => {
  const { call, control } = await configured();
  const reply = { status: 201, body: { id: 8, domain: "b.example", privacy: 0 } };
  for (const match of [{ method: "POST" }, { path: "/api/v1/websites/8", times: 0 }])
    control.addFault({ match, commit: "before", reply });
  const inputs = { ...SHOP, domain: sealed("b.example"), password: "hunter2!" };
  const request = new proto.CreateRequest().setUrn(urn("b")).setProperties(toStruct(inputs));
  const failed = await call("create", request).then(
    () => undefined,
    (error: { details: string; metadata: { get(name: string): Buffer[] } }) => error,
  );
  expect(failed?.details).toContain("(id 8)");
  const [bytes] = failed?.metadata.get("grpc-status-details-bin") ?? [];
  const [detail] = Status.deserializeBinary(bytes as Buffer).getDetailsList();
  const half = proto.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  expect([half.getId(), half.getReasonsList()]).toEqual(["8", [failed?.details]]);
  const { privacy: _wrong, ...known } = { ...SHOP, domain: inputs.domain, password: sealed("hunter2!") };
  expect(half.getProperties()?.toJavaScript()).toEqual(known);
});

test("the engine is reached where it says, by a handshake, even if it attaches, and told the version and the schema", async () => {
  const { call, engine } = await configured();
  await call("handshake", new proto.ProviderHandshakeRequest().setEngineAddress("127.0.0.1:2"));
  expect(await call("attach", {})).toBeDefined();
  expect(engine.address).toBe("127.0.0.1:2");
  const info = await call<{ getVersion(): string }>("getPluginInfo", {});
  const schema = await call<proto.GetSchemaResponse>("getSchema", {});
  expect([info.getVersion(), schema.getSchema()]).toEqual(["1.2.3", "{}"]);
});
