import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runFile } from "../../../provider/hosts/run-file";
import { parseUrn } from "../../../provider/hosts/urn";
import { type Entry, Ledger } from "../../../provider/lifecycle/ledger";
import { ResourceLedger } from "../../../provider/lifecycle/resource-ledger";
import { pixel, website } from "../../../provider/resources";
import { type Resource, UNKNOWN, type Values } from "../../../provider/schema/resource";

const account = { baseUrl: "https://a.example", account: "a" };
const key = (name: string): Values => ({ domain: `${name}.example`, name });
const adopting = (name: string): Values => ({ ...key(name), adopt: true });
const urn = (name: string, parent = "") => `urn:pulumi:dev::shop::${parent}tracking:index:Pixel::${name}`;
const [A, B, C] = ["a", "b", "c"].map((name) => urn(name));
const nameOf = (each: string) => parseUrn(each).name;

/** The processes of one run, over one file. */
function begin() {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ledgers = new Map<string, Ledger>();
  const process = (writer: string, resource: Resource = pixel, place = account) => {
    const begun = () => new Ledger(runFile("127.0.0.1:1", { folder, parent: "this" }), nameOf);
    const ledger = ledgers.get(writer) ?? begun();
    ledgers.set(writer, ledger);
    return new ResourceLedger(ledger, resource, place);
  };
  return { a: process("a"), b: process("b"), process };
}

