import { beforeEach, describe, expect, test, vi } from "vitest";
import { check, create, diff, PartialFailure, remove, update } from "../../../provider/lifecycle";
import { adopt } from "../../../provider/lifecycle/adopt";
import { LifecycleError } from "../../../provider/lifecycle/errors";
import { pixel, website } from "../../../provider/resources";
import type { RemoteRecord } from "../../../provider/schema/codec";
import { UNKNOWN, type Values } from "../../../provider/schema/resource";
import { Stack } from "../../faults/stack";
import { rejection } from "../../rejection";
import type { WebsiteSeed } from "../../service";
import { problem, type World, world, writes } from "../harness";

const defaults = { privacy: "private", emailReports: false, excludeBots: true };
const shop = { domain: "shop.example", ...defaults };
const adopted = { ...shop, adopt: true };
const theirs: WebsiteSeed = {
  id: 7,
  domain: "shop.example",
  privacy: 1,
  email: 0,
  exclude_bots: 1,
  password: "theirs",
};
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

describe("create with adopt", () => {
  test("empties a list that the program says is empty, and sends what the service never shows", async () => {
    const here = await world({
      seed: { websites: [{ ...theirs, exclude_ips: "192.0.2.9", exclude_params: "ref" }] },
    });
    await create(here.at, { ...adopted, excludeIps: [], excludeParams: [], password: "ours" });
    expect(writes(here)).toEqual([["PUT", { exclude_ips: "", exclude_params: "", password: "ours" }]]);
    expect(here.store.only()).toMatchObject({ password: "ours" });
  });

  test("asks for a password where there is none to take over, and not where there is", async () => {
    const args = { ...adopted, privacy: "password" };
    const empty = await world();
    expect(await problem(create(empty.at, args))).toContain(website.validateCreate?.(args)?.reason);
    expect(writes(empty)).toEqual([]);
    const here = await world({ seed: { websites: [{ ...theirs, privacy: 2 }] } });
    expect(await create(here.at, args)).toMatchObject({ id: "7" });
    expect(writes(here)).toEqual([]);
  });

  test.each([
    ["differs from", 0],
    ["is", 1],
  ])("leaves nothing to change if the record %s what the program says", async (_is, privacy) => {
    const here = await world({ seed: { websites: [{ ...theirs, privacy, exclude_ips: "192.0.2.9" }] } });
    const args = { ...adopted, excludeIps: ["192.0.2.9"] };
    const { state } = await create(here.at, args);
    expect(diff(website, state, args).changed).toEqual([]);
  });

  test("needs exactly one: of several it takes none, names them and writes nothing", async () => {
    const here = await world({ seed: { websites: [theirs, { ...theirs, id: 9, domain: "Shop.example" }] } });
    const error = await rejection(create(here.at, adopted));
    expect(error).toBeInstanceOf(LifecycleError);
    expect(error.message).toMatch(/id 7.*id 9/);
    expect(writes(here)).toEqual([]);
  });

  test("takes no record that another resource has taken since it was looked at", async () => {
    const here = await world({ seed: { websites: [{ ...theirs, privacy: 0 }] } });
    const [found] = await here.at.records.findByKey("shop.example");
    here.at.ledger.assertAdoptable("7", { domain: "other.example" });
    const error = await rejection(adopt(here.at, shop, found as RemoteRecord));
    expect(error).toBeInstanceOf(LifecycleError);
    expect(here.store.sent("PUT")).toEqual([]);
  });

  test("takes no record that was renamed since the list was read", async () => {
    const here = await world({ seed: { websites: [theirs] } });
    await here.at.records.findByKey("any.example");
    here.store.edit("7", { domain: "renamed.example" });
    expect(await create(here.at, adopted)).toMatchObject({ id: "8", state: shop });
    expect(here.store.rows()[0]).toMatchObject({ ...theirs, domain: "renamed.example" });
    expect(here.store.sent("PUT")).toEqual([]);
  });

  test("takes over what came between the look and the POST", async () => {
    const here = await world();
    await here.at.records.findByKey("shop.example");
    here.store.insert({ ...theirs, privacy: 0 });
    expect(await create(here.at, adopted)).toMatchObject({ id: "7", state: shop });
    expect(here.store.only()).toMatchObject({ ...theirs, privacy: 1 });
  });

  test("never takes over what only the service takes for the same, and names it", async () => {
    const here = await world({ dialect: "newer", seed: { websites: [theirs] } });
    const error = await rejection(create(here.at, { ...adopted, domain: "www.shop.example" }));
    expect(error.message).toContain('is the same to the service as "shop.example" (id 7), declare');
    expect(here.store.sent("PUT")).toEqual([]);
    expect(here.store.only()).toMatchObject(theirs);
  });

  test("keeps the id where the update fails, and the next run mends it", async () => {
    const here = await world({ seed: { websites: [{ ...theirs, privacy: 0 }] } });
    here.control.addFault({
      match: { method: "PUT" },
      reply: { status: 422, body: { message: { privacy: ["odd"] } } },
    });
    const error = (await rejection(create(here.at, adopted))) as PartialFailure;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.id).toBe("7");
    expect(error.state).toStrictEqual({ domain: "shop.example", emailReports: false, excludeBots: true });
    expect(await update(here.later(), error.id, error.state, shop)).toMatchObject(shop);
    expect(here.store.only()).toMatchObject({ ...theirs, privacy: 1 });
  });

  test("keeps no old value of what it has sent, if that can't be read back, so that the next run sends it again", async () => {
    const here = await world({ seed: { websites: [{ ...theirs, privacy: 0 }] } });
    here.control.addFault({
      match: { method: "PUT" },
      commit: "before",
      reply: { body: { data: { id: 7 } } },
    });
    const match = { method: "GET", path: `${website.path}/7`, nth: 2, times: 0 };
    here.control.addFault({ match, reply: { status: 403, body: {} } });
    const error = (await rejection(create(here.at, adopted))) as PartialFailure;
    expect(error.message).toContain("could not be read back");
    expect(error.state).toStrictEqual({ domain: "shop.example", emailReports: false, excludeBots: true });
    here.control.clearFaults();
    expect(await update(here.later(), error.id, error.state, { ...shop, privacy: "public" })).toMatchObject({
      privacy: "public",
    });
    expect(here.store.only()).toMatchObject({ privacy: 0 });
  });

  test("keeps what was stored where the rest was not", async () => {
    const here = await world({ seed: { websites: [{ ...theirs, privacy: 0, email: 1 }] } });
    await here.at.records.findByKey("shop.example");
    here.store.edit("7", { privacy: 1 });
    here.control.addFault({ match: { method: "PUT" }, commit: "never", reply: { status: 204 } });
    const error = (await rejection(create(here.at, adopted))) as PartialFailure;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.fields).toEqual(["emailReports"]);
    expect(error.state).toMatchObject({ domain: "shop.example", privacy: "private", excludeBots: true });
  });

  test("what a run took over or made it never deletes, and says so", async () => {
    const here = await world({ seed: { websites: [theirs] } });
    const taken = await create(here.at, adopted);
    const made = await create(here.at, { ...shop, domain: "new.example" });
    for (const { id, state } of [taken, made]) await remove(here.at, id, state);
    expect(here.store.rows()).toHaveLength(2);
    expect(here.at.said.filter((line) => line.includes("is kept"))).toHaveLength(2);
    expect(writes(here).map(([method]) => method)).toEqual(["POST"]);
    await remove(here.later(), taken.id, taken.state);
    expect(here.store.rows()).toHaveLength(1);
  });
});

