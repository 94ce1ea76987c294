import { describe, expect, test } from "vitest";
import { ownJournal } from "../../../provider/hosts/journal";
import { Claims, type Options, Ownership } from "../../../provider/lifecycle";
import type { Entry, Event } from "../../../provider/lifecycle/journal";
import { pixel, website } from "../../../provider/resources";
import type { Resource, Values } from "../../../provider/schema/resource";
import { plainOptions } from "../harness";

const account = { baseUrl: "https://a.example", key: "key-of-a" };
const domain = (name: string): Values => ({ domain: `${name}.example` });
const label = (name: string): Values => ({ name });

/** A run of several processes; every event is told to all of them. */
function run({ destroys = false } = {}) {
  const told: Entry[] = [];
  const dead = new Set<string>();
  let first: (() => void) | undefined;
  const process = (writer: string, resource: Resource = website, place = account) => {
    let seen = 0;
    const read = () => {
      const news = told.slice(seen);
      seen = told.length;
      return news;
    };
    const ownership = new Ownership({
      writer,
      append: (event: Event) => {
        const act = first;
        first = undefined;
        act?.();
        told.push({ event, writer });
      },
      read,
      isAlive: (other) => !dead.has(other),
      changed: async () => told.length > seen,
    });
    return new Claims(ownership, resource, place, () => destroys);
  };
  /** Lets something happen just before the next event is told. */
  const beforeNext = (act: () => void) => {
    first = act;
  };
  return { process, beforeNext, end: (writer: string) => dead.add(writer) };
}

const as = (name: string, more: Partial<Options> = {}): Options => ({
  ...plainOptions,
  name,
  token: name,
  ...more,
});

describe("a key", () => {
  test("is declared once: the second resource is refused by both names, in whatever spelling and process", () => {
    const { process } = run();
    expect(process("one").check({}, { domain: "A.example." }, as("first"))).toBeUndefined();
    const said = process("two").check({}, { domain: "a.example" }, as("second"));
    expect(said).toBe(
      'is declared twice in this program, by "first" and "second"; two resources can\'t share one record',
    );
  });

  test("is refused to both where the program has declared both before either is checked", () => {
    const { process } = run();
    for (const name of ["first", "second"]) process("program").declared(domain("a"), name, name, true);
    for (const name of ["first", "second"])
      expect(process("one").check({}, domain("a"), as(name))).toContain("is declared twice");
  });

  test("is declared and ended by a program that reads nothing of the journal, however many others tell", () => {
    const told: Event[] = [];
    const read = () => {
      throw new Error("read");
    };
    const journal = { ...ownJournal(), append: (event: Event) => void told.push(event), read };
    const program = new Claims(new Ownership(journal), website, account, () => false);
    program.declared(domain("a"), "a", "a", true);
    program.ended("a");
    expect(told.map(({ is }) => is)).toEqual(["declared", "ended"]);
  });

  test("is refused also where the engine asks for the second one alone", () => {
    const { process } = run();
    process("program").declared(domain("a"), "first", "first", true);
    expect(process("one").check({}, domain("a"), as("second"))).toContain('"first" and "second"');
  });

  test("may be declared in two accounts, and at two installations", () => {
    const { process } = run();
    for (const [at, place] of [
      account,
      { ...account, key: "key-of-b" },
      { ...account, baseUrl: "https://b.example" },
    ].entries())
      expect(process(`${at}`, pixel, place).check({}, label("GA"), as(`p${at}`))).toBeUndefined();
  });

  test("may be declared again by a run that follows, whatever is left of the one before", () => {
    const { process, end } = run();
    process("one").check({}, domain("a"), as("first"));
    end("one");
    expect(process("two").check({}, domain("a"), as("second"))).toBeUndefined();
  });

  test("is free for another once its resource has a new one", () => {
    const claims = run().process("one", pixel);
    claims.declared(label("GA"), "p1", "p1", true);
    claims.check(label("GA"), label("GB"), as("p1"));
    expect(claims.check({}, label("GA"), as("p2"))).toBeUndefined();
  });

  test("is made by one create at a time, and by another after that has failed", () => {
    const { process } = run();
    const [one, two] = [process("one"), process("two")];
    expect([one.begin(domain("a")), two.begin(domain("a")), one.begin(domain("a"))]).toEqual([
      true,
      false,
      false,
    ]);
    one.failed(domain("a"));
    expect(two.begin(domain("a"))).toBe(true);
  });
});

