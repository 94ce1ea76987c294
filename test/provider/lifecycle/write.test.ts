import { beforeEach, describe, expect, test, vi } from "vitest";
import { create, read, remove, update } from "../../../provider/lifecycle";
import { pixel } from "../../../provider/resources";
import { rejection } from "../../rejection";
import type { FaultReply } from "../../service";
import { world } from "../harness";
import { site, stateOf, upTo } from "../sites";

beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const sites = upTo(3).map(site);

/** A service with three websites, all of them on the list page that was read. */
async function withList() {
  const { at, control } = await world({ seed: { websites: sites } });
  expect(await at.records.findByKey("site-2.example")).toHaveLength(1);
  control.clearRequests();
  const listed = async () => (await at.records.findByKey("site-2.example")).map(({ id }) => id);
  return { control, at, listed };
}

describe("a record that was deleted is no longer looked at by the creates that follow", () => {
  test.each<[string, FaultReply | undefined]>([
    ["as it should", undefined],
    ["with a 404 as the answer", { status: 404, body: { message: "?" } }],
    ["with its answer lost", "reset"],
  ])("%s", async (_, reply) => {
    const { at, control, listed } = await withList();
    if (reply !== undefined) control.addFault({ match: { method: "DELETE" }, commit: "before", reply });
    await remove(at, "2", stateOf(2));
    expect(await listed()).toEqual([]);
    const taken = await create(at, stateOf(2));
    expect(control.websites()).toMatchObject([{ id: 1 }, { id: 3 }, { id: Number(taken.id) }]);
  });

  test("but is where the service says that it did not delete it", async () => {
    const { at, control, listed } = await withList();
    control.addFault({
      match: { method: "DELETE" },
      commit: "never",
      reply: { body: { deleted: false } },
    });
    await rejection(remove(at, "2", stateOf(2)));
    expect(await listed()).toEqual(["2"]);
  });
});

test("a record is what the run has changed it to, for the creates that follow", async () => {
  const seed = { pixels: [{ id: 3, name: "old", value: "1", type: "bing" }] };
  const { at, control } = await world({ seed }, pixel);
  await at.records.findByKey("any");
  const olds = { name: "old", value: "1", type: "bing" };
  await update(at, "3", olds, { ...olds, name: "new" });
  expect((await rejection(create(at, { ...olds, name: "new" }))).message).toContain("(id 3)");
  await create(at, { ...olds, value: "2" });
  expect(control.pixels()).toMatchObject([
    { id: 3, name: "new" },
    { name: "old", value: "2" },
  ]);
});

test.each([
  ["newer", "x", "twitter"],
  ["reference", "twitter", "x"],
] as const)(
  "in the dialect %s, a pixel type is sent as the program writes it, and %s is no change from %s",
  async (dialect, known, other) => {
    const { at, control, later } = await world({ dialect }, pixel);
    const ads = { name: "Ads", value: "tw-1" };
    const refused = await rejection(create(at, { ...ads, type: other }));
    expect(refused.message).toMatch(/^pixel "Ads" can't be created \(type\): /);
    const { id, state } = await create(at, { ...ads, type: known });
    expect(control.pixels()).toMatchObject([{ ...ads, type: known }]);
    const declared = { ...state, type: other };
    expect(await update(at, id, state, declared)).toMatchObject(declared);
    expect((await read(later(), id, declared))?.state).toMatchObject(declared);
    expect(control.requests().filter(({ method }) => method !== "GET")).toHaveLength(2);
  },
);

test("a record that an update does not find has a sentence that leads out", async () => {
  const { at, control } = await withList();
  control.addFault({
    match: { method: "PUT" },
    commit: "never",
    reply: { status: 404, body: { message: "no" } },
  });
  expect(
    (await rejection(update(at, "2", stateOf(2), { ...stateOf(2), privacy: "public" }))).message,
  ).toMatch(
    /^website "site-2\.example" \(id 2\) can't be updated: .*\(404: no\) \[.*\]\. Run "pulumi up --refresh", which creates it again if it is gone$/,
  );
});