test.each(["first", "last"])(
  "a pixel that was renamed by hand to a name that a new resource adopts is refused, declared %s, and the message leads to an empty preview",
  async (place) => {
    const { control, settings } = await world({}, pixel);
    const stack = new Stack(settings);
    const declared = (name: string, label: string, args = {}) =>
      ({ type: "Pixel", name, args: { name: label, type: "bing", value: "1", ...args } }) as const;
    const [old, taker] = [declared("old", "A"), declared("taker", "B", { adopt: true })];
    const all = place === "first" ? [old, taker] : [taker, old];
    await stack.up([old]);
    control.editPixel(1, { name: "B" });
    const says = (await stack.preview(all)).errors.join("\n");
    const [, refreshes] =
      /run "pulumi up( --refresh)?" without (?:this resource|"taker"), then with it/i.exec(says) ?? [];
    for (const program of [[old], all])
      expect(await (refreshes ? stack.mend(program) : stack.up(program)), says).toMatchObject({ errors: [] });
    expect(await stack.preview(all)).toMatchObject({ steps: [], errors: [] });
    expect(control.pixels()).toMatchObject([{ id: 1, name: "A" }, { name: "B" }]);
  },
);

test.each<[string, Values, Values, RegExp]>([
  [
    "adopts the old name of what someone renamed",
    { domain: "by-hand.example" },
    {},
    /is another record on the service now: "by-hand.example"/,
  ],
  [
    "was refused",
    {},
    { privacy: "odd" },
    /was not deleted: another resource of this program declares its domain, and failed\. Correct or remove/,
  ],
])("a record is not kept for a resource that %s", async (_says, edit, args, says) => {
  const here = await world({ seed: { websites: [theirs] } });
  here.store.edit("7", edit);
  await check({ resource: website, notify: () => {}, context: here.at }, {}, { ...adopted, ...args });
  expect(await problem(remove(here.at, "7", { domain: "shop.example", privacy: "private" }))).toMatch(says);
  expect(here.at.said.join()).not.toContain("is kept");
  expect(here.store.rows()).toHaveLength(1);
});

