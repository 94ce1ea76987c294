import { expect, test } from "vitest";
import { create, diff, diffWithNotices, read } from "../../../provider/lifecycle";
import { pixel, website } from "../../../provider/resources";
import { type Resource, UNKNOWN, type Values } from "../../../provider/schema/resource";
import { world } from "../harness";
import { banner, lookout } from "../made-up";

/** The notices of a change of a record that is gone. */
async function notices(resource: Resource, values: Values, wanted: Values) {
  const { at } = await world({}, resource);
  const said: { text: string; groupKey: string }[] = [];
  const context = { ...at, warn: (notice: (typeof said)[number]) => said.push(notice) };
  diffWithNotices(context, values, wanted);
  return said;
}

test("a change of the domain says whose statistics will be deleted, and how to keep or replace them", async () => {
  const said = await notices(website, { domain: "shop.example" }, { domain: "new.example" });
  expect(said.map(({ text }) => text)).toEqual([
    'website "shop.example": domain becomes "new.example"; to keep its statistics, declare a second website beside it instead. Otherwise they are deleted with it, unless it is protected or adopted, or the last "pulumi up" gave it retainOnDelete',
  ]);
  expect(said[0]?.groupKey).toMatch(/^to keep its statistics, declare a second website beside it/);
  const [other] = await notices(lookout, { site: "a.example" }, { site: "b.example" });
  expect(other?.text).toMatch(/^lookout "a\.example".*views/);
});

test.each<[string, Resource, Values, Values]>([
  ["nothing is deleted with a pixel", pixel, { name: "GA", value: "1" }, { name: "GB", value: "2" }],
  [
    "nothing is deleted with a record that is replaced",
    banner,
    { title: "G", code: "1" },
    { title: "G", code: "2" },
  ],
  ["the domain is not known yet", website, { domain: "shop.example" }, { domain: UNKNOWN }],
  ["the domain is only spelled otherwise", website, { domain: "shop.example" }, { domain: "SHOP.example." }],
])("it says nothing where %s", async (_, resource, values, wanted) => {
  expect(await notices(resource, values, wanted)).toEqual([]);
});

test("a refresh, which compares what nobody has checked, tells of no change, and an up does", async () => {
  const { at } = await world();
  const [found, state] = ["private", "public"].map((privacy) => ({ domain: "shop.example", privacy }));
  diffWithNotices(at, found ?? {}, state ?? {});
  expect(at.said).toEqual([]);
  at.ledger.declare(found ?? {}, state ?? {}, "a");
  diffWithNotices(at, found ?? {}, state ?? {});
  expect(at.said).toEqual([expect.stringContaining("its statistics page becomes public")]);
});

test("what else changes is said where the domain is not known yet", async () => {
  const values = { domain: "shop.example", privacy: "private" };
  const said = await notices(website, values, { domain: UNKNOWN, privacy: "public" });
  expect(said.map(({ groupKey }) => groupKey)).toEqual(["its statistics page becomes public"]);
});

test.each([website, pixel])(
  "no change asks the service, so a preview needs no key that it takes: $type",
  async (resource) => {
    const { control, session } = await world({}, resource);
    const here = session();
    const values = { domain: "shop.example", name: "GA", privacy: "private", type: "bing", value: "1" };
    const state: Values = Object.fromEntries(
      Object.entries(values).filter(([name]) => name in resource.inputs),
    );
    const changed = { ...state, ...(resource === website ? { privacy: "public" } : { value: "2" }) };
    for (const news of [changed, { ...state, [resource.key]: "new.example" }]) {
      await here.check(state, news, "a");
      const { replaces } = await here.diff("1", state, news);
      expect(replaces).toEqual(resource === website && news !== changed ? ["domain"] : []);
    }
    expect(control.requests()).toEqual([]);
  },
);

test("a program that takes over the service's form of its domain has no change", async () => {
  const { at } = await world({ dialect: "newer" });
  const { id, state } = await create(at, { domain: "www.shop.example", privacy: "private" });
  for (const domain of ["shop.example", "www.shop.example"])
    expect(diff(website, state, { ...state, domain }), domain).toEqual({ changed: [], replaces: [] });
  const { state: after } = (await read(at, id, state)) ?? {};
  expect(diff(website, after ?? {}, { ...state, domain: "shop.example" }).changed).toEqual([]);
  expect(diff(website, state, { ...state, domain: "help.example" }).replaces).toEqual(["domain"]);
});
