import { beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../provider/api/api";
import { create, diff, PartialFailure, remove, update } from "../../../provider/lifecycle";
import { IMPORT } from "../../../provider/lifecycle/advice";
import type { Snapshot } from "../../../provider/records/snapshot";
import { pixel, website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import { type FaultReply, page } from "../../service";
import { problem, type Run, toldOf, type World, world } from "../harness";

const path = website.path;
const defaults = { privacy: "private", emailReports: false, excludeBots: true };
const shop = { domain: "shop.example", ...defaults };
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const methods = ({ control }: World) => control.requests().map(({ method }) => method);

test("it looks first, sends all that it was given in one POST, and needs no third request", async () => {
  const here = await world();
  const args = {
    ...shop,
    domain: "Bücher.example.",
    privacy: "password",
    password: "p&=%+ü",
    excludeIps: ["192.0.2.7", "192.0.2.8"],
  };
  expect(await create(here.at, args)).toMatchObject({ id: "1", state: args });
  expect(methods(here)).toEqual(["GET", "POST"]);
  expect(here.store.only()).toMatchObject({
    domain: "xn--bcher-kva.example",
    privacy: 2,
    password: "p&=%+ü",
    email: 0,
    exclude_bots: 1,
    exclude_ips: "192.0.2.7\n192.0.2.8",
    exclude_params: null,
  });
});

test("many creates of one run share one look", async () => {
  const here = await world();
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => create(here.at, { ...shop, domain: `site-${at}.example` })),
  );
  expect(here.store.sent("GET")).toHaveLength(1);
  expect(here.store.rows()).toHaveLength(20);
});

test.each(["shop.example", "SHOP.example", "shop.example."])(
  "a record that is there already is not made a second time (%s)",
  async (domain) => {
    const here = await world({ seed: { websites: [{ id: 7, domain: "shop.example" }] } });
    const message = await problem(create(here.at, { ...shop, domain }));
    for (const part of [
      "(id 7). If the resource was renamed or moved, give its old name or parent in `aliases`. ",
      `If no other stack manages it, run "${IMPORT}". `,
      // What deletes a record, for a replacement, is in the guide only.
      'Else see "When a record exists already" in ',
    ])
      expect(message).toContain(part);
    expect(message).not.toContain("deleteBeforeReplace");
    // The list, and the record itself: a list may be old.
    expect(methods(here)).toEqual(["GET", "GET"]);
  },
);

test("a listed record that is gone by now is no hindrance, and one that can't be read is a failed look", async () => {
  const here = await world({ seed: { websites: [{ id: 7, domain: "shop.example" }] } });
  await here.at.records.findByKey("any.example");
  const read = vi.spyOn(here.at.records, "fetchById");
  const lost = new ApiError({ method: "GET", path }, "unclear", "no answer");
  read.mockRejectedValueOnce(lost).mockResolvedValueOnce(undefined);
  expect(await problem(create(here.at, shop))).toMatch(
    /^website "shop\.example" can't be looked for: no answer/,
  );
  here.store.empty();
  expect(await create(here.at, shop)).toMatchObject({ state: shop });
});

test("a create that failed holds back the delete of what has its key", async () => {
  const { at, control } = await world();
  at.ledger.declare({}, shop, "urn");
  control.addFault({ match: { method: "POST" }, reply: { status: 403, body: {} } });
  await problem(create(at, shop));
  expect(() => at.ledger.beginDelete("9", shop)).toThrow(/declares its domain, and failed/);
});

test("a create that is called again after a POST that came late, as after an error hook, does not post again", async () => {
  const here = await world();
  const busy: FaultReply = { status: 503, headers: { "content-type": "text/html" }, body: "busy" };
  here.control.addFault({ match: { method: "POST" }, commit: "late", reply: busy });
  expect(await problem(create(here.at, shop))).toContain("503");
  here.control.releaseLate();
  await here.control.waitFor(() => here.store.rows().length === 1);
  expect(await problem(create(here.at, shop))).toContain("exists already");
  expect(here.store.sent("POST")).toHaveLength(1);
  expect(here.store.rows()).toHaveLength(1);
});

