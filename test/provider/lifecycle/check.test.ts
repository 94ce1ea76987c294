import { expect, test } from "vitest";
import type { Notice } from "../../../provider/lifecycle";
import { announceChanges, check } from "../../../provider/lifecycle/check";
import { pixel, website } from "../../../provider/resources";
import { UNKNOWN, type Values } from "../../../provider/schema/resource";
import { world } from "../harness";

const olds = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };

async function notices(news: Values, before: Values = olds) {
  const said: string[] = [];
  const groupKeys: string[] = [];
  const notify = ({ text, groupKey }: Notice) => {
    said.push(text);
    groupKeys.push(groupKey);
  };
  const checked = await check({ resource: website, notify, context: undefined }, before, news);
  // As when it is compared with its record.
  if (before.domain !== undefined && checked.refusals.length === 0)
    announceChanges(website, notify, before, checked.values);
  return { said, groupKeys, ...checked };
}
const said = async (...given: Parameters<typeof notices>) => (await notices(...given)).said;

test("nothing changes and nothing is said", async () => {
  expect(await said(olds)).toEqual([]);
  expect(await said({ ...olds, domain: "SHOP.example." })).toEqual([]);
  expect(await said({ ...olds, emailReports: true, excludeBots: false })).toEqual([]);
});

test("values that a new record could not have are refused, unless the record is imported", async () => {
  const news = { domain: "shop.example", privacy: "password" };
  const given = { resource: website, notify: () => {}, context: undefined };
  expect((await check(given, {}, news)).refusals).toEqual([
    ['password is needed for a website whose privacy is "password"'],
  ]);
  const mistyped = await check({ ...given, resource: pixel }, {}, { name: "A", type: "bings", value: "1" });
  expect(mistyped.refusals).toEqual([[expect.stringMatching(/did you mean "bing"\?$/)]]);
  expect((await check({ ...given, isImporting: true }, {}, news)).refusals).toEqual([]);
});

test("what is imported is declared like any other, and a second declaration that is refused says nothing of the first resource", async () => {
  const { at } = await world();
  const given = { resource: website, notify: () => {}, context: at };
  const checked = (urn: string, isImporting: boolean) => check({ ...given, isImporting }, {}, olds, urn);
  expect((await checked("a", true)).refusals).toEqual([]);
  for (const isImporting of [true, false])
    expect((await checked("b", isImporting)).refusals).toEqual([
      [expect.stringContaining("is declared twice in this program"), expect.any(String)],
    ]);
  // The first one is replaced by force, which deletes its record.
  expect(at.ledger.beginDelete("7", olds)).toBeUndefined();
});

test("a new resource asks the service nothing, unless it may adopt a record", async () => {
  const { at, control } = await world();
  const given = { resource: website, notify: () => {}, context: at };
  await check(given, {}, { domain: "new.example" }, "a");
  expect(control.requests()).toEqual([]);
  await check(given, {}, { domain: "other.example", adopt: true }, "b");
  expect(control.requests()).not.toEqual([]);
});

test("a page that comes to ask for a password which the program does not give is said, since the service may have none", async () => {
  const news = { ...olds, privacy: "password" };
  expect(await said(news)).toEqual([
    'website "shop.example": password is needed for a website whose privacy is "password"; unless the service has one, give it in the program',
  ]);
  expect(await said({ ...news, password: UNKNOWN })).not.toContainEqual(expect.stringContaining("needed"));
  expect(await said(news, { ...olds, password: "p" })).toEqual([]);
  expect(await said(news, news)).toEqual([]);
});

test("a website that becomes public is said, including a new one", async () => {
  expect(await said({ ...olds, privacy: "public" })).toEqual([
    'website "shop.example": its statistics page becomes public',
  ]);
  expect(await said({ ...olds, privacy: "public" }, {})).toHaveLength(1);
  expect((await notices({ ...olds, privacy: "public" })).groupKeys).toEqual([
    "its statistics page becomes public",
  ]);
  for (const privacy of ["public", "private"])
    expect(await said({ ...olds, privacy }, { ...olds, privacy: "public" })).toEqual([]);
});

test("a list that is emptied or dropped is said", async () => {
  const before = { ...olds, excludeIps: ["192.0.2.7"], excludeParams: ["ref"] };
  expect(await said({ ...olds, excludeIps: [] }, before)).toEqual([
    'website "shop.example": its excludeParams will be emptied',
    'website "shop.example": its excludeIps will be emptied',
  ]);
  for (const excludeIps of [[UNKNOWN], ["192.0.2.8"]])
    expect(await said({ ...before, excludeIps }, before)).toEqual([]);
  expect(await said({ ...olds, excludeIps: [] }, { ...olds, excludeIps: [] })).toEqual([]);
});

test("a password that changes is said without its text", async () => {
  const before = { ...olds, password: "old-canary" };
  const lines = await said({ ...olds, password: "new-canary" }, before);
  expect(lines).toEqual(['website "shop.example": its password changes']);
  expect(await said({ ...olds, password: "old-canary" }, before)).toEqual([]);
  expect(await said({ ...olds, password: "new-canary" })).toEqual([]);
  expect(await said(olds, before)).toEqual([]);
});

test("where the arguments are wrong, it is refused without a notice", async () => {
  const { said: lines, refusals } = await notices({ ...olds, domain: "new.example", privacy: "odd" });
  expect(lines).toEqual([]);
  expect(refusals).toHaveLength(1);
});