describe("a record", () => {
  test("is taken once, whichever process asks, and with whichever key of the API", () => {
    const { process } = run();
    const other = process("two", website, { ...account, key: "key-of-b" });
    expect(process("one").take("7", domain("a"))).toBe(true);
    expect(other.take("7", domain("a"))).toBe(false);
    expect(other.made("7", domain("a"))).toBe(false);
    expect(process("one", pixel).take("7", label("GA"))).toBe(true);
  });

  test("that a declared resource holds is not taken, and not made", () => {
    const claims = run().process("one");
    claims.check(domain("a"), domain("a"), as("shop"));
    claims.compared("7", domain("a"), false);
    expect(claims.standing("7", domain("b"))).toEqual({ is: "held", by: "shop" });
    expect([claims.take("7", domain("b")), claims.made("7", domain("b"))]).toEqual([false, false]);
  });

  test("is held by nobody whom only a refresh has compared", () => {
    const claims = run().process("one");
    claims.compared("7", domain("a"), false);
    expect(claims.leave("7", domain("a"))).toBeUndefined();
  });

  test("that was taken or made is not deleted by the same run, whichever process is asked", () => {
    for (const is of ["take", "made"] as const) {
      const { process } = run();
      process("one").check({}, domain("a"), as("new"));
      process("one")[is]("7", domain("a"));
      expect(process("two").leave("7", domain("a"))).toEqual({ name: "new" });
    }
  });

  test("that is held is not deleted for a resource that is no longer declared", () => {
    const { process } = run();
    process("one").check(domain("a"), domain("a"), as("new"));
    process("one").compared("7", domain("a"), false);
    expect(process("two").leave("7", domain("a"))).toEqual({ name: "new" });
  });

  test("is kept while its key is declared, also by a resource that the engine leaves out", () => {
    const { process } = run();
    process("program").declared(domain("a"), "new", "new", true);
    expect(process("one").leave("7", domain("a"))).toEqual({ name: "new" });
    expect(process("one").leave("8", domain("b"))).toBeUndefined();
  });

  test("is kept also where a run that has ended knew another of that key", () => {
    const { process, end } = run({ destroys: true });
    const old = process("old");
    old.check(domain("a"), domain("a"), as("old"));
    old.compared("8", domain("a"), false);
    end("old");
    const claims = process("one");
    process("program").declared(domain("a"), "new", "new", true);
    claims.check({}, domain("b"), as("other"));
    expect(claims.leave("7", domain("a"))).toEqual({ name: "new" });
    const next = run({ destroys: true });
    next.process("old").check({}, domain("b"), as("old"));
    next.end("old");
    next.process("program").declared(domain("a"), "shop", "shop", true);
    expect(next.process("one").leave("7", domain("a")), "a destroy").toBeUndefined();
  });

  test("goes where the resource that declares its key has another", () => {
    const claims = run().process("one");
    claims.check(domain("a"), domain("a"), as("shop"));
    claims.compared("8", domain("a"), false);
    expect(claims.leave("7", domain("a"))).toBeUndefined();
  });

  test("goes where its own resource is replaced by force", () => {
    const claims = run().process("one");
    claims.check(domain("a"), domain("a"), as("shop"));
    claims.compared("7", domain("a"), false);
    claims.check({}, domain("a"), as("shop"));
    expect(claims.leave("7", domain("a"))).toBeUndefined();
  });

  test("stays where its own resource is replaced, and would adopt it: then that takes it over", () => {
    for (const compares of [true, false]) {
      const { process } = run();
      const [old, next] = [process("old"), process("next")];
      old.check(domain("a"), domain("a"), as("shop", { deleteBeforeReplace: true }));
      if (compares) old.compared("7", domain("a"), false);
      next.check({}, { ...domain("a"), adopt: true }, as("shop", { deleteBeforeReplace: true }));
      expect(old.leave("7", domain("a"))).toEqual({ name: "shop" });
      expect(next.take("7", domain("a"))).toBe(true);
    }
  });

  test("goes where the engine was told to replace its resource, which is then checked as a new one; not where that adopts, or was begun", () => {
    const claims = run().process("one");
    claims.check({}, domain("a"), as("shop"));
    expect(claims.leave("7", domain("a"))).toBeUndefined();
    claims.check({}, { ...domain("b"), adopt: true }, as("blog"));
    expect(claims.leave("8", domain("b"))).toEqual({ name: "blog" });
    claims.check({}, domain("c"), as("docs"));
    claims.begin(domain("c"));
    claims.failed(domain("c"));
    expect(claims.leave("9", domain("c"))).toEqual({ name: "docs" });
  });

  test("that is taken at the last moment is not deleted", () => {
    const ownership = new Ownership(ownJournal());
    for (const is of ["taken", "deleting"] as const) ownership.tell({ is, id: "7", key: "a" });
    expect([ownership.isDeleting("7"), ownership.has("7", "a")]).toEqual([false, true]);
  });

  test("is kept where this run took it over by another address of its service", () => {
    const { process } = run();
    const other = process("two", website, { ...account, baseUrl: "https://127.0.0.1" });
    other.check({}, { ...domain("a"), adopt: true }, as("new"));
    other.take("7", domain("a"));
    expect(process("one").leave("7", { domain: "A.example" })).toEqual({ name: "new" });
    expect(process("one").leave("8", domain("a"))).toBeUndefined();
    expect(process("one").leave("7", domain("b"))).toBeUndefined();
  });

  test("that its resource leaves is kept for another that has it too, also where the engine leaves that out", () => {
    const { process } = run();
    const [program, one] = [process("program"), process("one")];
    program.declared(domain("a"), "rest", "rest", true);
    one.check(domain("a"), domain("z"), as("shop"));
    one.compared("7", domain("z"), true);
    program.ended("rest");
    expect(one.leave("7", domain("a"))).toEqual({ name: "rest" });
    one.check(domain("a"), domain("a"), as("rest"));
    expect(one.leave("7", domain("a"))).toEqual({ name: "rest" });
    one.check({}, domain("a"), as("rest"));
    expect(one.leave("7", domain("a")), "one that is replaced").toBeUndefined();
  });

  test.each([
    ["the one that declares its key would take it over", [true, false], { name: "rest" }],
    ["the one that moves away would take a record over", [false, true], { name: "rest" }],
    ["neither would", [false, false], { name: "rest" }],
  ])(
    "that its resource leaves, and whose key another one declares that is not checked yet, since it waits: where %s",
    (_says, [theirs, mine], keeper) => {
      const { process } = run();
      const [program, one] = [process("program"), process("one")];
      program.declared({ ...domain("a"), adopt: theirs }, "rest", "rest", false);
      one.check(domain("a"), { ...domain("z"), adopt: mine }, as("shop", { deleteBeforeReplace: true }));
      one.compared("7", domain("z"), true);
      expect(one.leave("7", domain("a"))).toEqual(keeper);
      if (keeper !== undefined) expect(process("two").standing("7", domain("a")).is, "kept").toBe("free");
    },
  );

  test("that another resource holds is not the one's that was declared with its key alone", () => {
    const { process } = run();
    const one = process("one");
    one.check(domain("a"), domain("a"), as("rest"));
    one.compared("8", domain("a"), false);
    one.check(domain("a"), domain("z"), as("shop"));
    one.compared("7", domain("z"), true);
    expect(one.leave("7", domain("a"))).toBeUndefined();
  });

  test("that its resource leaves is kept for one that has it too by another key of the API, whichever is checked first", () => {
    for (const first of ["leaves", "has"]) {
      const { process } = run();
      const [one, two] = [process("one"), process("two", website, { ...account, key: "key-of-b" })];
      const leave = () => {
        one.check(domain("a"), domain("z"), as("shop"));
        one.compared("7", domain("z"), true);
      };
      if (first === "leaves") leave();
      two.check(domain("a"), domain("a"), as("rest"));
      expect(two.compared("7", domain("a"), false)).toBe("held");
      if (first === "has") leave();
      expect(one.leave("7", domain("a")), first).toEqual({ name: "rest" });
    }
  });

  test("that another resource renames is kept, unless that one is replaced", () => {
    const { process } = run();
    const [one, two] = [process("one", pixel), process("two", pixel)];
    two.check(label("GA"), label("GB"), as("p2"));
    two.compared("7", label("GB"), false);
    expect(one.leave("7", label("GA"))).toEqual({ name: "p2" });
    two.check({}, label("GB"), as("p2"));
    expect(one.leave("7", label("GA"))).toBeUndefined();
  });

  test("goes with a destroy, which runs the program for settings alone; but not with an update", () => {
    const { process } = run({ destroys: true });
    process("program").declared(domain("a"), "shop", "shop", true);
    expect(process("one").leave("7", domain("a"))).toBeUndefined();
    process("one").check({}, domain("b"), as("other"));
    expect(process("one").leave("8", domain("a"))).toEqual({ name: "shop" });
  });

  test("that is being deleted is not taken, and free for nobody once it is gone", () => {
    const { process } = run();
    const [one, two] = [process("one"), process("two")];
    one.check(domain("a"), domain("z"), as("shop", { deleteBeforeReplace: true }));
    one.compared("7", domain("z"), true);
    expect(one.leave("7", domain("a"))).toBeUndefined();
    expect(two.standing("7", domain("a"))).toMatchObject({ is: "moving", move: "deleted-first" });
    expect(two.take("7", domain("a"))).toBe(false);
    one.left("7", true);
    expect(two.standing("7", domain("a"))).toEqual({ is: "gone" });
    // The service may give the id to another record.
    expect(two.made("7", domain("b"))).toBe(true);
  });

  test("is another's that took it before its own resource was known to rename it: that one is replaced", () => {
    const { process } = run();
    const claims = process("one", pixel);
    expect(claims.take("7", label("GA"))).toBe(true);
    claims.check(label("GA"), label("GB"), as("p1"));
    expect(claims.compared("7", label("GB"), false)).toBe("leaving");
    expect(claims.leave("7", label("GA"))).toBeDefined();
    claims.check(label("GC"), label("GC"), as("p3"));
    expect(claims.compared("8", label("GC"), false)).toBe("held");
  });

  test("is another's that took it by another key of the API before its own resource was checked", () => {
    const { process } = run();
    process("two", website, { ...account, key: "key-of-b" }).take("7", domain("a"));
    const claims = process("one");
    claims.check(domain("a"), domain("a"), as("shop"));
    expect(claims.compared("7", domain("a"), false)).toBe("leaving");
    expect(claims.compared("8", domain("a"), false)).toBe("held");
  });

  test("is another's also where that took it just before its own resource's claim was told", () => {
    const { process, beforeNext } = run();
    const [one, two] = [process("one"), process("two", website, { ...account, key: "key-of-b" })];
    one.check(domain("a"), domain("a"), as("shop"));
    beforeNext(() => expect(two.take("7", domain("a"))).toBe(true));
    expect(one.compared("7", domain("a"), false)).toBe("leaving");
  });

  test("that could not be deleted is not taken either", () => {
    const claims = run().process("one");
    claims.check(domain("a"), domain("z"), as("shop", { deleteBeforeReplace: true }));
    claims.compared("7", domain("z"), true);
    expect(claims.leave("7", domain("a"))).toBeUndefined();
    claims.left("7", false);
    expect(claims.standing("7", domain("a"))).toEqual({ is: "held", by: "shop" });
  });
});