test("a create that is called again for what it has made, as after an error hook, answers with its id and mends it", async () => {
  const here = await world();
  here.at.ledger.declare({}, shop, "urn");
  const shows = (privacy: number) => ({ id: 1, domain: "shop.example", privacy, email: 0, exclude_bots: 1 });
  const reply: FaultReply = { status: 200, body: { data: shows(0) } };
  here.control.addFault({ match: { method: "POST" }, commit: "before", reply });
  here.control.addFault({ match: { path: `${path}/1` }, reply });
  expect(await rejection(create(here.at, shop))).toMatchObject({ id: "1", fields: ["privacy"] });
  here.store.edit("1", { privacy: 0 });
  expect(await create(here.at, shop)).toMatchObject({ id: "1", state: shop });
  expect(here.store.rows()).toHaveLength(1);
  // Of another resource, it is not taken.
  here.at.ledger.declare({}, { ...shop, domain: "other.example" }, "other");
  expect(here.at.ledger.isOwner("1", { domain: "other.example" })).toBe(false);
});

test("a mistake of ours is shown as it is", async () => {
  const { at } = await world();
  const mistake = new TypeError("ours");
  expect(await rejection(create({ ...at, api: () => Promise.reject(mistake) }, shop))).toBe(mistake);
});

test("what another resource of the program is giving up by a rename is named as its own, with the way out", async () => {
  const { at } = await world({ seed: { pixels: [{ id: 7, name: "GA" }] } }, pixel);
  at.ledger.declare({ name: "GA" }, { name: "GB" }, "urn");
  at.ledger.assertCompared("7", { name: "GB" }, "kept");
  expect(await problem(create(at, { name: "GA", type: "bing", value: "1" }))).toMatch(
    /exists already \(id 7\), and belongs to .*\. Declare it in one resource only\. If you are renaming or removing .*, do that first: run/,
  );
});

test("an id that a POST is answered with is kept, though the record can't be read", async () => {
  const here = await world();
  const reply = { status: 201, body: { data: { id: 1 } } };
  here.control.addFault({ match: { method: "POST" }, commit: "before", reply });
  here.control.addFault({ match: { path: `${path}/1`, times: 0 }, reply: { status: 403, body: {} } });
  const error = await rejection(create(here.at, shop));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: "1" });
});

