import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { create, read, remove } from "../../../provider/lifecycle";
import { website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import type { FaultReply, WebsiteSeed } from "../../service";
import { problem, toldOf, type World, world } from "../harness";
import { methods, row, state, withWebsite } from "../shop";
import { site, stateOf, upTo } from "../sites";

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

describe("delete", () => {
  test("of another record's id writes nothing", async () => {
    const here = await world({ seed: { websites: [{ ...row, domain: "theirs.example" }] } });
    expect(await problem(remove(here.at, "7", state))).toMatch(
      /is another record on the service now: "theirs\.example".* First check .* If it is, run "pulumi state delete/,
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
    expect(await problem(remove(here.at, "7", state))).toMatch(
      /: the service answers 404 to the delete \(\?\), but still shows the record \[.*\]\. Delete it in the service's web interface, and run the same command again$/,
    );
    expect(here.store.rows()).toHaveLength(1);
  });

  test("of what is gone asks whether this is the account, unless another record of the state shows it", async () => {
    const here = await withWebsite();
    here.control.deleteWebsite(7);
    await remove(here.at, "7", state);
    expect(here.at.said).toEqual([
      expect.stringMatching(
        /^website "shop.example" \(id 7\) was not found, so nothing was deleted\. This run found no other record: check \S+ and \S+$/,
      ),
    ]);
    here.store.insert(site(1));
    await read(here.at, "1", stateOf(1));
    await remove(here.at, "8", { ...state, domain: "8.example" });
    expect(here.at.said[1]).toMatch(/ \(id 8\) was not found, so nothing was deleted$/);
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
          /\(id 7\) can't be deleted: .*, but still shows the record \[.*\]\. Delete it in the service's web interface, and run the same command again$/,
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
      ({ at }: World) => void at.ledger.markMade("7", { domain: "other.example" }),
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

  test("that a 503 answers though it was carried out does not remove the record that got its id since", async () => {
    const here = await withWebsite();
    const reply: FaultReply = { status: 503, headers: { "retry-after": "0.1" }, body: {} };
    here.control.addFault({ match: { method: "DELETE" }, commit: "before", reply });
    const removed = remove(here.at, "7", state).catch(() => {});
    await here.control.waitFor(({ method, answered }) => method === "DELETE" && answered);
    here.store.insert({ ...row, domain: "theirs.example" });
    await removed;
    expect(here.store.only()).toMatchObject({ domain: "theirs.example" });
    expect(methods(here)).toEqual(["DELETE"]);
  });

  test("that a 503 answers though it was carried out was no refusal, for which others had to slow down", async () => {
    for (const commit of ["before", "never"] as const) {
      const here = await withWebsite();
      const reply: FaultReply = { status: 503, headers: { "retry-after": "0.01" }, body: {} };
      here.control.addFault({ match: { method: "DELETE" }, commit, reply });
      const { api, told } = toldOf(here.at.api);
      await remove({ ...here.at, api }, "7", state);
      expect(here.store.rows()).toEqual([]);
      expect(told()).toBe(commit === "before" ? 1 : 0);
    }
  });

  test("that waits for its turn rests on the list that was read when it began, and many share that", async () => {
    const many = upTo(6).map((id) => ({ ...row, id, domain: `s${id}.example` }));
    const here = await world({ seed: { websites: many } });
    here.control.configure({ rateLimit: { requests: 4, seconds: 1 } });
    await Promise.all(many.map(({ id, domain }) => remove(here.at, `${id}`, { ...state, domain })));
    expect(here.store.rows()).toEqual([]);
    expect(here.store.sent("GET").map((entry) => entry.path)).toEqual([website.path]);
  });

  test("whose answer is lost is not sent again once another resource declares its domain", async () => {
    const here = await withWebsite();
    here.control.addFault({ match: { method: "DELETE" }, commit: "never", reply: "reset" });
    const meanwhile = async () => here.at.ledger.declare({}, state, "urn");
    await problem(remove({ ...here.at, sleep: meanwhile }, "7", state));
    expect(methods(here)).toEqual(["DELETE"]);
  });

  test("whose answer is lost is not sent again once another resource has the record", async () => {
    const here = await withWebsite();
    here.control.addFault({ match: { method: "DELETE" }, commit: "never", reply: "reset" });
    const removed = remove(here.at, "7", state);
    await here.control.waitFor(({ method }) => method === "DELETE");
    here.at.ledger.markMade("7", { domain: "other.example" });
    await removed;
    expect(here.at.said).toEqual([expect.stringContaining("manages it now")]);
    expect(methods(here)).toEqual(["DELETE"]);
  });

  test("that waits for its turn is sent, and a resource that wants the record meanwhile is refused", async () => {
    const here = await withWebsite();
    const reply: FaultReply = { status: 429, headers: { "retry-after": "0.1" }, body: {} };
    here.control.addFault({ match: { method: "DELETE" }, reply });
    const removed = remove(here.at, "7", state);
    await here.control.waitFor(({ method, answered }) => method === "DELETE" && answered);
    expect(() => here.at.ledger.assertAdoptable("7", { domain: "other.example" })).toThrow(
      /is being deleted in this run/,
    );
    await removed;
    expect(here.store.rows()).toEqual([]);
    expect(here.at.said).toEqual([]);
  });

  test("writes nothing where another resource has it", async () => {
    const here = await world({ seed: { websites: [{ ...row, domain: "renamed.example" }] } });
    here.at.ledger.markMade("7", { ...state, domain: "renamed.example" });
    await remove(here.at, "7", state);
    expect(here.at.said).toEqual([expect.stringContaining("manages it now")]);
    expect(methods(here)).toEqual([]);
  });

  test("is sent again after each 429, on the word of the look with which it began", async () => {
    const waits = { status: 429, headers: { "retry-after": "0.05" }, body: {} } as FaultReply;
    const here = await withWebsite();
    here.control.addFault({ match: { method: "DELETE", times: 5 }, reply: waits });
    await remove(here.at, "7", state);
    expect(here.store.rows()).toEqual([]);
    expect(here.lines().map((line) => line.split(" ")[0])).toEqual(["GET", ...Array(6).fill("DELETE")]);
  });

  // `test/provider/api/statuses.test.ts` has the others.
  test("is sent again after each of a few answers 503, each time after a look, and not without end", async () => {
    // Without a time to wait, the pause before the last one would be 20 s.
    const headers = { "content-type": "text/html", "retry-after": "0.01" };
    const reply: FaultReply = { status: 503, headers, body: "busy" };
    const verbs = (here: World) => here.lines().map((line) => line.split(" ")[0]);
    const again = (count: number) => Array(count).fill(["GET", "DELETE"]).flat();
    const here = await withWebsite();
    here.control.addFault({ match: { method: "DELETE", times: 5 }, commit: "never", reply });
    await remove(here.at, "7", state);
    expect(here.store.rows()).toEqual([]);
    expect(verbs(here)).toEqual(["GET", "DELETE", ...again(5)]);
    expect(here.at.rests).toEqual([]);

    const readOnly = await withWebsite();
    readOnly.control.addFault({ match: { method: "DELETE", times: 0 }, commit: "never", reply });
    expect(await problem(remove(readOnly.at, "7", state))).toContain("can't be deleted: ");
    expect(verbs(readOnly)).toEqual(["GET", "DELETE", ...again(7), "GET"]);
    expect(readOnly.store.rows()).toHaveLength(1);
  });

  test.each([404, 502, 503])(
    "that meets a %d, and then a 404 of a server without routes, as in a deploy, is not done: the list shows the record",
    async (status) => {
      const here = await withWebsite();
      here.store.insert(site(1));
      await read(here.at, "1", stateOf(1));
      const missing = { status: 404, body: { message: "Resource not found.", status: 404 } };
      const reply =
        status === 404 ? missing : ({ status, headers: { "retry-after": "0.01" }, body: "?" } as const);
      here.control.addFault({ match: { method: "DELETE" }, commit: "never", reply } as never);
      here.control.addFault({
        match: { method: "GET", path: "/api/v1/websites/7" },
        reply: missing,
      } as never);
      await rejection(remove(here.at, "7", state));
      expect(here.store.rows().map(({ id }) => id)).toContain(7);
    },
  );

  test("that waits for its turn while someone deletes the record is done", async () => {
    const here = await withWebsite();
    const reply = { status: 429, headers: { "retry-after": "0.2" }, body: {} } as FaultReply;
    here.control.addFault({ match: { method: "DELETE" }, reply });
    const removed = remove(here.at, "7", state);
    await here.control.waitFor(({ method, answered }) => method === "DELETE" && answered);
    here.store.remove("7");
    await removed;
    expect(methods(here)).toEqual(["DELETE", "DELETE"]);
    expect(here.at.said).toEqual([]);
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
    expect((await rejection(removed(4, 6))).message).toContain('on the service now: "theirs.example"');
    expect(here.store.only()).toMatchObject({ domain: "theirs.example" });
    expect(here.store.sent("GET").filter((entry) => entry.path === website.path)).toHaveLength(2);
  });
});

test("a record that is renamed while its lost DELETE is looked into is still there, and stays in state", async () => {
  const here = await withWebsite();
  here.control.addFault({ match: { method: "DELETE" }, commit: "never", reply: "reset" });
  const rename = async () => void here.store.edit("7", { domain: "renamed.example" });
  const error = await problem(remove({ ...here.at, sleep: rename }, "7", state));
  expect(error).toContain("can't be deleted");
  expect(here.store.rows()).toHaveLength(1);
});

test.each<[string, object]>([
  ["does not say when it was made", {}],
  ["writes the moment in another form", { created_at: "2026-01-01 00:00:00" }],
])("a renamed record is not held for deleted if the list %s", async (_, time) => {
  const here = await world({ seed: { websites: [{ ...row, created_at: "2026-01-01T00:00:00.000Z" }] } });
  const reply = {
    body: { data: [{ id: 7, domain: row.domain, ...time }], meta: { total: 1 } },
  } as FaultReply;
  here.control.addFault({ match: { method: "GET", path: website.path }, reply });
  here.control.addFault({ match: { method: "DELETE" }, commit: "never", reply: "reset" });
  const rename = async () => void here.store.edit("7", { domain: "renamed.example" });
  expect(await problem(remove({ ...here.at, sleep: rename }, "7", state))).toContain("can't be deleted");
  expect(here.store.rows()).toHaveLength(1);
});

test("a DELETE whose answer is lost is not sent again to a record that someone has made with its id and domain since", async () => {
  const at = (created_at: string) => ({ ...row, created_at });
  const here = await world({ seed: { websites: [at("2026-01-01T00:00:00.000Z")] } });
  here.control.addFault({ match: { method: "DELETE" }, commit: "before", reply: "reset" });
  const meanwhile = async () => void here.store.insert(at("2026-02-01T00:07:00.000Z"));
  await remove({ ...here.at, sleep: meanwhile }, "7", state);
  expect(here.store.rows()).toHaveLength(1);
  expect(methods(here)).toEqual(["DELETE"]);
});

test("DELETEs that 503s answer though they were carried out do not remove the records that got their ids since, whatever a list that is behind shows", async () => {
  const here = await world({ seed: { websites: upTo(6).map(site) } });
  const busy: FaultReply = { status: 503, headers: { "content-type": "text/html" }, body: "busy" };
  here.control.addFault({ match: { method: "DELETE", times: 6 }, commit: "before", reply: busy });
  const before: FaultReply = { status: 200, body: JSON.parse(JSON.stringify({ data: here.store.rows() })) };
  here.control.addFault({ match: { method: "GET", path: website.path, nth: 2, times: 2 }, reply: before });
  const removed = Promise.allSettled(upTo(6).map((id) => remove(here.at, `${id}`, stateOf(id))));
  // Enough that they would share a list.
  await here.control.waitFor(({ method, answered }) => method === "DELETE" && answered, 5);
  const free = upTo(6).filter((id) => here.store.rows().every((kept) => kept.id !== id));
  for (const id of free) here.store.insert({ ...site(id), domain: `theirs-${id}.example.com` });
  await removed;
  for (const id of free)
    expect(here.store.rows()).toContainEqual(
      expect.objectContaining({ id, domain: `theirs-${id}.example.com` }),
    );
  expect(methods(here)).toEqual(Array(6).fill("DELETE"));
});

test("what this run has deleted is gone by a 404, though a list that is some seconds behind shows it, so that it is created again", async () => {
  const here = await world({ seed: { websites: [row] } });
  const reply: FaultReply = { body: { data: [row] } };
  here.control.addFault({ match: { method: "GET", path: website.path, times: 0 }, reply });
  await remove(here.at, "7", state);
  expect(await create(here.at, state)).toMatchObject({ state });
  expect(here.store.rows()).toHaveLength(1);
});
