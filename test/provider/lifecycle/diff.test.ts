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
  await diffWithNotices({ context, resource, verb: "compared", id: "1", values, news: wanted });
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

test.each([
  [false, /"was\.example" \(id 1\) is "now\.example" .*the program follows, so this is not sent$/],
  [true, /"was\.example" \(id 1\) is "now\.example" .*adopts it, so "pulumi up" sends what differs$/],
])("a followed rename says what up does, with adopt: %s", async (adopt, says) => {
  const created_at = "2024-01-01T00:00:00.000000Z";
  const { at } = await world({ seed: { websites: [{ id: 1, domain: "now.example", created_at }] } });
  const values = { domain: "was.example", ...(adopt ? {} : { __createdAt: created_at }) };
  const news = { domain: "now.example", adopt };
  await diffWithNotices({ context: at, resource: website, verb: "compared", id: "1", values, news });
  expect(at.said).toEqual([expect.stringMatching(says)]);
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

test("what else changes is said where the domain is not known yet", async () => {
  const values = { domain: "shop.example", privacy: "private" };
  const said = await notices(website, values, { domain: UNKNOWN, privacy: "public" });
  expect(said.map(({ groupKey }) => groupKey)).toEqual(["its statistics page becomes public"]);
});

test("only a change of the key asks the service, and is a change where that does not answer, which is said", async () => {
  const { at, control } = await world();
  control.addFault({ match: { times: 0 }, reply: { status: 403, body: {} } });
  const values = { domain: "shop.example", privacy: "private" };
  at.ledger.declare(values, values);
  const comparing = (news: Values) =>
    diffWithNotices({ context: at, resource: website, verb: "compared", id: "1", values, news });
  expect((await comparing({ ...values, privacy: "public" })).replaces).toEqual([]);
  expect(control.requests()).toEqual([]);
  expect(at.said).toEqual([expect.stringContaining("becomes public")]);
  expect((await comparing({ ...values, domain: "new.example" })).replaces).toEqual(["domain"]);
  expect(at.said.slice(1)).toEqual([
    expect.stringMatching(
      /^website "shop\.example" \(id 1\): the service could not be asked whether someone renamed it there; if so, this is an update, and nothing is replaced: .*\(403/,
    ),
    expect.stringContaining('domain becomes "new.example"'),
  ]);
});

test("a pixel is updated whether someone renamed it or not, so nothing is said of a service that does not answer", async () => {
  const { at, control } = await world({}, pixel);
  control.addFault({ match: { times: 0 }, reply: { status: 403, body: {} } });
  const [values, news] = [{ name: "GA" }, { name: "GB" }];
  await diffWithNotices({ context: at, resource: pixel, verb: "compared", id: "1", values, news });
  expect(at.said).toEqual([]);
});

test("a record that has another id now is not replaced", async () => {
  const { at } = await world({ seed: { websites: [{ id: 9, domain: "shop.example" }] } });
  const [values, news] = [{ domain: "shop.example" }, { domain: "new.example" }];
  const comparing = diffWithNotices({
    context: at,
    resource: website,
    verb: "compared",
    id: "1",
    values,
    news,
  });
  await expect(comparing).rejects.toThrow("has another id on the service now (id 9)");
});

test("a program that takes over the service's form of its domain has no change", async () => {
  const { at } = await world({ dialect: "newer" });
  const { id, state } = await create(at, { domain: "www.shop.example", privacy: "private" });
  for (const domain of ["shop.example", "www.shop.example"])
    expect(diff(website, state, { ...state, domain }), domain).toEqual({ changed: [], replaces: [] });
  const { state: after } = (await read(at, id, state)) ?? {};
  expect(diff(website, after ?? {}, { ...state, domain: "shop.example" }).changed).toEqual([]);
  expect(diff(website, state, { ...state, domain: "help.example" }).replaces).toEqual(["domain"]);
});