/** What steps are refused with, if they are. */
function refusal(steps: () => unknown): string | undefined {
  try {
    steps();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

type Steps = (
  ledger: ResourceLedger,
  own: string | undefined,
  id: string,
  olds: Values,
  news?: Values,
) => void;

/** A resource that exists is checked, and compared with its record. */
const stays: Steps = (ledger, own, id, olds, news = olds) => {
  ledger.declare(olds, news, own);
  ledger.assertCompared(id, news, "kept");
};

/** The engine replaces a resource: it checks it, compares it, and checks it as a new one. */
const replaces: Steps = (ledger, own, id, olds, news = olds) => {
  ledger.declare(olds, news, own);
  ledger.assertCompared(id, news, "left");
  ledger.declare({}, news, own);
};

/** The engine replaces a resource that would stay. */
const forced: Steps = (ledger, own, id, olds) => {
  stays(ledger, own, id, olds);
  ledger.declare({}, olds, own);
};

/** A resource that has the record. */
const has = (name: string) => `"${name}"`;

const failed = /was not deleted: "b" declares its name, and failed\. Correct or remove "b", and run/;
const TWICE = /declared twice/;
const OWNED = /belongs to/;

test.each(["b", "a"])(
  "a second declaration of a key is refused, whatever its spelling, by process %s after a",
  (second) => {
    const { process } = begin();
    const [a, b] = [process("a", website), process(second, website)];
    a.declare({}, { domain: "A.example." }, A);
    expect(() => b.declare({}, { domain: "a.example" }, B)).toThrow(
      /^website "a.example" is declared twice in this program, by "a" and "b"\. /,
    );
    const unknown = (own: string | undefined) => a.declare({}, { domain: UNKNOWN }, own);
    expect(refusal(() => [unknown(A), unknown(B)])).toBeUndefined();
  },
);

test.each([
  ["is new", (a: ResourceLedger) => a.declare({}, key("x"), A)],
  ["is not compared yet", (a: ResourceLedger) => a.declare(key("x"), key("x"), A)],
  ["keeps its record", (a: ResourceLedger) => stays(a, A, "1", key("x"))],
  ["is replaced by force", (a: ResourceLedger) => forced(a, A, "1", key("x"))],
])("a new resource with the key of one that %s is refused", (_says, first) => {
  const { a, b } = begin();
  expect(refusal(() => first(a))).toBeUndefined();
  expect(() => b.declare({}, key("x"), B)).toThrow(TWICE);
});

test("a resource that is replaced frees its key, and takes another", () => {
  const { a, b } = begin();
  replaces(a, A, "1", key("x"), key("y"));
  expect(() => b.declare({}, key("y"), B)).toThrow(TWICE);
  expect(refusal(() => b.declare({}, key("x"), B))).toBeUndefined();
});

test("a check that names no resource is of whichever declares the key, and that may be named later", () => {
  const { a, b } = begin();
  for (const own of [undefined, A, undefined]) a.declare(key("x"), key("x"), own);
  expect(() => b.declare({}, key("x"), B)).toThrow(/by "a" and "b"/);
  const other = begin().a;
  for (const own of [undefined, undefined]) stays(other, own, "1", key("x"));
  other.declare({}, key("x"), A);
  expect(other.beginDelete("1", key("x"))).toBeUndefined();
});

test("a name that another account's resource adopts holds back no delete", () => {
  const { a, process } = begin();
  stays(a, A, "7", key("z"));
  process("b", pixel, { ...account, account: "b" }).declare({}, adopting("x"), B);
  expect(a.beginDelete("1", key("x"))).toBeUndefined();
});

test("an id that two accounts have, since one of them has lost its record, is of both, but is deleted for neither", () => {
  const { a, process } = begin();
  const b = process("b", pixel, { ...account, account: "b" });
  stays(a, A, "7", key("x"));
  expect(refusal(() => stays(b, B, "7", key("y")))).toBeUndefined();
  expect([b.otherOwner("7", key("y")), a.otherOwner("7", key("x"))]).toEqual([undefined, undefined]);
  // It is replaced.
  a.declare({}, key("x"), A);
  expect([a.beginDelete("7", key("z")), b.beginDelete("7", key("z"))]).toEqual([has("b"), has("b")]);

  const other = begin();
  const c = other.process("c", pixel, { ...account, account: "c" });
  c.declare({}, key("y"), C);
  c.markMade("7", key("y"));
  expect(refusal(() => stays(other.a, A, "7", key("x")))).toBeUndefined();
  expect(refusal(() => c.assertAdoptable("7", key("y")))).toBeUndefined();
  expect(other.a.beginDelete("7", key("x"))).toBe(has("c"));
});

test("an id that two installations have is two records, of which each resource keeps its own, and one is deleted", () => {
  const { a, process } = begin();
  const b = process("b", pixel, { ...account, baseUrl: "https://b.example" });
  stays(b, B, "7", key("y"));
  expect(refusal(() => stays(a, A, "7", key("x")))).toBeUndefined();
  expect(b.otherOwner("7", key("y"))).toBeUndefined();
  // Its resource is replaced.
  a.declare({}, key("x"), A);
  expect(a.beginDelete("7", key("z"))).toBeUndefined();
});

test("two accounts, installations or kinds may each have a key, but not two accounts a key that is global", () => {
  const { process } = begin();
  process("a", website).declare({}, key("x"), A);
  expect(() => process("b", website, { ...account, account: "b" }).declare({}, key("x"), B)).toThrow(TWICE);
  const others = [
    process("a"),
    process("b", pixel, { ...account, account: "b" }),
    process("b", website, { ...account, baseUrl: "https://b.example" }),
  ];
  for (const [at, each] of others.entries())
    expect(refusal(() => each.declare({}, key("x"), urn(`${at}`)))).toBeUndefined();
});

test.each<[string, (a: ResourceLedger) => unknown]>([
  ["holds", (a) => stays(a, A, "1", key("x"))],
  ["adopts", (a) => [a.declare({}, adopting("x"), A), a.assertAdoptable("1", key("x"))]],
  ["has made", (a) => [a.declare({}, key("x"), A), a.markMade("1", key("x"))]],
])("what another %s is not adopted", (_does, does) => {
  const { a, b } = begin();
  does(a);
  expect(() => b.assertAdoptable("1", key("y"))).toThrow(/already belongs to "a"/);
  expect([b.otherOwner("1", key("y")), a.otherOwner("1", key("x"))]).toEqual(['"a"', undefined]);
  expect(refusal(() => b.assertAdoptable("2", key("y")))).toBeUndefined();
});

test("renaming in place is refused while a new resource adopts the old name, whoever is first", () => {
  const adopts = (b: ResourceLedger) => [
    b.declare({}, adopting("x"), B),
    b.assertAdoptable("1", adopting("x")),
  ];
  const one = begin();
  adopts(one.b);
  expect(() => stays(one.a, A, "1", key("x"), key("y"))).toThrow(/also belongs to "b"/);
  const other = begin();
  stays(other.a, A, "1", key("x"), key("y"));
  expect(() => adopts(other.b)).toThrow(OWNED);
});

test("who renames its pixel in place has the old name until it was compared, whoever wants to adopt that, and its record from then on", () => {
  const { a, b } = begin();
  a.declare(key("x"), key("y"), A);
  b.declare({}, adopting("x"), B);
  for (const event of ["claimed", "adopted"] as const)
    expect(() => b.assertAdoptable("1", adopting("x"), event)).toThrow(
      /^pixel "x" \(id 1\) already belongs to "a"\. Declare it in one resource only\./,
    );
  a.assertCompared("1", key("y"), "kept");
  expect(() => b.assertAdoptable("1", adopting("x"))).toThrow(OWNED);
  expect(refusal(() => b.assertAdoptable("2", adopting("x")))).toBeUndefined();
});

test("who changes a website's domain leaves its record to who adopts the old one, also before it was compared", () => {
  const { process } = begin();
  const [a, b] = [process("a", website), process("b", website)];
  a.declare(key("x"), key("y"), A);
  b.declare({}, adopting("x"), B);
  expect(refusal(() => b.assertAdoptable("1", adopting("x")))).toBeUndefined();
});

test("what a resource has in state it keeps, though another has announced to adopt it, and both are told", () => {
  const { a, b } = begin();
  b.declare({}, adopting("new"), B);
  b.assertAdoptable("1", adopting("new"), "claimed");
  expect(() => stays(a, A, "1", key("old"))).toThrow(
    /^pixel "old" \(id 1\) is to be adopted by "b" too\. Run "pulumi up --refresh" without "b", then with it$/,
  );
  expect(() => b.assertAdoptable("1", adopting("new"))).toThrow(/already belongs to "a"/);
  expect(b.beginDelete("1", key("old"))).toBe(has("a"));
});

test.each([
  [stays, stays],
  [stays, replaces],
  [replaces, stays],
])("two that state gives one record are not both kept, nor is one replaced: %o, %o", (one, two) => {
  const { a, b } = begin();
  one(a, A, "1", key("x"), key("z"));
  expect(() => two(b, B, "1", key("x"), key("y"))).toThrow(OWNED);
});

test("what a resource leaves, another adopts, and keeps; two may swap", () => {
  const { a, b } = begin();
  replaces(a, A, "1", key("x"), adopting("y"));
  a.assertAdoptable("2", adopting("y"));
  replaces(b, B, "2", key("y"), adopting("x"));
  b.assertAdoptable("1", adopting("x"));
  expect([a.beginDelete("1", key("x")), b.beginDelete("2", key("y"))]).toEqual([has("b"), has("a")]);
});

test("what is being deleted is not adopted, and its id may be made again", () => {
  const { a, b } = begin();
  expect(a.beginDelete("1", key("x"))).toBeUndefined();
  expect(() => b.assertAdoptable("1", key("x"))).toThrow(
    /^pixel "x" \(id 1\) is being deleted in this run\. Run the same command again$/,
  );
  expect(() => stays(b, B, "1", key("y"))).toThrow(
    /^pixel "y" \(id 1\) is being deleted in this run\. Run the same command again$/,
  );
  b.declare({}, adopting("x"), B);
  expect(a.beginDelete("1", key("x")), "once more").toBeUndefined();
  b.markMade("1", key("x"));
  expect(a.beginDelete("1", key("x"))).toEqual(has("b"));
});

test("a refresh, which compares before anything is checked, or another resource's key, holds nothing", () => {
  const { a, b } = begin();
  a.assertCompared("1", key("x"), "kept");
  stays(a, A, "2", key("x"));
  b.assertCompared("1", key("x"), "kept");
  expect(refusal(() => b.assertAdoptable("1", key("y")))).toBeUndefined();
});

const waits =
  /was not deleted: "b" declares its name, and has no record yet\. Run "pulumi up --refresh" without "b", then/;
const declaresIt = /was not deleted: "b" declares its name, and may keep it\. Run/;
// What another resource has done, and what then comes of the delete of a record.
test.each<[string, (b: ResourceLedger, a: ResourceLedger) => unknown, unknown]>([
  ["that another has made", (b) => [b.declare({}, key("y"), B), b.markMade("1", key("y"))], has("b")],
  [
    "that another has adopted",
    (b) => [b.declare({}, key("y"), B), b.assertAdoptable("1", key("y"))],
    has("b"),
  ],
  [
    "that another is to adopt",
    (b, a) => [
      replaces(a, A, "1", key("x"), key("z2")),
      b.declare({}, adopting("x"), B),
      b.assertAdoptable("1", adopting("x"), "claimed"),
    ],
    waits,
  ],
  [
    "that its resource is to adopt, replaced by force",
    (b) => [forced(b, B, "1", key("x")), b.assertAdoptable("1", key("x"), "claimed")],
    undefined,
  ],
  [
    "that another was to adopt, and has adopted",
    (b) => [
      b.declare({}, adopting("x"), B),
      b.assertAdoptable("1", key("x"), "claimed"),
      b.assertAdoptable("1", key("x")),
    ],
    has("b"),
  ],
  [
    "that another is to adopt, which has failed before",
    (b, a) => [
      replaces(a, A, "1", key("x"), key("z2")),
      b.declare({}, adopting("x"), B),
      b.markFailed(key("x")),
      b.assertAdoptable("1", adopting("x"), "claimed"),
    ],
    waits,
  ],
  [
    "that another is to adopt, and whose resource is declared no more",
    (b) => [b.declare({}, adopting("x"), B), b.assertAdoptable("1", key("x"), "claimed")],
    /was not deleted: "b" is to adopt it\. Correct what stopped "b", and run "pulumi up" again\. If "b" itself is replaced, take/,
  ],
  ["that another keeps", (b) => stays(b, B, "1", key("x")), has("b")],
  [
    "whose key a new one declares that adopts, and its own resource leaves",
    (b, a) => [replaces(a, A, "1", key("x"), key("y")), b.declare({}, adopting("x"), B)],
    waits,
  ],
  [
    "that another was to adopt, and has made another",
    (b) => [
      b.declare({}, adopting("x"), B),
      b.assertAdoptable("1", key("x"), "claimed"),
      b.markMade("2", key("x")),
    ],
    undefined,
  ],
  [
    "whose key a new one declares that has made another",
    (b) => [b.declare({}, adopting("x"), B), b.markMade("2", key("x"))],
    undefined,
  ],
  [
    "whose key a new one declares that has adopted another",
    (b) => [b.declare({}, adopting("x"), B), b.assertAdoptable("2", key("x"))],
    undefined,
  ],
  [
    "whose key one declares that failed",
    (b) => [b.declare({}, adopting("x"), B), b.markFailed(key("x"))],
    failed,
  ],
  [
    "that one was to adopt which then failed",
    (b) => [
      b.declare({}, adopting("x"), B),
      b.assertAdoptable("1", key("x"), "claimed"),
      b.markFailed(key("x")),
    ],
    failed,
  ],
  [
    "that one adopted and could not change",
    (b) => [b.declare({}, adopting("x"), B), b.assertAdoptable("1", key("x")), b.markFailed(key("x"))],
    has("b"),
  ],
  ["whose key one declares that is not compared", (b) => b.declare(key("x"), key("x"), B), declaresIt],
  ["whose key nobody declares", () => undefined, undefined],
  [
    "whose key a new one declares that does not adopt",
    (b, a) => [replaces(a, A, "1", key("x"), key("y")), b.declare({}, key("x"), B)],
    waits,
  ],
  [
    "whose key one declares that leaves another record",
    (b, a) => [replaces(a, A, "1", key("x"), key("y")), replaces(b, B, "2", key("z"), key("x"))],
    waits,
  ],
  ["whose key another declares that has another record", (b) => stays(b, B, "2", key("x")), undefined],
  ["whose key its resource gives up", (b) => replaces(b, B, "1", key("x"), key("y")), undefined],
  ["whose key its resource declares, replaced by force", (b) => forced(b, B, "1", key("x")), undefined],
  ["whose key its resource declares, replaced without a look", (b) => b.declare({}, key("x"), B), undefined],
])("of a record %s, a delete ends as it must", (_says, before, end) => {
  const { a, b } = begin();
  b.declare({}, adopting("z"), C);
  b.assertAdoptable("3", adopting("z"));
  before(b, a);
  if (end instanceof RegExp) expect(() => a.beginDelete("1", key("x"))).toThrow(end);
  else expect(a.beginDelete("1", key("x"))).toEqual(end);
});

test("once a create has failed, a delete is an error only if that has its key, until a retry has made another", () => {
  const { a, b } = begin();
  b.declare({}, key("x"), B);
  b.markFailed(key("x"));
  expect(() => a.beginDelete("1", key("x"))).toThrow(failed);
  expect(a.beginDelete("2", key("z"))).toBeUndefined();
  b.markMade("3", key("x"));
  expect(a.beginDelete("1", key("x"))).toBeUndefined();
});

test("without the run's file, nothing new is declared, adopted or deleted", () => {
  const exchange = () => {
    throw new Error("no room");
  };
  const ledger = new ResourceLedger(new Ledger(exchange, nameOf), pixel, account);
  const because = /is unknown, because no room$/;
  expect(() => ledger.declare({}, key("x"), A)).toThrow(
    /^pixel "x" was not checked for a second resource with its name: no room$/,
  );
  ledger.markMade("2", key("x"));
  expect(() => ledger.assertAdoptable("2", key("z"))).toThrow(OWNED);
  expect(() => ledger.assertAdoptable("1", key("z"))).toThrow(because);
  expect(() => ledger.beginDelete("3", key("x"))).toThrow(because);
});

test("a new pixel leaves no name, and one that is renamed leaves its old one", () => {
  const entries: object[] = [];
  const exchange = (entry: Entry) => {
    entries.push(entry);
    return [entry];
  };
  const ledger = new ResourceLedger(new Ledger(exchange, nameOf), pixel, account);
  ledger.declare({}, key("a"), A);
  ledger.declare(key("b"), key("c"), B);
  expect(entries.map((entry) => "oldKey" in entry)).toEqual([false, true]);
});
