import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ledgerAt, runFile } from "../../../provider/hosts/run-file";
import { Ledger, ResourceLedger } from "../../../provider/lifecycle";
import { pixel, website } from "../../../provider/resources";
import { type Resource, UNKNOWN, type Values } from "../../../provider/schema/resource";

const account = { baseUrl: "https://a.example", account: "a" };
const key = (name: string): Values => ({ domain: `${name}.example`, name });
const adopting = (name: string): Values => ({ ...key(name), adopt: true });
const B = { urn: "urn", name: "b" };

/** The processes of one run, over one file; without a file, one process under several names. */
function run(kind: "one process" | "two processes") {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  const shared = ledgerAt(undefined, () => {});
  const ledgers = new Map<string, Ledger>();
  return (writer: string, resource: Resource = pixel, place = account) => {
    const ledger =
      ledgers.get(writer) ??
      (kind === "one process"
        ? shared
        : new Ledger(
            runFile("127.0.0.1:1", () => {}, { folder, engine: "this" }),
            randomUUID,
          ));
    ledgers.set(writer, ledger);
    return new ResourceLedger(ledger, resource, place);
  };
}

/** A resource that exists is checked, and compared with its record. */
function stays(ledger: ResourceLedger, id: string, olds: Values, news = olds) {
  return ledger.declare(olds, news, {}) ?? ledger.compare(id, news, false);
}

/** The engine replaces a resource: it checks it, compares it, and checks it as a new one. */
function replaces(ledger: ResourceLedger, id: string, olds: Values, news: Values) {
  return ledger.declare(olds, news, {}) ?? ledger.compare(id, news, true) ?? ledger.declare({}, news, {});
}

/** What is returned if another resource is in the way. */
const OTHER = expect.anything();
const NAMED = expect.objectContaining({ name: B.name });

/** The engine replaces a resource that would stay. */
function forced(ledger: ResourceLedger, id = "1"): void {
  ledger.declare(key("x"), key("x"), B);
  ledger.compare(id, key("x"), false);
  ledger.declare({}, key("x"), B);
}