describe("a record that its resource moves away from", () => {
  test.each([
    ["is waited for where it is deleted first", { deleteBeforeReplace: true }, "moving"],
    ["is refused where it is deleted afterwards", {}, "late"],
    ["is free where it stays on the service", { retained: true, deleteBeforeReplace: true }, "free"],
  ])("%s", (_says, options, is) => {
    const { process } = run();
    const [one, two] = [process("one"), process("two")];
    one.check(domain("x"), domain("z"), as("a", options));
    expect(two.standing("7", domain("x")).is).toBe(is);
    one.compared("7", domain("z"), true);
    expect(two.standing("7", domain("x")).is).toBe(is);
    expect(two.take("7", domain("x"))).toBe(is === "free");
  });

  test("is not refused to the one that has taken it already: the other leaves it there", () => {
    const { process } = run();
    const claims = process("one");
    claims.check({}, domain("x"), as("b"));
    claims.wants(domain("x"));
    claims.take("7", domain("x"));
    expect(process("two").check(domain("x"), domain("z"), as("a"))).toBeUndefined();
    expect(process("two").leave("7", domain("x"))).toEqual({ name: "b" });
  });

  test("is refused at whichever of the two is checked later", () => {
    const claims = run().process("one");
    claims.check({}, domain("x"), as("b"));
    claims.wants(domain("x"));
    expect(claims.check(domain("x"), domain("z"), as("a"))).toContain('"b" would adopt');
    expect(claims.check(domain("x"), domain("z"), as("a", { deleteBeforeReplace: true }))).toBeUndefined();
  });

  test("is not free where the new key is refused, being another's already", () => {
    const claims = run().process("one");
    claims.check({}, domain("z"), as("c"));
    expect(claims.check(domain("x"), domain("z"), as("a"))).toContain("is declared twice");
    expect(claims.standing("7", domain("x"))).toEqual({ is: "late", by: "a" });
  });

  test.each([
    ["the one that would take it over", { theirs: false, mine: true }],
    ["the one that moves away", { theirs: true, mine: false }],
  ])(
    "is left to whoever would take it over, where %s waits for others: nobody knows which comes first",
    (_says, plain) => {
      for (const first of ["delete", "take"]) {
        const { process } = run();
        const [program, one, two] = [process("program"), process("one"), process("two")];
        const taker = { ...domain("x"), adopt: true };
        program.declared(taker, "b", "b", plain.theirs);
        program.declared(domain("z"), "a", "a", plain.mine);
        two.check({}, taker, as("b"));
        two.wants(domain("x"));
        const options = as("a", { deleteBeforeReplace: true });
        expect(one.check(domain("x"), domain("z"), options)).toBeUndefined();
        expect(one.vacates(domain("x"), domain("z"), options)).toBeUndefined();
        one.compared("7", domain("z"), true);
        expect(two.standing("7", domain("x")).is).toBe("free");
        if (first === "delete") expect(one.leave("7", domain("x"))).toEqual({ name: "b" });
        expect(two.take("7", domain("x"))).toBe(true);
        if (first === "take") expect(one.leave("7", domain("x"))).toEqual({ name: "b" });
      }
    },
  );

  test("is that record alone: another one with its key is free, as after a swap whose engine was killed once it had deleted", () => {
    const claims = run().process("one");
    const [a, b] = [as("a", { deleteBeforeReplace: true }), as("b", { deleteBeforeReplace: true })];
    claims.check(domain("x"), domain("y"), a);
    expect(claims.standing("9", domain("x")).is, "as long as it is not known").toBe("moving");
    claims.compared("7", domain("y"), true);
    claims.check(domain("y"), domain("x"), b);
    claims.compared("8", domain("x"), true);
    expect([claims.standing("9", domain("x")).is, claims.standing("7", domain("x")).is]).toEqual([
      "free",
      "moving",
    ]);
    for (const [id, key] of [
      ["9", "x"],
      ["10", "y"],
    ] as const) {
      expect(claims.standing(id, domain(key)).is, id).toBe("free");
      expect(claims.take(id, domain(key)), id).toBe(true);
    }
  });

  test("is waited for also while another record is deleted that had its resource's new key", () => {
    const claims = run().process("one", pixel);
    claims.check(label("GA"), label("GB"), as("p1"));
    claims.compared("7", label("GB"), false);
    claims.check({}, label("GC"), as("p2"));
    expect(claims.leave("8", label("GB"))).toBeUndefined();
    claims.left("8", true);
    expect(claims.standing("7", label("GA")).is).toBe("moving");
  });

  test("is waited for where it is renamed, and stays its resource's", async () => {
    const claims = run().process("one", pixel);
    claims.check(label("GA"), label("GB"), as("p1"));
    claims.compared("7", label("GB"), false);
    expect(claims.standing("7", label("GA"))).toEqual({ is: "moving", by: "p1", move: "renamed" });
    const waited = claims.vacated("7", label("GA"));
    claims.updated("7");
    expect(await waited).toBe(true);
    expect(claims.standing("7", label("GA"))).toEqual({ is: "held", by: "p1" });
  });

  test("is waited for where two move away from it, since a failed run left it to both: until the one whose it is has renamed it", () => {
    const claims = run().process("one", pixel);
    for (const [name, key] of [
      ["p1", "GB"],
      ["p2", "GC"],
    ] as const)
      claims.check(label("GA"), label(key), as(name));
    expect(claims.compared("7", label("GB"), false)).toBe("held");
    expect(claims.compared("7", label("GC"), false)).toBe("leaving");
    expect(claims.standing("7", label("GA"))).toEqual({ is: "moving", by: "p1", move: "renamed" });
    claims.updated("7");
    expect(claims.standing("7", label("GA"))).toEqual({ is: "held", by: "p1" });
  });

  test("is its resource's also where it could not be renamed, and is deleted for no other", () => {
    const { process } = run();
    const claims = process("one", pixel);
    claims.check(label("GA"), label("GB"), as("p1"));
    claims.compared("7", label("GB"), false);
    claims.updated("7");
    expect(process("two", pixel).leave("7", label("GA"))).toEqual({ name: "p1" });
  });

  test("is waited for while it is renamed or deleted, however many do so at once; not for ever, since a process may be killed", async () => {
    const { process } = run();
    const [one, two] = [process("one", pixel), process("two", pixel)];
    one.check(label("GA"), label("GB"), as("p1"));
    one.compared("7", label("GB"), false);
    const others = one.asking(async () => {});
    let waited: Promise<boolean> | undefined;
    await one.asking(async () => {
      waited = two.vacated("7", label("GA"));
      await others;
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      one.updated("7");
    });
    expect(await waited).toBe(true);
    void one.asking(() => new Promise(() => {}));
    one.check(label("GC"), label("GD"), as("p2"));
    one.compared("8", label("GD"), false);
    expect(await two.vacated("8", label("GC"))).toBe(false);
  });

  test("is not waited for in vain: after a silence it is given up", async () => {
    const claims = run().process("one", pixel);
    claims.check(label("GA"), label("GB"), as("p1"));
    expect(await claims.vacated("7", label("GA"))).toBe(false);
  });
});