describe("check with adopt", () => {
  const looked = async (here: World, news: Values, olds: Values = {}) => {
    const said: string[] = [];
    const groupKeys: string[] = [];
    const notify: typeof here.at.warn = ({ text, groupKey }) => {
      said.push(text);
      groupKeys.push(groupKey);
    };
    const outcome = await check(
      { resource: website, notify, context: { ...here.at, warn: notify } },
      olds,
      news,
    );
    return { ...outcome, said, groupKeys };
  };

  test("names the record, and each field that changes with the value that it has, secrets aside, and writes nothing", async () => {
    const here = await world({ seed: { websites: [{ ...theirs, privacy: 0, exclude_ips: "192.0.2.9" }] } });
    const { refusals, said, groupKeys } = await looked(here, {
      ...adopted,
      privacy: "password",
      password: "to-hide",
      excludeIps: ["192.0.2.8"],
    });
    expect(refusals).toEqual([]);
    expect(said).toEqual([
      'website "shop.example" exists already (id 7) and will be adopted; what changes on it: privacy (now "public"), password, excludeIps (now ["192.0.2.9"])',
    ]);
    expect(groupKeys).toEqual(["exists already and will be adopted"]);
    expect(writes(here)).toEqual([]);
  });

  test("says if nothing will change, and nothing if no record exists", async () => {
    const here = await world({ seed: { websites: [theirs] } });
    expect((await looked(here, adopted)).said[0]).toContain("nothing changes");
    for (const domain of ["new.example", "www.shop.example"])
      expect(await looked(here, { ...adopted, domain })).toMatchObject({ said: [], refusals: [] });
  });

  test("says of a public website that it becomes public only if it is not", async () => {
    const says = async (privacy: number) => {
      const here = await world({ seed: { websites: [{ ...theirs, privacy }] } });
      return (await looked(here, { ...adopted, privacy: "public" })).said;
    };
    expect(await says(0)).toEqual([expect.stringContaining("nothing changes on it")]);
    expect(await says(1)).toEqual([
      expect.stringContaining('what changes on it: privacy (now "private")'),
      'website "shop.example": its statistics page becomes public',
    ]);
  });

  test("allows a pixel's type that the record already has, and no other that is not in the list", async () => {
    const here = await world({ seed: { pixels: [{ id: 3, name: "T", type: "tiktok", value: "1" }] } }, pixel);
    const refusals = async (type: string) => {
      const args = { name: "T", type, value: "1", adopt: true };
      return (await check({ resource: pixel, notify: () => {}, context: here.later() }, {}, args)).refusals;
    };
    expect(await refusals("tiktok")).toEqual([]);
    expect(await refusals("snapchat")).toEqual([[expect.stringMatching(/^type must be /)]]);
  });

  test("knows what it adopts where other arguments are not known yet", async () => {
    const here = await world({ seed: { websites: [{ ...theirs, exclude_ips: "192.0.2.9" }] } });
    const args = {
      ...adopted,
      privacy: UNKNOWN,
      excludeIps: ["192.0.2.8", UNKNOWN],
      excludeParams: [UNKNOWN],
    };
    expect((await looked(here, args)).said).toEqual([
      expect.stringMatching(
        /^website "shop\.example" exists already \(id 7\) and will be adopted; what changes on it: privacy \(now "private"\), excludeParams, /,
      ),
    ]);
  });

  test("is a failure where there are several", async () => {
    const here = await world({ seed: { websites: [theirs, { ...theirs, id: 9 }] } });
    expect((await looked(here, adopted)).refusals[0]?.join()).toMatch(/id 7, id 9/);
  });

  test("is a failure where another resource has the record", async () => {
    const here = await world({ seed: { websites: [theirs] } });
    here.at.ledger.markMade("7", { domain: "other.example" });
    expect((await looked(here, adopted)).refusals[0]?.join()).toMatch(/\(id 7\) already belongs to /);
  });

  test("says that it could not look, and lets the preview go on", async () => {
    const here = await world();
    here.control.addFault({ match: { times: 0 }, reply: { status: 403, body: {} } });
    const { refusals, said } = await looked(here, adopted);
    expect(refusals).toEqual([]);
    expect(said[0]).toMatch(/^website "shop.example" could not be looked for, .* is unknown: .*\(403/);
  });

  test.each<[string, Values, Values]>([
    ["without adopt", shop, {}],
    ["where the record is managed already", adopted, shop],
    ["where the domain is not known yet", { ...adopted, domain: UNKNOWN }, {}],
    ["where adopt is not known yet", { ...shop, adopt: UNKNOWN }, {}],
    ["where the arguments are wrong", { ...adopted, privacy: "odd" }, {}],
  ])("does not look %s", async (_, news, olds) => {
    const here = await world({ seed: { websites: [theirs] } });
    await looked(here, news, olds);
    expect(here.control.requests()).toEqual([]);
  });
});