describe.each(["one process", "two processes"] as const)("in %s", (kind) => {
  const begin = () => {
    const process = run(kind);
    return { a: process("a"), b: process("b"), process };
  };

  test("a second declaration of a key is refused, whatever its spelling", () => {
    const { process } = begin();
    expect(process("a", website).declare({}, { domain: "A.example." }, {})).toBeUndefined();
    expect(process("b", website).declare({}, { domain: "a.example" }, {})).toEqual(OTHER);
    const unknown = () => process("a", website).declare({}, { domain: UNKNOWN }, {});
    expect([unknown(), unknown()]).toEqual([undefined, undefined]);
  });

  test("a new resource with the key of one that keeps its record is refused", async () => {
    const { a, b } = begin();
    stays(a, "1", key("x"));
    await b.heldIsGone(key("x"), async () => false);
    expect(b.declare({}, key("x"), {})).toEqual(OTHER);
  });

  test("a resource that is replaced is checked twice, and a third declaration is refused", async () => {
    const { a, b } = begin();
    expect(replaces(a, "1", key("x"), key("y"))).toBeUndefined();
    expect(b.declare({}, key("y"), {})).toEqual(OTHER);
    expect(b.declare({}, key("x"), {})).toBeUndefined();
    // The engine replaces for reasons of its own: without a comparison, as with replaceWith, …
    const { a: other } = begin();
    other.declare(key("x"), key("x"), {});
    expect(other.declare({}, key("x"), {})).toBeUndefined();
    // … and with one, after a run that ended between the delete and the create.
    stays(other, "2", key("y"));
    await other.heldIsGone(key("y"), async () => true);
    expect(other.declare({}, key("y"), {})).toBeUndefined();
  });

  test("a host that knows URNs tells every resource by its own, and names both", () => {
    const { a, b } = begin();
    const [one, two] = ["one", "two"].map((parent) => ({ urn: `urn::${parent}::child`, name: "child" }));
    expect(a.declare({}, key("x"), one ?? {})).toBeUndefined();
    a.take("1", key("x"));
    expect(a.declare({}, key("x"), one ?? {})).toBeUndefined();
    expect(a.declare({}, key("x"), two ?? {})).toMatchObject({ name: "child" });
    expect(b.take("1", key("y"))).toMatchObject({ name: "child" });
  });

  test("two accounts, installations or kinds may each have a key, but not two accounts a key that is global", () => {
    const { process } = begin();
    expect(process("a", website).declare({}, key("x"), {})).toBeUndefined();
    expect(process("b", website, { ...account, account: "b" }).declare({}, key("x"), {})).toEqual(OTHER);
    const others = [
      process("b", pixel, { ...account, account: "b" }),
      process("b", website, { ...account, baseUrl: "https://b.example" }),
    ];
    for (const each of [process("a"), ...others]) expect(each.declare({}, key("x"), {})).toBeUndefined();
  });

  test.each<[string, (a: ResourceLedger) => unknown]>([
    ["holds", (a) => stays(a, "1", key("x"))],
    ["adopts", (a) => a.take("1", key("x"))],
    ["has made", (a) => a.made("1", key("x"))],
  ])("what another %s is neither adopted nor kept as made", (_does, does) => {
    const { a, b } = begin();
    does(a);
    expect([b.take("1", key("y")), b.made("1", key("y")), b.other("1", key("y"))]).toEqual(
      Array(3).fill(OTHER),
    );
    expect([a.other("1", key("x")), b.take("2", key("y"))]).toEqual([undefined, undefined]);
  });

  test("renaming in place is refused while a new resource adopts the old name, whoever is first", () => {
    const one = begin();
    one.b.declare({}, adopting("x"), {});
    one.b.take("1", adopting("x"));
    expect(stays(one.a, "1", key("x"), key("y"))).toEqual(OTHER);
    const other = begin();
    stays(other.a, "1", key("x"), key("y"));
    other.b.declare({}, adopting("x"), {});
    expect(other.b.take("1", adopting("x"))).toEqual(OTHER);
  });

  test.each([
    [stays, stays],
    [stays, replaces],
    [replaces, stays],
  ])("two that state gives one record are not both kept, nor is one replaced: %o, %o", (one, two) => {
    const { a, b } = begin();
    expect(one(a, "1", key("x"), key("z"))).toBeUndefined();
    expect(two(b, "1", key("x"), key("y"))).toEqual(OTHER);
  });

  test("what another leaves is adopted, also if each takes what the other leaves", () => {
    const { a, b } = begin();
    expect(replaces(a, "1", key("x"), adopting("y"))).toBeUndefined();
    expect(a.take("2", adopting("y"))).toBeUndefined();
    expect(replaces(b, "2", key("y"), adopting("x"))).toBeUndefined();
    expect(b.take("1", adopting("x"))).toBeUndefined();
    expect([a.release("1", key("x")), b.release("2", key("y"))]).toEqual([OTHER, OTHER]);
  });

  test("what is being deleted is not adopted, and its id may be made again", () => {
    const { a, b } = begin();
    expect(a.release("1", key("x"))).toBeUndefined();
    expect(b.take("1", key("x"))).toEqual({});
    expect(b.made("1", key("x"))).toBeUndefined();
    expect(a.release("1", key("x"))).toEqual(OTHER);
  });

  test("a refresh, which compares before anything is checked, holds nothing", () => {
    const { a, b } = begin();
    expect(a.compare("1", key("x"), false)).toBeUndefined();
    expect(b.take("1", key("y"))).toBeUndefined();
  });

  const declaresIt = /was not deleted: "b" declares its name, and may keep it; run/;
  // What another resource has done, and what then comes of the delete of a record.
  test.each<[string, (b: ResourceLedger) => unknown, unknown]>([
    ["that another has made", (b) => b.made("1", key("y")), OTHER],
    ["that another has adopted", (b) => [b.take("1", key("y")), forced(b, "2")], OTHER],
    ["that another keeps", (b) => stays(b, "1", key("x")), OTHER],
    ["whose key a new one declares that adopts", (b) => b.declare({}, adopting("x"), B), NAMED],
    ["whose key one declares that is not compared", (b) => b.declare(key("x"), key("x"), B), declaresIt],
    ["whose key nobody declares", () => undefined, undefined],
    ["whose key a new one declares that does not adopt", (b) => b.declare({}, key("x"), {}), undefined],
    ["whose key another declares that has another record", (b) => stays(b, "2", key("x")), undefined],
    ["whose key its resource gives up", (b) => replaces(b, "1", key("x"), key("y")), undefined],
    ["whose key its resource declares, replaced by force", (b) => forced(b), undefined],
  ])("of a record %s, a delete ends as it must", (_says, before, end) => {
    const { a, b } = begin();
    b.take("3", key("z"));
    before(b);
    if (end instanceof RegExp) expect(() => a.release("1", key("x"))).toThrow(end);
    else expect(a.release("1", key("x"))).toEqual(end);
  });

  test("a record stays that another has adopted by another address of the service", () => {
    const { a, process } = begin();
    process("b", pixel, { ...account, baseUrl: "http://localhost" }).take("1", key("x"));
    expect(a.release("1", key("x"))).toEqual(OTHER);
    expect(a.release("1", key("y")), "another record of another installation").toBeUndefined();
  });

  test("a delete is an error while a new resource with its key was refused, also one with another key or address", () => {
    for (const other of [{}, { account: "b" }, { baseUrl: "http://localhost" }]) {
      const { a, process } = begin();
      const b = process("b", pixel, { ...account, ...other });
      b.declare({}, key("x"), {});
      b.refuse("1", key("x"));
      expect(() => a.release("1", key("x"))).toThrow(/was not deleted: a new resource .* was refused/);
      expect(a.release("2", key("x"))).toBeUndefined();
    }
  });
});

test("without the run's file, one process still refuses what it knows, and neither adopts nor deletes anything", () => {
  const exchange = () => {
    throw new Error("the run's file /run can't be used (full)");
  };
  const ledger = new ResourceLedger(new Ledger(exchange, randomUUID), pixel, account);
  expect(ledger.declare({}, key("x"), {})).toBeUndefined();
  expect(ledger.declare({}, key("x"), {})).toEqual(OTHER);
  ledger.made("2", key("x"));
  expect(ledger.take("2", key("z"))).toEqual(OTHER);
  expect(() => ledger.take("1", key("z"))).toThrow(
    /was not adopted: .* is unknown, because the run's file \/run can't be used \(full\)/,
  );
  expect(() => ledger.release("3", key("x"))).toThrow(/was not deleted: .* is unknown/);
  expect(() => ledger.release("4", key("nobody's"))).toThrow(/was not deleted: .* is unknown/);
});