test("a domain that is taken is refused also where it can't be looked for again", async () => {
  const here = await world();
  here.control.otherTenant.add("shop.example");
  here.control.addFault({
    match: { method: "GET", nth: 2, times: 0 },
    reply: { status: 403, body: {} },
  });
  const message = await problem(create(here.at, shop));
  expect(message).toMatch(/can't be created \(domain\).*already been taken/);
  expect(message).toContain("other accounts");
  const other = await world();
  other.control.addFault({ match: { method: "POST" }, reply: { status: 409, body: {} } });
  expect(await problem(create(other.at, shop))).toContain("other accounts");
});

test.each<[string, FaultReply, RegExp]>([
  ["refusal of another field", { status: 422, body: { message: { privacy: ["odd"] } } }, /\(privacy\).*odd/],
  ["redirect", { status: 301, headers: { Location: "/elsewhere" } }, /redirects/],
  ["404", { status: 404, body: { message: "?" } }, /404/],
])("a %s is reported as it is, and nothing more is looked for", async (_, reply, expected) => {
  const here = await world();
  here.control.addFault({ match: { method: "POST" }, reply });
  const message = await problem(create(here.at, shop));
  expect(message).toMatch(expected);
  expect(message).toContain("can't be created");
  expect(message).not.toContain("other accounts");
  expect(methods(here)).toEqual(["GET", "POST"]);
});

test("where it can't look, it sends nothing", async () => {
  for (const reply of [page(), { status: 403, body: {} }, { body: { data: {} } }] satisfies FaultReply[]) {
    const here = await world();
    here.control.addFault({ match: { method: "GET", times: 0 }, reply });
    expect(await problem(create(here.at, shop))).toContain("can't be looked for");
    expect(here.store.sent("POST")).toEqual([]);
  }
});

describe("after a POST whose answer is lost, and which has made nothing", () => {
  const lost = async () => {
    const here = await world();
    await here.at.records.findByKey("www.shop.example");
    here.control.addFault({ match: { method: "POST" }, commit: "never", reply: { status: 500 } });
    return here;
  };
  const theirs = { domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1 };

  // A service may show any time of creation, or none, and its clock may be anything. A colleague's equal record of these seconds is
  // taken too: no service tells whose it is.
  test.each([
    "2026-01-01T00:00:00.000000Z",
    "2100-01-01T00:00:00+02:00",
    "2100-01-01 00:00:00",
    "01-01-2100 00:00:00",
    "2100-01-01",
  ])(
    "the only record that came since the list, and is as it was sent, is taken: made at %s",
    async (created_at) => {
      const here = await lost();
      here.store.insert({ ...theirs, created_at });
      expect(await create(here.at, shop)).toMatchObject({ id: "1", state: shop });
    },
  );

  test("a record that holds something else is not taken for the new one", async () => {
    const here = await lost();
    here.store.insert({ ...theirs, email: 1 });
    const message = await problem(create(here.at, shop));
    expect(message).toMatch(/^website "shop\.example" exists already \(id 1\)\. .*run .* Else see "/);
    expect(message).toContain(IMPORT);
    // With adopt it need not be the new one.
    expect(await create(here.later(), { ...shop, adopt: true })).toMatchObject({ id: "1", state: shop });
  });

  test("one that can't be read is not taken, and what to do is said", async () => {
    const here = await lost();
    here.store.insert(theirs);
    here.control.addFault({ match: { path: `${path}/1` }, reply: { status: 403, body: {} } });
    expect(await problem(create(here.at, shop))).toMatch(
      /^it is unknown whether website "shop\.example" was created: .*looking for it failed: .*\(403\)[^.]*\. Ask the service's operator whether this API key may do this$/,
    );
  });

  test("none of two is taken", async () => {
    const here = await lost();
    for (const id of [1, 2]) here.store.insert({ ...theirs, id });
    for (const adopt of [false, true]) {
      const run = here.later();
      vi.spyOn(run.records, "findByKey").mockResolvedValueOnce([]);
      here.control.addFault({ match: { method: "POST" }, commit: "never", reply: { status: 500 } });
      expect(await problem(create(run, { ...shop, adopt }))).toMatch(
        /: 2 records match \(id 1, id 2\)\. Compare them in the service's web interface, and delete all but one: their statistics are deleted with them\. Then run "npx pulumi-tracking import --declared --apply"$/,
      );
    }
  });

  test("a record that the list showed before the POST is not taken, though it was made a moment ago", async () => {
    const here = await world();
    here.store.insert(theirs);
    here.control.addFault({ match: { method: "POST" }, commit: "never", reply: { status: 500 } });
    const message = await problem(create(here.at, { ...shop, domain: "www.shop.example" }));
    expect(message).toContain("it is unknown whether ");
  });

  test.each<[string, (at: Run) => unknown]>([
    ["declares to the letter", ({ ledger }) => ledger.declare({}, { domain: "shop.example" }, "urn")],
    ["has made", ({ ledger }) => ledger.markMade("1", { domain: "other.example" })],
  ])("what another resource %s is not taken for what the service made of the domain", async (_, does) => {
    const here = await lost();
    here.store.insert(theirs);
    does(here.at);
    const args = { ...shop, domain: "www.shop.example" };
    expect(await problem(create(here.at, args))).toContain("it is unknown whether ");
    here.control.addFault({ match: { method: "POST" }, commit: "never", reply: { status: 500 } });
    const alone = here.later();
    vi.spyOn(alone.records, "findByKey").mockResolvedValueOnce([]);
    expect(await create(alone, args)).toMatchObject({ id: "1" });
  });
});

test.each<[string, FaultReply]>([
  ["a log-in page", { status: 200, body: "<!doctype html><title>Log in</title>" }],
  ["empty", { status: 201 }],
])(
  "after a POST whose answer is %s, it looks again and takes the one record that is new",
  async (_, reply) => {
    const here = await world({ seed: { websites: [{ id: 3, domain: "other.example" }] } });
    here.control.addFault({ match: { method: "POST" }, commit: "before", reply });
    expect(await create(here.at, shop)).toMatchObject({ id: "4", state: shop });
    expect(here.store.sent("POST")).toHaveLength(1);
    expect(here.at.rests).toEqual([]);
  },
);

describe("when it is unknown whether the record was made", () => {
  test("the one that was spelled anew by the service is taken", async () => {
    const here = await world({ dialect: "newer" });
    here.control.addFault({ match: { method: "POST" }, reply: "reset" });
    const args = { ...shop, domain: "www.shop.example" };
    expect(await create(here.at, args)).toMatchObject({ id: "1", state: args });
  });

  test("and the list can't show it, the message names one thing to do", async () => {
    const here = await world();
    here.control.addFault({ match: { method: "POST" }, commit: "before", reply: "reset" });
    const reply = { body: { data: [{ id: 9 }] } };
    here.control.addFault({ match: { method: "GET", path, nth: 2, times: 0 }, reply });
    expect(await problem(create(here.at, shop))).toMatch(
      /is unknown\. If it is not there, create it in the service's web interface; then run "npx pulumi-tracking import --declared --apply"$/,
    );
  });

  test("it is looked for during 3.5 s and no longer, since an interrupted run has little more", async () => {
    const here = await world();
    here.control.addFault({ match: { method: "POST" }, commit: "never", reply: "reset" });
    await problem(create(here.at, shop));
    expect(here.at.rests.reduce((sum, each) => sum + each, 0)).toBe(3500);

    // One that comes during the last wait is found.
    const late = await world();
    late.control.addFault({ match: { method: "POST" }, commit: "late", reply: "reset" });
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => {
      waits.push(milliseconds);
      if (waits.length < 2) return;
      late.control.releaseLate();
      await late.control.waitFor(() => late.store.rows().length === 1);
    };
    expect(await create({ ...late.at, sleep }, shop)).toMatchObject({ id: "1", state: shop });
    expect(waits).toEqual([1000, 2500]);
  });
});

describe("what came back differs from what was sent", () => {
  const echo = (more: Record<string, unknown>) => ({
    status: 201,
    body: { data: { id: 1, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1, ...more } },
  });

  test("it is read once more, and all is well where the store is right", async () => {
    const here = await world();
    here.control.addFault({
      match: { method: "POST" },
      commit: "before",
      reply: echo({ privacy: 0 }) as FaultReply,
    });
    expect(await create(here.at, shop)).toMatchObject({ id: "1", state: shop });
    expect(methods(here)).toEqual(["GET", "POST", "GET"]);
  });

  test("it is reported with both values where the store is wrong too, and the id is kept", async () => {
    const here = await world();
    here.control.addFault({
      match: { method: "POST" },
      commit: "before",
      reply: echo({ privacy: 0, email: "1" }) as FaultReply,
    });
    here.control.addFault({
      match: { path: `${path}/1` },
      reply: echo({ privacy: 0, email: "1" }) as FaultReply,
    });
    const error = (await rejection(create(here.at, shop))) as PartialFailure;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.id).toBe("1");
    expect(error.state).toEqual({ ...shop, privacy: "public", emailReports: true });
    expect(error.message).toContain(
      'as asked: privacy, emailReports. privacy: sent "private", stored "public". emailReports: sent false, stored true. ',
    );
    const state = await update(here.later(), "1", error.state, shop);
    expect(state).toMatchObject(shop);
  });

  test("where the service made another domain of it, the record is kept under the one that was sent", async () => {
    const here = await world();
    const reply = echo({ domain: "m.shop.example" }) as FaultReply;
    here.control.addFault({ match: { method: "POST" }, commit: "before", reply });
    here.control.addFault({ match: { path: `${path}/1`, times: 0 }, reply });
    const error = (await rejection(create(here.at, shop))) as PartialFailure;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.id).toBe("1");
    // Without its domain the engine would have it replaced, and a second record would be made beside it.
    expect(diff(website, error.state, shop).replaces).toEqual([]);
  });

  test("a record that is not found at the second look is kept, since a copy of the data may lag", async () => {
    const here = await world();
    here.control.addFault({
      match: { method: "POST" },
      commit: "never",
      reply: echo({ privacy: 0 }) as FaultReply,
    });
    const error = (await rejection(create(here.at, shop))) as PartialFailure;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error).toMatchObject({ id: "1" });
    expect(here.at.ledger.otherOwner("1", { domain: "other.example" })).toBe(
      "another resource of this program",
    );
    expect(error.message).toContain("no longer finds it");
  });
});

