import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { create, type PartialFailure, read, remove, update } from "../../../provider/lifecycle";
import { pixel, website } from "../../../provider/resources";
import { creationEntry } from "../../../provider/schema/identity";
import type { Resource, Values } from "../../../provider/schema/resource";
import type { Session } from "../../../provider/session";
import { rejection } from "../../rejection";
import type { FaultReply } from "../../service";
import { bareRun, problem, sessionOf, type World, world, writes } from "../harness";
import { site, stateOf } from "../sites";

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

/** When a record was created that has this key at first. */
const born = (key: string) => `2024-01-01T00:00:${key.length + 10}.000000Z`;
const tag = (id: number, name: string) => ({ id, name, type: "bing", value: "1", created_at: born(name) });
const tagState = (name: string) => ({ name, type: "bing", value: "1" });
const changed = (state: Values) => ({
  ...state,
  ...("name" in state ? { type: "quora" } : { privacy: "public" }),
});

/** A record by its key, and what state has of it. */
type Keyed = [
  resource: Resource,
  seedOf: (id: number, key: string) => object,
  stateOf: (key: string) => Values,
];
/** What state notes of a time of creation. */
const noted = (createdAt: string | undefined) => creationEntry({}, { createdAt });
const kinds: Record<string, Keyed> = {
  website: [
    website,
    (id, domain) => ({ ...site(id), domain, created_at: born(domain) }),
    (domain) => ({ ...stateOf(1), domain, ...noted(born(domain)) }),
  ],
  pixel: [pixel, tag, (name) => ({ ...tagState(name), ...noted(born(name)) })],
};
const rows = (here: World) => here.store.rows().map(({ id, name, domain }) => [id, name ?? domain]);

/** A service with these records of one kind, by their ids. */
async function holding(kind: string, keys: Record<string, string>) {
  const [resource, seedOf, stateWith] = kinds[kind] as Keyed;
  const seed = Object.entries(keys).map(([id, key]) => seedOf(Number(id), key));
  const here = await world({ seed: { [`${kind}s`]: seed } }, resource);
  return { here, stateWith };
}

describe.each([
  ["website", "www.shop.example", "shop.example"],
  ["pixel", "A", "B"],
])("a %s that has another's id after the service renumbered them", (kind, one, other) => {
  test("is not read, changed or deleted for it, though it is like it", async () => {
    const { here, stateWith } = await holding(kind, { 3: other, 4: one });
    const before = rows(here);
    const says =
      /has another id on the service now \(id 4\).*First .*"pulumi state delete --force 'URN'".* "When the service has given/;
    expect(await problem(read(here.at, "3", stateWith(one)))).toMatch(says);
    expect(await problem(update(here.at, "3", stateWith(one), changed(stateWith(one))))).toMatch(says);
    expect(await problem(remove(here.at, "3", stateWith(one)))).toMatch(says);
    const next = here.later();
    for (const step of [read(next, "3", stateWith(one)), read(next, "4", stateWith(other))].map(problem))
      expect(await step).toMatch(/has another id on the service now/);
    expect(writes(here)).toEqual([]);
    expect(rows(here)).toEqual(before);
  });
});

test.each(["website", "pixel"])(
  "a %s that was deleted before the service renumbered those of one second is not the next one, which the state has too",
  async (kind) => {
    const { here, stateWith } = await holding(kind, { 1: "b.example", 2: "c.example" });
    const [gone, ...others] = ["a.example", "b.example", "c.example"].map((key, at) =>
      problem(read(here.at, `${at + 1}`, stateWith(key))),
    );
    expect(await gone).toMatch(
      /"a.example" \(id 1\) is another record on the service now: "b.example", created at 2024-.*, .* First check /,
    );
    for (const each of others) expect(await each).toContain("has another id on the service now");
  },
);

test("a pixel that was renamed since the list was read has no other id", async () => {
  const { here, stateWith } = await holding("pixel", { 3: "old" });
  expect(await here.at.records.findByKey("old")).toHaveLength(1);
  here.store.edit("3", { name: "new" });
  const state = { ...stateWith("old"), type: "quora" };
  expect(await read(here.at, "3", state)).toMatchObject({ state: { name: "new", type: "bing" } });
});

