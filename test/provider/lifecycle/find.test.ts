import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { inputsAfterRead } from "../../../provider/hosts/marshal";
import { create, type PartialFailure, read, remove, update } from "../../../provider/lifecycle";
import { pixel, website } from "../../../provider/resources";
import type { Resource, Values } from "../../../provider/schema/resource";
import { rejection } from "../../rejection";
import type { FaultReply } from "../../service";
import { bareRun, problem, sessionOf, type World, world, writes } from "../harness";
import { site, stateOf } from "../sites";

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const tag = (id: number, name: string) => ({ id, name, type: "bing", value: "1" });
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
const kinds: Record<string, Keyed> = {
  website: [website, (id, domain) => ({ ...site(id), domain }), (domain) => ({ ...stateOf(1), domain })],
  pixel: [pixel, tag, tagState],
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
      /has another id on the service now \(id 4\).*First .*"pulumi state delete --force URN".*--declared --apply"/;
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

test("a record that was renamed since the list was read has no other id", async () => {
  const here = await world({ seed: { websites: [site(1), { ...site(3), privacy: 0 }] } });
  expect(await here.at.records.findByKey("site-3.example")).toHaveLength(1);
  here.store.edit("3", { domain: "new.example" });
  await read(here.at, "1", stateOf(1));
  expect(await read(here.at, "3", stateOf(3))).toMatchObject({ state: { domain: "new.example" } });
});

test.each([{}, { domain: null }])(
  "a record that is shown with %j in place of its key has not been renamed",
  async (shown) => {
    const here = await world({ seed: { websites: [site(1), { ...site(3), domain: "new.example" }] } });
    const reply = { body: { data: { id: 3, privacy: 1, ...shown } } } as FaultReply;
    here.control.addFault({ match: { path: `${website.path}/3`, times: 0 }, reply });
    await read(here.at, "1", stateOf(1));
    for (const step of [read, remove])
      expect(await problem(step(here.at, "3", stateOf(3)))).toContain("no domain that can be read");
  },
);

test("a record that is gone has no other id by a list that is recent once it is known to be gone", async () => {
  const here = await world({ seed: { websites: [site(1)] } });
  const { records } = here.at;
  const fetched = records.fetch.bind(records);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(records, "fetch").mockImplementation(async (...asked) => {
    const found = await fetched(...asked);
    here.store.insert({ ...site(3), id: 9 });
    vi.advanceTimersByTime(10_001);
    return found;
  });
  expect(await problem(remove(here.at, "3", stateOf(3)))).toContain("another id on the service now (id 9)");
});

test("a record that is gone has no other id in one that another resource of the program has made", async () => {
  const here = await world({ seed: { websites: [{ ...site(3), id: 9 }] } });
  here.at.ledger.made("9", stateOf(3));
  await remove(here.at, "3", stateOf(3));
  expect(here.at.said).toEqual([expect.stringContaining("was not found")]);
});

test("a pixel with the same id and value and another name does not make another installation the right one", async () => {
  const here = await world({ seed: { pixels: [tag(3, "theirs")] } });
  const run = bareRun();
  const [sites, pixels] = [website, pixel].map((each) => sessionOf(each, here.settings, run));
  const looks = [1, 2, 3].map((id) => rejection(sites?.read(`${id}`, stateOf(id)) as Promise<unknown>));
  const errors = await Promise.all([
    rejection(pixels?.read("3", tagState("own")) as Promise<unknown>),
    ...looks,
  ]);
  expect(errors[0]?.message).toMatch(/^pixel "own" \(id 3\) is "theirs" on the service now, /);
  for (const { message } of errors.slice(1)) expect(message).toContain("does not count as gone");
  await rejection(
    pixels?.update("3", tagState("own"), { ...tagState("own"), type: "quora" }) as Promise<unknown>,
  );
  expect(writes(here)).toEqual([]);
});

describe.each([
  ["website", "old.example", "new.example"],
  ["pixel", "old", "new"],
])("a %s that someone renamed on the service", (kind, old, next) => {
  const renamed = () => holding(kind, { 3: next, 4: "other.example" });

  test("is read by its new key beside a record that is as in state, whichever is read first; a missing one is gone", async () => {
    for (const order of [
      ["3", "4", "5"],
      ["5", "4", "3"],
    ]) {
      const { here, stateWith } = await renamed();
      const keys: Record<string, string> = { 3: old, 4: "other.example", 5: "gone.example" };
      const found = await Promise.all(order.map((id) => read(here.at, id, stateWith(keys[id] ?? ""))));
      const by = Object.fromEntries(order.map((id, at) => [id, found[at]?.state]));
      expect(by).toMatchObject({ 3: stateWith(next), 4: stateWith("other.example") });
      expect(by["5"]).toBeUndefined();
    }
  });

  test("is neither changed nor deleted for its old key, and alone it is not known at all", async () => {
    const { here, stateWith } = await renamed();
    for (const step of [
      () => read(here.at, "3", stateWith(old)),
      () => update(here.at, "3", stateWith(old), changed(stateWith(old))),
      () => remove(here.at, "3", stateWith(old)),
    ]) {
      expect(await problem(step())).toMatch(
        /"old.*" \(id 3\) is "new.*" on the service now, so nothing was changed. First check /,
      );
      await read(here.at, "4", stateWith("other.example")).then(
        () => {},
        () => {},
      );
      here.at.guard.present = 0;
    }
    await read(here.at, "4", stateWith("other.example"));
    const update3 = () => update(here.at, "3", stateWith(old), changed(stateWith(old)));
    expect(await problem(update3())).toMatch(
      /Someone has renamed it: declare the (domain|name) that the service has, or rename it back there$/,
    );
    expect(await problem(remove(here.at, "3", stateWith(old)))).toMatch(
      /To keep it, drop it from state with "pulumi state delete --force URN"; to delete it, do so on the service, .*again$/,
    );
    expect(writes(here)).toEqual([]);
  });

  test("is followed by the program that then declares it, in state alone, beside a record that is as in state", async () => {
    const { here, stateWith } = await renamed();
    const session = here.session();
    const key = kind === "website" ? "domain" : "name";
    expect(await session.diff("3", stateWith(old), stateWith(next))).toEqual({
      changed: [key],
      replaces: [],
    });
    await session.diff("4", stateWith("other.example"), stateWith("other.example"));
    expect(await session.update("3", stateWith(old), stateWith(next))).toEqual(stateWith(next));
    expect(writes(here)).toEqual([]);
    const edited = changed(stateWith(next));
    expect((await session.diff("3", stateWith(old), edited)).replaces).toEqual([]);
    expect(await session.update("3", stateWith(old), edited)).toEqual(edited);
    expect(writes(here)).toHaveLength(1);
    expect(rows(here)).toEqual([
      [3, next],
      [4, "other.example"],
    ]);
  });
});

describe("after a refresh, a website that someone renamed", () => {
  async function refreshed() {
    const { here, stateWith } = await holding("website", { 3: "new.example", 4: "other.example" });
    const session = here.session();
    const [found] = await Promise.all([
      session.read("3", stateWith("old.example")),
      session.read("4", stateWith("other.example")),
    ]);
    return { here, session, stateWith, state: found?.state ?? {} };
  }

  test("keeps what the program declares apart from what the service has", async () => {
    const { session, state, stateWith } = await refreshed();
    expect(state.domain).toBe("new.example");
    expect(inputsAfterRead(website, stateWith("old.example"), state)).toBeUndefined();
    const again = await session.read("3", state);
    expect(again).toEqual({ id: "3", state });
  });

  test("is followed by one edit: state has one change more, and forgets the old domain", async () => {
    const { here, session, state, stateWith } = await refreshed();
    const followed = stateWith("new.example");
    expect(await session.diff("3", state, followed)).toEqual({ changed: ["domain"], replaces: [] });
    expect(await session.update("3", state, followed)).toEqual(followed);
    expect(await session.diff("3", followed, followed)).toEqual({ changed: [], replaces: [] });
    expect(writes(here)).toEqual([]);
  });

  test("is never replaced for its old domain, and the error names both ways", async () => {
    const { here, session, state, stateWith } = await refreshed();
    expect(await session.diff("3", state, stateWith("old.example"))).toEqual({
      changed: ["domain"],
      replaces: [],
    });
    expect((await rejection(session.update("3", state, stateWith("old.example")))).message).toBe(
      'website "old.example" (id 3) is "new.example" on the service now, so nothing was changed. ' +
        "Someone has renamed it: declare the domain that the service has, or rename it back there",
    );
    expect(writes(here)).toEqual([]);
    here.store.edit("3", { domain: "old.example" });
    const later = here.session();
    await later.read("4", stateWith("other.example"));
    expect((await later.diff("3", state, stateWith("old.example"))).replaces).toEqual([]);
    expect(await later.update("3", state, stateWith("old.example"))).toEqual(stateWith("old.example"));
    expect(await later.read("3", state)).toEqual({ id: "3", state: stateWith("old.example") });
    expect(writes(here)).toEqual([]);
  });

  test("is replaced for a third domain, and deleted by its new one", async () => {
    const { here, session, state, stateWith } = await refreshed();
    expect((await session.diff("3", state, stateWith("third.example"))).replaces).toEqual(["domain"]);
    await session.delete("3", state);
    expect(rows(here)).toEqual([[4, "other.example"]]);
  });
});

test("a website whose www. the service strips is known by what it was stored as, alone too", async () => {
  const here = await world({ dialect: "newer" });
  const args = { ...stateOf(1), domain: "www.shop.example" };
  const { id, state } = await create(here.at, args);
  const session = here.session();
  expect(await session.read(id, state)).toEqual({ id, state });
  for (const domain of [args.domain, "shop.example"])
    expect(await session.diff(id, state, { ...args, domain })).toEqual({ changed: [], replaces: [] });
  expect(await session.update(id, state, changed(args))).toEqual(changed(state));
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
  await here.at.records.read("1", () => true);
  const updating = update(here.at, "1", stateOf(1), changed(stateOf(1)));
  await here.control.waitFor(({ method, committed }) => method === "PUT" && committed);
  here.store.edit("1", { domain: "theirs.example" });
  const message = await problem(updating);
  expect(message).toContain(
    'website "site-1.example" (id 1) is "theirs.example" on the service now. It was sent a change',
  );
  expect(message).not.toContain("nothing was changed");
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
    expect(failure.state).toEqual(tagState("My Pixel"));
    expect((await here.session().diff("1", failure.state, tagState("My Pixel"))).changed).toEqual([]);
    await remove(here.later(), "1", failure.state);
    expect(here.store.rows()).toEqual([]);
  });

  test("and whose name is lacking in state has a sentence that leads out", async () => {
    const here = await world({ seed: { pixels: [tag(1, "My Pixel")] } }, pixel);
    const { name: _, ...state } = tagState("My Pixel");
    const session = here.session();
    const news = { ...tagState("My Pixel"), type: "quora" };
    await session.diff("1", state, { ...news, name: "other" });
    for (const step of [session.delete("1", state), session.update("1", state, { ...news, name: "other" })])
      expect((await rejection(step)).message).toMatch(
        /^pixel \(id 1\) has no name in state, .* Run "pulumi refresh"/,
      );
    expect((await session.read("1", state))?.state).toEqual(tagState("My Pixel"));
  });
});