test("a record that was made in the second before the look is the new one, if the answer to the POST is lost", async () => {
  const here = await world();
  here.control.addFault({ match: { method: "POST" }, commit: "before", reply: { status: 500 } });
  const created_at = "2026-01-01T00:00:09.000000Z";
  const data = { id: 1, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1, created_at };
  const reply = { headers: { date: "Thu, 01 Jan 2026 00:00:10 GMT" }, body: { data } } as FaultReply;
  here.control.addFault({ match: { path: `${path}/1`, times: 0 }, reply });
  // By our clock, all of it takes no time.
  expect(await create(here.at, shop)).toMatchObject({ id: "1", state: shop });
});

test("what a list shows that many creates share is no proof that a record was not made, if the list is not conclusive", async () => {
  const here = await world();
  const list = { conclusive: false, withKey: () => [] } as unknown as Snapshot;
  vi.spyOn(here.at.records, "recheck").mockImplementation(async (inList, alone) => inList(list) ?? alone());
  here.control.addFault({ match: { method: "POST" }, commit: "before", reply: "reset" });
  expect(await create(here.at, shop)).toMatchObject({ id: "1", state: shop });
  expect(here.at.rests).toEqual([]);
});

test("twins in one run that only the service takes for one are stopped too", async () => {
  const here = await world({ dialect: "newer" });
  for (const adopt of [false, true]) {
    const domain = `shop-${adopt}.example`;
    await create(here.at, { ...shop, domain });
    expect(await problem(create(here.at, { ...shop, domain: `www.${domain}`, adopt }))).toMatch(
      /If that is the same to the service as .*, declare the domain "shop-/,
    );
  }
  const inputs = { ...website.inputs, domain: { ...website.inputs.domain, secret: true } };
  const hidden = { ...here.at, resource: { ...website, inputs } };
  expect(await problem(create(hidden, { ...shop, domain: "www.shop-true.example" }))).toMatch(
    / as \(secret\) \(id 2\), declare the domain \(secret\)$/,
  );
  expect(here.store.rows()).toHaveLength(2);
});