test.each([
  [1, /403/, false],
  [3, /The list does not show the record: check .* is gone, run "pulumi state delete/, true],
] as const)(
  "a record %d that can't be looked at by itself is perhaps gone only if the list does not show it",
  async (id, says, isLacking) => {
    const here = await world({ seed: { websites: [site(1), site(2)] } });
    const reply = { status: 403, body: {} };
    here.control.addFault({ match: { path: `${website.path}/${id}`, times: 0 }, reply });
    await read(here.at, "2", stateOf(2));
    const message = await problem(read(here.at, `${id}`, { ...stateOf(id), privacy: "public" }));
    expect(message).toMatch(says);
    expect(message.includes("state delete")).toBe(isLacking);
  },
);

test.each([
  [{}, "rightly"],
  [{ domain: null }, "rightly"],
  [{}, "likewise"],
])(
  "a record that is shown with %j in place of its key, and listed %s, has not been renamed",
  async (shown, listed) => {
    const here = await world({ seed: { websites: [site(1), { ...site(3), domain: "new.example" }] } });
    const data = { id: 3, privacy: 1, ...shown };
    const body = { data: [site(1), data], meta: { total: 2 } };
    here.control.addFault({
      match: { path: `${website.path}/3`, times: 0 },
      reply: { body: { data } } as FaultReply,
    });
    if (listed === "likewise")
      here.control.addFault({ match: { path: website.path, times: 0 }, reply: { body } as FaultReply });
    await read(here.at, "1", stateOf(1));
    for (const step of [read, remove])
      expect(await problem(step(here.at, "3", stateOf(3)))).toMatch(
        /is shown without a domain that can be read, so nothing was changed\..* ask the service's operator for a version whose API sends a domain/,
      );
  },
);

test("a record that is gone has no other id by a list that is recent once it is known to be gone", async () => {
  const here = await world({ seed: { websites: [site(1)] } });
  const { records } = here.at;
  const fetched = records.fetchById.bind(records);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(records, "fetchById").mockImplementation(async (...asked) => {
    const found = await fetched(...asked);
    here.store.insert({ ...site(3), id: 9 });
    vi.advanceTimersByTime(10_001);
    return found;
  });
  expect(await problem(remove(here.at, "3", stateOf(3)))).toContain("another id on the service now (id 9)");
});

test.each(["website", "pixel"])(
  "a %s that someone deleted and made again is gone, and the new one is another",
  async (kind) => {
    const { here, stateWith } = await holding(kind, { 9: "a.example", 4: "b.example" });
    const state = { ...stateWith("a.example"), ...noted("2023-12-31T00:07:00.000000Z") };
    expect(await read(here.at, "3", state)).toBeUndefined();
    await read(here.at, "4", stateWith("b.example"));
    await remove(here.later(), "3", state);
    expect(await problem(update(here.later(), "3", state, changed(state)))).toMatch(
      /"a.example" \(id 3\) is gone from the service, so nothing was changed. First check .*, run "pulumi refresh", and then "npx .* import --declared --apply", which imports the record that has its (domain|name) now \(id 9\)$/,
    );
    expect(writes(here)).toEqual([]);
    const { __at: _, ...args } = state;
    expect(await problem(create(here.later(), args))).toContain("exists already (id 9)");
  },
);

test("a website whose www. the service strips has another id after the service renumbered it", async () => {
  const here = await world({ dialect: "newer" });
  const { id, state } = await create(here.at, { ...stateOf(1), domain: "www.shop.example" });
  const [row] = here.store.rows();
  here.store.remove(id);
  here.store.insert({ ...row, id: 71 });
  for (const step of [read(here.later(), id, state), remove(here.later(), id, state)])
    expect(await problem(step)).toContain(
      '"www.shop.example" (id 1) has another id on the service now (id 71)',
    );
});

test("another installation, whose records have the ids and the values of the state, is not the right one, though one of them was just made there", async () => {
  const here = await world({ seed: { pixels: [tag(3, "theirs")], websites: [site(9)] } });
  const run = bareRun();
  const [sites, pixels] = [website, pixel].map((each) => sessionOf(each, here.settings, run));
  const state = { ...tagState("own"), ...noted(born("own")) };
  const mine = (session: Session | undefined, id: string, values: Values) =>
    rejection(session?.read(id, values) as Promise<unknown>);
  const errors = await Promise.all([
    mine(pixels, "3", state),
    ...[1, 2, 3].map((id) => mine(sites, `${id}`, stateOf(id))),
  ]);
  expect(errors[0]?.message).toMatch(/^pixel "own" \(id 3\) is another record on the service now: "theirs"/);
  for (const { message } of errors.slice(1))
    expect(message).toContain("stays in state, since this may be the wrong account");
  await sites?.read("9", stateOf(9));
  expect((await mine(pixels, "3", state)).message).toContain("is another record on the service now");
  const adopts = { ...tagState("theirs"), type: "quora", adopt: true };
  expect((await rejection(pixels?.update("3", state, adopts) as Promise<unknown>)).message).toContain(
    "is another record on the service",
  );
  expect(writes(here)).toEqual([]);
});

test.each(["website", "pixel"])(
  "a %s with the id and the key in state that was created at another time is another one, but not in another time zone",
  async (kind) => {
    const { here, stateWith } = await holding(kind, { 3: "a.example", 4: "b.example" });
    const state = { ...stateWith("a.example"), ...noted("2024-01-01T00:07:00.000000Z") };
    const says = new RegExp(
      `^${kind} "a.example" \\(id 3\\) is another record on the service now: "a.example", created at ${born("a.example")}, .*First check`,
    );
    const steps = [
      read(here.at, "3", state),
      update(here.at, "3", state, changed(state)),
      remove(here.at, "3", state),
    ];
    for (const text of await Promise.all(steps.map(problem))) expect(text).toMatch(says);
    expect(writes(here)).toEqual([]);
    const now = stateWith("a.example");
    const [elsewhere, unrounded] = ["2024-01-01T05:30:19.000000Z", "2024-01-01T00:00:20.700000Z"];
    for (const time of [elsewhere, unrounded])
      expect(await read(here.later(), "3", { ...now, ...noted(time) })).toMatchObject({ id: "3" });
  },
);

test("a record that a list shows with a time in another form than in state is another one, if that is another time", async () => {
  const created_at = "2024-01-01 00:00:10";
  const here = await world({ seed: { websites: [{ ...site(3), created_at }, site(4)] } });
  const state = { ...stateOf(3), ...noted("2024-01-01T00:07:00.000000Z") };
  expect(await problem(update(here.at, "3", state, changed(state)))).toContain("is another record");
  expect(await read(here.later(), "3", { ...state, ...noted("2024-01-01T05:30:10Z") })).toMatchObject({
    id: "3",
  });
});

describe("a pixel that someone renamed on the service", () => {
  async function renamed() {
    const { here, stateWith } = await holding("pixel", { 3: "old", 4: "other" });
    here.store.edit("3", { name: "new" });
    const state = stateWith("old");
    return { here, stateWith, state, after: { ...state, name: "new" } };
  }

  test("is the same by its creation: a read shows the new name, and it is evidence that a missing one is gone", async () => {
    const { here, stateWith, state, after } = await renamed();
    const [found, gone] = await Promise.all([
      read(here.at, "3", state),
      read(here.at, "5", stateWith("gone")),
    ]);
    expect([found?.state, gone]).toEqual([after, undefined]);
  });

  test("gets the name that the program says with the next change, or has it already, and is deleted", async () => {
    const { here, state, after } = await renamed();
    const { __at: _, ...news } = changed(after) as Record<string, unknown>;
    expect(await update(here.at, "3", state, news)).toEqual(changed(after));
    expect(await update(here.later(), "3", state, { ...changed(state), name: "old" })).toEqual(
      changed(state),
    );
    expect(rows(here)).toContainEqual([3, "old"]);
    here.store.edit("3", { name: "new" });
    await remove(here.later(), "3", state);
    expect(rows(here)).toEqual([[4, "other"]]);
  });

  test("is deleted though the first DELETE was lost", async () => {
    const { here, state } = await renamed();
    here.control.addFault({ match: { method: "DELETE" }, commit: "never", reply: "reset" });
    await remove(here.at, "3", state);
    expect(rows(here)).toEqual([[4, "other"]]);
  });

  test.each([
    [undefined, undefined],
    ["2024-01-01", "2024-01-01"],
    ["01 Jan 2024 10:00:00", "01 Feb 2024 10:00:00"],
    ["1970-01-01 00:00:00", "1970-01-01 00:00:00"],
    ["2023-12-31T00:07:00.000000Z", undefined],
  ])(
    "is another record without a creation to compare: %s in state, %s on the service",
    async (inState, created_at) => {
      const { here, state, after } = await renamed();
      if (created_at !== undefined) here.store.edit("3", { created_at });
      const odd = { ...state, __at: undefined, ...noted(inState) };
      const steps = [
        read(here.at, "3", odd),
        update(here.at, "3", odd, { ...changed(after), adopt: true }),
        remove(here.at, "3", odd),
      ];
      for (const text of await Promise.all(steps.map(problem)))
        expect(text).toMatch(
          /"old" \(id 3\) is another record on the service now: "new"(, created at .*)?, so .* First check .*"pulumi state delete --force 'URN'"/,
        );
      expect(writes(here)).toEqual([]);
    },
  );
});

test.each([undefined, born("old.example")])(
  "a website whose id shows another domain is another record, though both were created at %s, and adopt changes nothing",
  async (createdAt) => {
    const { here, stateWith } = await holding("website", { 3: "old.example", 4: "other.example" });
    here.store.edit("3", { domain: "new.example" });
    const state = { ...stateWith("old.example"), __at: undefined, ...noted(createdAt) };
    const news = { ...changed(state), domain: "new.example", adopt: true };
    const steps = [read(here.at, "3", state), update(here.at, "3", state, news), remove(here.at, "3", state)];
    for (const text of await Promise.all(steps.map(problem)))
      expect(text).toMatch(
        /"old.example" \(id 3\) is another record on the service now: "new.example", created at .*First check .*"pulumi state delete/,
      );
    expect((await here.session().diff("3", state, { ...news, adopt: false })).replaces).toEqual(["domain"]);
    expect(writes(here)).toEqual([]);
  },
);

test("a website whose www. the service strips is known by what it was stored as, alone too", async () => {
  const here = await world({ dialect: "newer" });
  const args = { ...stateOf(1), domain: "www.shop.example" };
  const { id, state } = await create(here.at, args);
  const session = here.session();
  expect(await session.read(id, state)).toEqual({ id, state });
  for (const domain of [args.domain, "shop.example"])
    expect(await session.diff(id, state, { ...args, domain })).toEqual({ changed: [], replaces: [] });
  expect(await session.update(id, state, changed(args))).toEqual(changed(state));
  const reply = { body: { data: { id: 1, privacy: 1 } } } as FaultReply;
  here.control.addFault({ match: { method: "PUT" }, commit: "before", reply });
  expect(await session.update(id, changed(state), args)).toEqual(state);
  await session.delete(id, state);
  expect(here.store.rows()).toEqual([]);
});

test("what an update met because another wrote at the same time is reported truthfully", async () => {
  const here = await world({ seed: { websites: [site(1)] } });
  here.control.addFault({
    match: { method: "PUT" },
    commit: "before",
    reply: { status: 200, body: {} } as FaultReply,
  });
  await here.at.records.readById("1", () => true);
  const updating = update(here.at, "1", stateOf(1), changed(stateOf(1)));
  await here.control.waitFor(({ method, committed }) => method === "PUT" && committed);
  here.store.edit("1", { domain: "theirs.example" });
  const { message, state } = (await rejection(updating)) as PartialFailure;
  expect(message).toBe(
    'website "site-1.example" (id 1) was written, but the service no longer finds it. Run "pulumi up --refresh", which creates it again if it is gone',
  );
  expect(state).toEqual(stateOf(1));
});

describe("a pixel whose name the service stores differently", () => {
  async function stored() {
    const here = await world({}, pixel);
    const reply = { status: 201, body: { data: tag(1, "My Pixel") } } as FaultReply;
    here.control.addFault({ match: { method: "POST" }, commit: "never", reply });
    here.store.insert(tag(1, "My Pixel"));
    here.store.empty();
    const made = create({ ...here.at }, tagState("My  Pixel"));
    await here.control.waitFor(({ method }) => method === "POST");
    here.store.insert(tag(1, "My Pixel"));
    return { here, failure: (await rejection(made)) as PartialFailure };
  }

  test("keeps a name in state, so that it can be deleted, and is declared as it is stored", async () => {
    const { here, failure } = await stored();
    expect(failure.message).toContain('name: sent "My  Pixel", stored "My Pixel"');
    expect(failure.state).toMatchObject(tagState("My Pixel"));
    expect((await here.session().diff("1", failure.state, tagState("My Pixel"))).changed).toEqual([]);
    await remove(here.later(), "1", failure.state);
    expect(here.store.rows()).toEqual([]);
  });

  test("and whose name is lacking in state has a sentence that leads out", async () => {
    const here = await world({ seed: { pixels: [tag(1, "My Pixel")] } }, pixel);
    const { name: _, ...state } = tagState("My Pixel");
    const session = here.session();
    const news = { ...tagState("My Pixel"), type: "quora" };
    for (const step of [session.delete("1", state), session.update("1", state, { ...news, name: "other" })])
      expect((await rejection(step)).message).toMatch(
        /^pixel \(id 1\) is another record on the service now: "My Pixel", /,
      );
    expect((await session.read("1", state))?.state).toMatchObject(tagState("My Pixel"));
  });
});
