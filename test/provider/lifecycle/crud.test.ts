import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { create, type PartialFailure, read, remove, update } from "../../../provider/lifecycle";
import { IMPORT, readopt } from "../../../provider/lifecycle/errors";
import { pixel, website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import { dialectNames, type FaultReply, page, type WebsiteSeed } from "../../service";
import { problem, type World, world, writes } from "../harness";
import { upTo } from "../sites";

const path = `${website.path}/7`;
const row: WebsiteSeed = {
  id: 7,
  domain: "shop.example",
  privacy: 1,
  email: 0,
  exclude_bots: 1,
};
const state = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
const news = { ...state, privacy: "public" };
const drop = 'drop it from state with "pulumi state delete --force URN"';
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const withWebsite = () => world({ seed: { websites: [row] } });
const methods = (here: World) => writes(here).map(([method]) => method);

describe("read", () => {
  test.each(dialectNames)(
    "for the first time takes all that the service says in the dialect %s",
    async (dialect) => {
      const here = await world({
        dialect,
        seed: { websites: [{ ...row, exclude_ips: "192.0.2.7", password: "theirs" }] },
      });
      const kept = await read(here.at, "7", {});
      expect(kept).toMatchObject({ id: "7", state: { ...state, excludeIps: ["192.0.2.7"] } });
      expect(JSON.stringify(kept)).not.toContain("theirs");
    },
  );

  test("for the first time names the field that an old version of the service calls otherwise", async () => {
    const here = await withWebsite();
    const { id, domain: url, ...rest } = row;
    here.control.addFault({
      match: {},
      reply: { body: { data: { id: 7, url, ...rest } } } as FaultReply,
    });
    expect(await problem(read(here.at, "7", {}))).toContain("domain");
  });
});

test.each<[string, object]>([
  ["an error", { status: "error", message: "Try later.", data: [] }],
  ["words, and no records", { data: [], message: "Maintenance" }],
  ["entries that are no records", { data: ["site-1", null] }],
  ["a record without its domain", { data: [{ id: 9 }], meta: { total: 1 } }],
  ["none of a total of -1", { data: [], total: -1 }],
  ["those that were found in time", { data: [], timed_out: true }],
  ["a status of 0", { data: [], status: 0 }],
])("nothing is gone, deleted or made twice where a list is answered 200 with %s", async (_, body) => {
  const here = await world();
  const reply = { body } as FaultReply;
  here.control.addFault({ match: { path: website.path, method: "GET", times: 0 }, reply });
  for (const call of [read, remove]) await problem(call(here.at, "7", state));
  await problem(create(here.at, state));
  expect(methods(here)).toEqual([]);
});

test.each([{ data: [{ id: 9 }] }, { data: [row], meta: { total: 2 } }])(
  "beside the list %j, a record in state has a way out, and a new one another",
  async (body) => {
    const here = await world();
    const reply = { body } as FaultReply;
    here.control.addFault({ match: { path: website.path, method: "GET", times: 0 }, reply });
    const state = { domain: "other.example" };
    for (const call of [read, remove])
      expect(await problem(call(here.at, "8", state))).toContain(` - if it is gone there, ${drop}`);
    expect(await problem(create(here.at, state))).toContain(
      ` - if it is not there, create it; then run "${IMPORT}"`,
    );
  },
);

test.each<FaultReply>([{ status: 403, body: {} }, { status: 500, body: {} }, page(), { body: "" }])(
  "a record that the list lacks, and that is answered with %j, is kept, with the way out",
  async (reply) => {
    for (const listed of [7, 8]) {
      const here = await world({ seed: { websites: [{ ...row, id: listed, domain: "own.example" }] } });
      here.control.addFault({ match: { path, times: 0 }, reply });
      expect((await problem(read(here.at, "7", state))).includes(drop)).toBe(listed === 8);
    }
  },
);

describe("a record that the service has given another id", () => {
  test.each([
    ["read", (here: World) => read(here.at, "7", state)],
    ["updated", (here: World) => update(here.at, "7", state, news)],
    ["deleted", (here: World) => remove(here.at, "7", state)],
  ])(
    "is not gone when it is %s: nothing is sent, and the way out adopts it by its domain",
    async (verb, call) => {
      const here = await world({ seed: { websites: [{ ...row, id: 70, domain: "SHOP.example" }] } });
      const error = await rejection(call(here));
      expect(error).toMatchObject({
        fact: 'website "shop.example" (id 7) has another id on the service now (id 70)',
        advice: readopt(here.at.accountRemedy(), verb),
      });
      expect(methods(here)).toEqual([]);
    },
  );

  test("is gone if only a similar one is listed", async () => {
    const here = await world({ seed: { websites: [{ ...row, id: 70, domain: "www.shop.example" }] } });
    expect(await read(here.at, "7", state)).toBeUndefined();
  });
});

describe("update", () => {
  test("that can't see whether the record is still there writes nothing", async () => {
    const here = await withWebsite();
    here.control.addFault({ match: { times: 0 }, reply: { status: 403, body: {} } });
    expect(await problem(update(here.at, "7", state, news))).toContain("(id 7)");
    expect(await problem(remove(here.at, "7", state))).toContain("(id 7) can't be deleted");
    expect(methods(here)).toEqual([]);
  });

  test("of a website to privacy password sends no empty password", async () => {
    const here = await withWebsite();
    await update(here.at, "7", { ...state, password: "p" }, { ...state, privacy: "password" });
    expect(here.store.sent("PUT").map(({ form }) => form)).toEqual([{ privacy: "2" }]);
  });

  test("that a killed run has sent is done by the next one, also if it changed all that tells the record apart", async () => {
    const seed = { pixels: [{ id: 3, name: "GB", value: "2", type: "bing" }] };
    const { at, control } = await world({ seed }, pixel);
    const olds = { name: "GA", value: "1", type: "bing" };
    const news = { name: "GB", value: "2", type: "quora" };
    expect(await update(at, "3", olds, news)).toEqual(news);
    expect(control.pixels()).toMatchObject([{ id: 3, ...news }]);
  });

  test("that gives a pixel the name of another one writes nothing, and names that one", async () => {
    const pixels = [3, 4].map((id) => ({ id, name: `P-${id}`, value: `${id}`, type: "bing" }));
    const { at, control, later } = await world({ seed: { pixels } }, pixel);
    const olds = { name: "P-3", value: "3", type: "bing" };
    const renamed = (name: string, by = at) => update(by, "3", olds, { ...olds, name });
    expect(await problem(renamed("P-4"))).toBe(
      'pixel "P-3" (id 3) can\'t be updated: pixel "P-4" (id 4) exists already; ' +
        "change the name of that one first, in a run of its own, or choose another name",
    );
    at.ledger.made("4", { name: "of another resource" });
    expect(await problem(renamed("P-4"))).toContain("(id 4) exists already, and");
    expect(control.pixels()).toMatchObject([{ name: "P-3" }, { name: "P-4" }]);
    control.editPixel(4, { name: "free" });
    await renamed("P-4", later());
    expect(control.pixels()).toMatchObject([{ name: "P-4" }, { name: "free" }]);
  });

  test("that can't be read back leaves in state what it was to change, and a list that it was to empty", async () => {
    const data = { ...row, exclude_ips: "192.0.2.7" };
    const olds = { ...state, excludeIps: ["192.0.2.7"] };
    const here = await world({ seed: { websites: [data] } });
    const reply = { body: { data } } as FaultReply;
    here.control.addFault({ match: { method: "PUT" }, commit: "before", reply });
    here.control.addFault({
      match: { path, method: "GET", times: 0 },
      reply: page(500),
    });
    const error = await rejection(update(here.at, "7", olds, news));
    expect(error.message).toContain("could not be read back");
    expect((error as PartialFailure).state).toEqual(olds);
  });
});

describe("delete", () => {
  test("of another record's id writes nothing", async () => {
    const here = await world({ seed: { websites: [{ ...row, domain: "theirs.example" }] } });
    expect(await problem(remove(here.at, "7", state))).toMatch(
      /First check .*rename it back there, or "pulumi state delete --force URN" drops it from state$/,
    );
    expect(methods(here)).toEqual([]);
    expect(here.store.rows()).toHaveLength(1);
  });

  test("is not done on the word of a 404 while the record is there", async () => {
    const here = await withWebsite();
    here.control.addFault({
      match: { method: "DELETE", times: 0 },
      reply: { status: 404, body: { message: "?" } },
    });
    expect(await problem(remove(here.at, "7", state))).toContain("can't be deleted");
    expect(here.store.rows()).toHaveLength(1);
  });

  test("whose answer is lost, and that can't be looked into, is an error", async () => {
    const here = await withWebsite();
    here.control.addFault({ match: { method: "DELETE", times: 0 }, commit: "never", reply: "reset" });
    here.control.addFault({
      match: { method: "GET", nth: 2, times: 0 },
      reply: { status: 403, body: {} },
    });
    expect(await problem(remove(here.at, "7", state))).toContain("can't be deleted: ");
    expect(here.store.rows()).toHaveLength(1);
  });

  const doubtful: [answer: object, status?: number][] = [
    [{ deleted: false }],
    [{ id: "7", deleted: "0", status: "200" }],
    [{ data: { id: 7, deleted: "no" } }],
    [{ id: 8, deleted: true }],
    [{ id: { toString: null }, deleted: true }],
    [{ id: 7, deleted: { toString: null } }],
    [{ status: "error", message: "It has statistics." }],
    [{ success: false }],
    [{ id: 7, deleted: true }, 202],
    [{ results: [{ id: 7, status: 423 }] }, 207],
  ];
  describe.each(doubtful)("that is answered with %j", (body, status = 200) => {
    test.each<["before" | "never", number]>([
      ["never", 1],
      ["before", 0],
    ])("is done only if a look finds it gone (commit: %s)", async (commit, left) => {
      const here = await withWebsite();
      const reply = { status, body } as FaultReply;
      here.control.addFault({ match: { method: "DELETE" }, commit, reply });
      const removed = remove(here.at, "7", state);
      if (left === 0) await removed;
      else
        expect(await problem(removed)).toMatch(
          /\(id 7\) can't be deleted: .*; delete it on the service, and run the same command again \[/,
        );
      expect(here.store.rows()).toHaveLength(left);
      expect(methods(here)).toEqual(["DELETE"]);
    });
  });

  test("whose answer is lost is sent again if the record is still there, and not without end", async () => {
    const here = await withWebsite();
    here.control.addFault({ match: { method: "DELETE" }, commit: "never", reply: "reset" });
    await remove(here.at, "7", state);
    expect(here.store.rows()).toEqual([]);
    expect(methods(here)).toEqual(["DELETE", "DELETE"]);

    const dead = await withWebsite();
    dead.control.addFault({ match: { method: "DELETE", times: 0 }, commit: "never", reply: "reset" });
    await problem(remove(dead.at, "7", state));
    expect(methods(dead)).toEqual(["DELETE", "DELETE", "DELETE"]);
    expect(dead.at.rests).toEqual([500, 2000]);
  });

  test.each<[string, Partial<WebsiteSeed>, (here: World) => void]>([
    ["by its other domain", { domain: "new.example" }, () => {}],
    [
      "by the ledger",
      { domain: "shop.example" },
      ({ at }: World) => void at.ledger.made("7", { domain: "other.example" }),
    ],
    [
      "by what the program declares",
      { domain: "SHOP.example" },
      ({ at }: World) => void at.ledger.declare({}, state, "urn"),
    ],
  ])(
    "whose answer is lost is not sent again to a record that got the id since, known %s",
    async (_, columns, tell) => {
      const here = await withWebsite();
      here.control.addFault({ match: { method: "DELETE" }, commit: "before", reply: "reset" });
      const meanwhile = async () => {
        here.store.insert({ ...row, ...columns });
        tell(here);
      };
      await remove({ ...here.at, sleep: meanwhile }, "7", state).catch(() => {});
      expect(here.store.rows()).toHaveLength(1);
      expect(methods(here)).toEqual(["DELETE"]);
    },
  );

  test.each<[string, FaultReply]>([
    ["a 503 to it, though it was carried out", { status: 503, headers: { "retry-after": "0.1" }, body: {} }],
    ["a 429 to it", { status: 429, headers: { "retry-after": "0.1" }, body: {} }],
  ])("that waits after %s does not remove the record that got its id meanwhile", async (_, reply) => {
    const here = await withWebsite();
    here.control.addFault({ match: { method: "DELETE" }, commit: "before", reply });
    const removed = remove(here.at, "7", state).catch(() => {});
    await here.control.waitFor(({ method, answered }) => method === "DELETE" && answered);
    here.store.insert({ ...row, domain: "theirs.example" });
    await removed;
    expect(here.store.only()).toMatchObject({ domain: "theirs.example" });
    expect(methods(here)).toEqual(["DELETE"]);
  });

  test("that waits for a pause rests on the list that is read again after it, and many share that", async () => {
    const many = upTo(6).map((id) => ({ ...row, id, domain: `s${id}.example` }));
    const here = await world({ seed: { websites: many } });
    here.control.configure({ rateLimit: { requests: 4, seconds: 1 } });
    await Promise.all(many.map(({ id, domain }) => remove(here.at, `${id}`, { ...state, domain })));
    expect(here.store.rows()).toEqual([]);
    expect(new Set(here.store.sent("GET").map((entry) => entry.path))).toEqual(new Set([website.path]));
  });

  test("rests on no list that is older than ten seconds, and shares the one that is read again", async () => {
    const many = upTo(6).map((id) => ({ ...row, id, domain: `s${id}.example` }));
    const here = await world({ seed: { websites: many } });
    const removed = (from: number, to: number) =>
      Promise.all(
        many.slice(from, to).map(({ id, domain }) => remove(here.at, `${id}`, { ...state, domain })),
      );
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    await removed(0, 2);
    here.store.edit("6", { domain: "theirs.example" });
    vi.advanceTimersByTime(9_000);
    await removed(2, 4);
    vi.advanceTimersByTime(1_001);
    expect((await rejection(removed(4, 6))).message).toContain('"theirs.example" on the service');
    expect(here.store.only()).toMatchObject({ domain: "theirs.example" });
    expect(here.store.sent("GET").filter((entry) => entry.path === website.path)).toHaveLength(2);
  });

  test("of a missing record is done, with proof, and of a missing service is not", async () => {
    const gone = await world();
    await remove(gone.at, "7", state);
    expect(gone.at.said).toEqual(['website "shop.example" (id 7) was not found, so nothing was deleted']);
    expect(gone.control.requests().map((entry) => [entry.method, entry.path])).toEqual([
      ["GET", website.path],
      ["GET", path],
    ]);
    const here = await withWebsite();
    await problem(remove(here.later({ analyticsBaseUrl: `${here.url}/nowhere` }), "7", state));
    expect(here.store.rows()).toHaveLength(1);
  });
});