test("a record that got the id of one that another resource has in state belongs to whose POST was answered with it", async () => {
  const { at, store } = await world();
  const own = { domain: "own.example" };
  at.ledger.declare(own, own, "urn");
  at.ledger.assertCompared("1", own, "kept");
  expect(await create(at, shop)).toMatchObject({ id: "1", state: shop });
  await remove(at, "1", own);
  expect(at.said).toEqual([
    expect.stringContaining("is kept: another resource of this program manages it now"),
  ]);
  expect(store.rows()).toHaveLength(1);
});

test("a POST that made the record, but was answered with another one, leads to the record that it made", async () => {
  const answered = async () => {
    const here = await world({ seed: { websites: [{ id: 5, domain: "old.example" }] } });
    const reply = { status: 201, body: { data: { id: 5, domain: "old.example" } } };
    here.control.addFault({ match: { method: "POST" }, commit: "before", reply });
    return here;
  };
  for (const adopt of [false, true]) {
    const here = await answered();
    expect(await create(here.at, { ...shop, adopt })).toMatchObject({ id: "6", state: shop });
    expect(here.store.rows()).toMatchObject([{ id: 5, domain: "old.example" }, { id: 6 }]);
    expect(here.store.sent("PUT")).toEqual([]);
  }
});

test("a POST that is answered with a record that came since the list leads to its own, and leaves that one alone", async () => {
  const here = await world();
  await here.at.records.findByKey("any.example");
  here.store.insert({ id: 5, domain: "theirs.example" });
  const reply = { status: 201, body: { data: { id: 5, domain: "theirs.example" } } };
  here.control.addFault({ match: { method: "POST" }, commit: "before", reply });
  expect(await create(here.at, shop)).toMatchObject({ id: "6", state: shop });
  expect(here.store.rows()[0]).toMatchObject({ id: 5, domain: "theirs.example" });
});

