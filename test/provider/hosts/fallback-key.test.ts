import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { EmulatorClient, FaultReply } from "../../../emulator";
import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { withFallback } from "../../../provider/hosts/fallback-key";
import { HeldRecords } from "../../../provider/hosts/held-records";
import { website } from "../../../provider/resources";
import { beginProcess } from "../../faults/process";
import { rejection, service } from "../harness";
import { accounts } from "./accounts";

const SAID = "the API key of the last update was rejected; using the one of TRACKING_API_KEY";
const bag = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
const changed = { ...bag, emailReports: true };
const row = { id: 7, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1 };
const second = { ...row, id: 8, domain: "second.example" };
const other = { ...row, domain: "other.example" };
const denied = { status: 401, body: { message: "Unauthenticated." } };

beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  vi.stubEnv("TRACKING_API_KEY", "environment");
  onTestFinished(() => void vi.unstubAllEnvs());
});

async function process(url: string) {
  const settings = { apiKey: "stack", analyticsBaseUrl: url, dataBaseUrl: url };
  const { host, said, leave } = await beginProcess(settings, async () => {});
  onTestFinished(leave);
  return { ...host, said };
}

/** The key of the stack opens one account, and that of the environment another one. */
async function strangers(theirs: object[] = [other]) {
  const { url, of } = await accounts({
    stack: { websites: [row] as never },
    environment: { websites: theirs as never },
  });
  return { ...(await process(url)), own: of.stack, others: of.environment };
}

/** The key of the stack is revoked, and that of the environment opens the same account. */
async function rotated(websites: object[] = [row]) {
  const { url, control } = await service({ apiKey: "environment", seed: { websites: websites as never } });
  return { ...(await process(url)), control };
}

const sent = async (control: EmulatorClient, key?: string) =>
  (await control.requests())
    .filter((entry) => key === undefined || entry.key === key)
    .map(({ method, path }) => `${method} ${path.replace("/api/v1/websites", "")}`);
const answers = (control: EmulatorClient, reply: FaultReply, match: object = { times: 1 }) =>
  control.addFault({ match, reply });

describe("a key that opens another account", () => {
  test.each([
    ["redirects to its log-in page", { status: 302, headers: { Location: "/login" } }],
    ["forbids a request", { status: 403, body: { message: "Forbidden." } }],
  ])("is never tried where the service %s", async (_what, reply) => {
    const { Website, own, others } = await strangers();
    await answers(own, reply);
    await rejection(Website.read("7", bag));
    await Website.update("7", bag, changed);
    await Website.create({ ...bag, domain: "new.example" });
    await Website.delete("7", changed);
    expect(await others.requests()).toEqual([]);
    expect(await own.websites()).toMatchObject([{ domain: "new.example" }]);
  });

  test.each([
    ["another record with that id", [other]],
    ["no record", []],
    ["the same domain under another id", [{ ...row, id: 9 }]],
  ])("is not believed and writes nothing where it shows %s", async (_what, theirs) => {
    const { Website, own, others, said } = await strangers(theirs);
    const before = await others.websites();
    await answers(own, denied, { times: 0 });
    for (const tried of [
      () => Website.read("7", bag),
      () => Website.update("7", bag, changed),
      () => Website.delete("7", bag),
      () => Website.create({ ...bag, domain: "new.example" }),
      () => Website.create({ ...bag, domain: "other.example", adopt: true }),
    ])
      expect((await rejection(tried())).message).toMatch(
        /the service rejects the API key \(401.*--run-program/,
      );
    expect((await sent(others)).filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(await others.websites()).toEqual(before);
    expect(said).toEqual([]);
  });

  test("does not serve a write whose own request is the first to be rejected", async () => {
    const { Website, own, others } = await strangers([row]);
    await answers(own, denied, { method: "PUT", times: 0 });
    await answers(own, denied, { method: "DELETE", times: 0 });
    await rejection(Website.update("7", bag, changed));
    await rejection(Website.delete("7", bag));
    expect(await others.requests()).toEqual([]);
  });
});

describe("a key that opens the same account", () => {
  test("reads, changes and deletes what state holds, and that is said once", async () => {
    const { Website, control, said } = await rotated();
    expect(await Website.read("7", bag)).toMatchObject({ id: "7" });
    await Website.update("7", bag, changed);
    expect(await control.websites()).toMatchObject([{ email: 1 }]);
    await Website.delete("7", changed);
    expect(await control.websites()).toEqual([]);
    expect(said).toEqual([SAID]);
    expect(await sent(control, "wrong")).toEqual(["GET /7"]);
  });

  test("serves a run of many records", async () => {
    const { Website, said } = await rotated([row, second]);
    const read = (id: string, domain: string) => Website.read(id, { ...bag, domain });
    const all = await Promise.all([read("7", "shop.example"), read("8", "second.example")]);
    expect(all).toMatchObject([{ id: "7" }, { id: "8" }]);
    expect(said).toEqual([SAID]);
  });

  test("makes no record and takes none over", async () => {
    const { Website, control } = await rotated([row, second]);
    await Website.read("7", bag);
    await rejection(Website.create({ ...bag, domain: "new.example" }));
    await rejection(Website.create({ ...bag, domain: "second.example", emailReports: true, adopt: true }));
    expect((await sent(control)).filter((line) => !line.startsWith("GET"))).toEqual([]);
  });

  test("does not read what state does not hold yet", async () => {
    const { Website, control } = await rotated();
    expect((await rejection(Website.read("7", {}))).message).toContain("--run-program");
    expect(await sent(control, "right")).toEqual([]);
  });

  test("proves of no record that it is gone", async () => {
    const { Website, control, said } = await rotated([second]);
    expect((await rejection(Website.read("7", bag))).message).toContain(
      "the service rejects the API key (401",
    );
    expect(said).toEqual([]);
    await Website.read("8", { ...bag, domain: "second.example" });
    for (const tried of [() => Website.read("7", bag), () => Website.delete("7", bag)])
      expect((await rejection(tried())).message).toMatch(
        /a 404 seen with a different key does not prove .*--run-program/,
      );
    expect(await control.websites()).toHaveLength(1);
  });

  test("adds no list to what the rejected key did not find", async () => {
    const list: Request = { method: "GET", path: website.path };
    const one: Request = { method: "GET", path: `${website.path}/7` };
    const held = new HeldRecords(website);
    held.add("8", { ...bag, domain: "second.example" });
    const asked: Request[] = [];
    const first: Api = async (request) => {
      if (request === one) throw new ApiError(request, "missing", "not found", { status: 404 });
      throw new ApiError(request, "unauthorised", "rejected", { status: 401 });
    };
    const second: Api = async (request) => {
      asked.push(request);
      return { status: 200, body: { data: [{ id: 8, domain: "second.example" }] } };
    };
    const api = withFallback(first, [{ label: "TRACKING_API_KEY", api: second }], held, () => {});
    expect(await rejection(api(one))).toMatchObject({ failure: "missing" });
    expect(await rejection(api(list))).toMatchObject({ failure: "unauthorised" });
    expect(asked).toEqual([]);
  });

  test("is not used where the environment's is the one of the stack, or is rejected too", async () => {
    for (const key of ["stack", "unknown", ""]) {
      vi.stubEnv("TRACKING_API_KEY", key);
      const { Website, control } = await rotated();
      expect((await rejection(Website.read("7", bag))).message).toContain("--run-program");
      expect(await sent(control, "wrong")).toHaveLength(key === "unknown" ? 2 : 1);
    }
  });
});