describe("who waits until it is known who holds what", () => {
  test("waits for what was declared without waiting for others, until it is checked or done with", async () => {
    const { process } = run();
    const [program, one] = [process("program"), process("one")];
    for (const name of ["a", "b"]) program.declared(domain(name), name, name, true);
    program.declared(domain("c"), "c", "c", false);
    let settled = false;
    program.check({}, domain("x"), as("x"));
    const waited = one.settled().then(() => {
      settled = true;
    });
    one.check({}, domain("a"), as("a"));
    await Promise.resolve();
    expect(settled).toBe(false);
    program.ended("b");
    await waited;
    expect(settled).toBe(true);
  });

  test.each([
    ["keeps its record", (claims: Claims) => claims.compared("7", domain("a"), false)],
    ["is replaced", (claims: Claims) => claims.check({}, domain("a"), as("a"))],
    ["is done with", (claims: Claims) => claims.ended("a")],
  ])("waits until it is known that a resource which is there %s", (_says, become) => {
    const ownership = new Ownership(ownJournal());
    const claims = new Claims(ownership, website, account, () => false);
    claims.declared(domain("a"), "a", "a", true);
    claims.check(domain("a"), domain("a"), as("a"));
    expect(ownership.progress.isSettled()).toBe(false);
    become(claims);
    ownership.catchUp();
    expect(ownership.progress.isSettled()).toBe(true);
  });

  test("learns that it will not be known where a resource was refused, and the engine checks no more", async () => {
    const { process } = run();
    for (const name of ["a", "b"]) process("program").declared(domain(name), name, name, true);
    process("one").refused();
    expect(await process("two").settled()).toBe(false);
    for (const name of ["a", "b"]) process("one").check({}, domain(name), as(name));
    expect(await process("two").settled()).toBe(true);
  });

  test("does not learn it of a resource that is there and was refused", async () => {
    const { process } = run();
    const [program, one] = [process("program"), process("one")];
    for (const name of ["first", "second"]) program.declared(domain("a"), name, name, true);
    program.ended("first");
    expect(one.check(domain("a"), domain("a"), as("second"))).toContain("is declared twice");
    one.refused();
    expect(await process("two").settled()).toBe(false);
  });

  test("waits while a check asks the service, however long that takes", async () => {
    const { process } = run();
    const [one, two] = [process("one"), process("two")];
    process("program").declared(domain("a"), "a", "a", true);
    let settled = false;
    await one.asking(async () => {
      void two.settled().then(() => {
        settled = true;
      });
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      expect(settled).toBe(false);
      one.check({}, domain("a"), as("a"));
    });
    expect(await two.settled()).toBe(true);
  });

  test("waits no longer than a silence, and after it nobody waits again", async () => {
    const { process } = run();
    process("program").declared(domain("a"), "a", "a", true);
    await process("one").settled();
    await process("two").settled();
  });
});