test("a POST that is answered with a new record of another domain and other values takes nothing", async () => {
  const here = await world();
  const data = { id: 5, domain: "theirs.example", privacy: 0, email: 1, exclude_bots: 0 };
  here.control.addFault({
    match: { method: "POST" },
    commit: "never",
    reply: { status: 201, body: { data } },
  });
  here.store.insert(data);
  expect(await problem(create(here.at, shop))).toMatch(
    /^it is unknown whether .* was created: .* another record \(id 5\)/,
  );
  expect(here.store.only()).toMatchObject(data);
});

test.each<[string, boolean, RegExp]>([
  ["is there", true, / was created: .* another record \(id 5\)\. .* again, change its domain$/],
  ["is deleted, and its id given again", false, /exists already \(id 5\)\..* Else see/],
])(
  "an answer with the id of a listed record is not believed, if that one %s",
  async (_, isThere, expected) => {
    const { at, control } = await world({
      seed: { websites: [{ id: 5, domain: "old.example", privacy: 1 }] },
    });
    await at.records.findByKey("new.example");
    if (!isThere) control.seed({ websites: [{ id: 5, domain: "new.example", privacy: 1 }] });
    const data = { id: 5, domain: "new.example", privacy: 1, email: 0, exclude_bots: 1 };
    control.addFault({
      match: { method: "POST" },
      commit: "never",
      reply: { status: 201, body: { data } },
    });
    expect(await problem(create(at, { domain: "new.example", privacy: "private" }))).toMatch(expected);
  },
);

test("an answer with a record that a search found before, beyond the first page, is not believed either", async () => {
  const strangers = Array.from({ length: 150 }, (_, at) => ({ domain: `s${at}.example` }));
  const here = await world({ seed: { websites: [...strangers, { id: 500, domain: "shop.example" }] } });
  const args = { ...shop, domain: "www.shop.example" };
  const data = { id: 500, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1 };
  here.control.addFault({
    match: { method: "POST" },
    commit: "never",
    reply: { status: 201, body: { data } },
  });
  expect(await problem(create(here.at, args))).toContain("another record (id 500)");
  // Unless the service takes the two for one, they are two.
  expect(await create(here.later(), args)).toMatchObject({ id: "502", state: args });
});

test("an answer without an id is said, and the answer to our own POST is ours, though a stack has that id of another account", async () => {
  const here = await world();
  here.control.addFault({
    match: { method: "POST" },
    commit: "never",
    reply: { status: 201, body: { data: {} } },
  });
  expect(await problem(create(here.at, shop))).toContain(
    ": the service answered without an id. Run the same command again: it looks for the record first",
  );
  here.at.ledger.declare({}, { domain: "other.example" }, "other");
  here.at.ledger.markMade("2", { domain: "other.example" });
  expect(await create(here.at, shop)).toMatchObject({ id: "2", state: shop });
  expect(here.at.ledger.isOwner("2", shop)).toBe(true);
});

test("an answer with a listed record that someone has renamed to the wanted domain since is no new record", async () => {
  const stored = { id: 5, privacy: 1, email: 0, exclude_bots: 1 };
  const here = await world({ seed: { websites: [{ ...stored, domain: "old.example" }] } });
  await here.at.records.findByKey("any.example");
  here.store.edit("5", { domain: "shop.example" });
  const reply = { body: { data: { ...stored, domain: "shop.example" } } };
  here.control.addFault({ match: { method: "POST" }, commit: "never", reply });
  expect(await problem(create(here.at, shop))).toContain("exists already (id 5)");
});

test.each([{}, { privacy: 1, email: 0, exclude_bots: 1 }])(
  "an answer with an id, but without a domain (%j), is believed only if the record under that id has the domain",
  async (more) => {
    const here = await world();
    await here.at.records.findByKey("any.example");
    here.store.insert({ id: 5, domain: "theirs.example", privacy: 1, email: 0, exclude_bots: 1 });
    const reply = { status: 201, body: { data: { id: 5, ...more } } };
    here.control.addFault({ match: { method: "POST" }, commit: "before", reply });
    expect(await create(here.at, shop)).toMatchObject({ id: "6", state: shop });
    expect(here.store.rows()[0]).toMatchObject({ id: 5, domain: "theirs.example" });
  },
);

test("an answer with its id alone is believed if a record with the domain is there, whatever the clock of a front server says", async () => {
  const here = await world();
  here.control.addFault({
    match: { method: "POST" },
    commit: "before",
    reply: { status: 201, body: { data: { id: 1 } } },
  });
  const data = { id: 1, domain: "shop.example", privacy: 1, email: 0, exclude_bots: 1 };
  const created_at = new Date().toISOString();
  const at = Math.floor(Date.parse(created_at) / 1000).toString(36);
  const date = new Date(Date.now() + 90_000).toUTCString();
  here.control.addFault({
    match: { path: `${path}/1` },
    reply: { headers: { date }, body: { data: { ...data, created_at } } },
  });
  expect(await create(here.at, shop)).toEqual({ id: "1", state: { ...shop, __at: at } });
  expect(here.store.sent("POST")).toHaveLength(1);
});

test.each<[string, FaultReply]>([
  ["without a wait", { status: 503, body: {} }],
  ["that asks for a wait", { status: 503, body: {}, headers: { "retry-after": "0.1" } }],
])("after a 503 %s, nothing is posted again, whether it was done, or is done later", async (_, reply) => {
  for (const commit of ["never", "before", "late"] as const) {
    const here = await world();
    here.control.addFault({ match: { method: "POST" }, commit, reply });
    const { api, told } = toldOf(here.at.api);
    const creating = create({ ...here.at, api }, shop);
    if (commit === "before") expect(await creating).toMatchObject({ id: "1", state: shop });
    else
      expect(await problem(creating)).toMatch(
        /^it is unknown whether website "shop\.example" was created: .*\(503\)\. Run "pulumi config set tracking:requestsPerMinute 30", or the number that the service allows, and the same command again$/,
      );
    // What was done was no refusal: the others need not slow down for it.
    expect(told()).toBe(commit === "before" ? 1 : 0);
    // The engine begins no more creates once one has failed.
    expect(here.at.rests).toEqual(commit === "before" ? [] : [1000, 2500]);
    here.control.releaseLate();
    expect(here.store.sent("POST")).toHaveLength(1);
    expect(here.store.rows()).toHaveLength(commit === "never" ? 0 : 1);
  }
});
