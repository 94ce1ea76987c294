import { describe, expect, it } from "vitest";
import { declare, type Ran, useHarness } from "./harness";

const world = useHarness();

const PROTECTED =
  /::guarded\W+(cannot be deleted\W+because it is protected|as it is currently marked for protection)/;

/** Websites by name, each with its options; each gets another domain. */
const websites = {
  guarded: {},
  open: { protect: false },
  retained: { retainOnDelete: true },
  eager: { protect: false, deleteBeforeReplace: true },
  persuaded: {},
};
type Name = keyof typeof websites;

/** All of them, some with their new domain. */
function program(moved: readonly Name[] = [], names = Object.keys(websites) as Name[]): string {
  return names
    .map((name) => {
      const args = moved.includes(name)
        ? { domain: `${name}.new.example.com`, privacy: "public" }
        : { domain: `${name}.old.example.com` };
      // It follows the advice for the protected one.
      const told = name === "persuaded" && moved.includes(name);
      return declare("Website", name, args, told ? { protect: false } : websites[name]);
    })
    .join("");
}

describe("another domain", () => {
  const story = world.story(async () => {
    const { service } = world;
    const snapshot = async () => ({ stored: await service.websites(), kept: await world.kept() });
    await world.program(program());
    await world.up();
    const before = await snapshot();

    await world.program(program(["guarded"]));
    const guarded = await world.fail(["preview"]);
    const guardedUp = await world.fail(["up", "--yes", "--skip-preview"]);
    const afterGuarded = await snapshot();

    await world.program(program(["open", "retained", "eager", "persuaded"]));
    const preview = await world.preview();
    const up = await world.up();
    const after = await snapshot();
    await world.expectNoChange();
    return { before, guarded, guardedUp, afterGuarded, preview, up, after };
  });

  /** The requests of an up for this website, in order. */
  function sentFor(name: Name, ran: Ran) {
    const id = story().before.kept[name]?.id;
    return ran.written
      .filter(({ path, form }) => form.domain?.startsWith(`${name}.`) || path.endsWith(`/${id}`))
      .map(({ method, path }) => (path.endsWith(`/${id}`) ? `${method} the old one` : method));
  }
  /** Whether the service has its old record and its new one. */
  function stored(name: Name) {
    const domains = story().after.stored.map(({ domain }) => domain);
    return ["old", "new"].filter((age) => domains.includes(`${name}.${age}.example.com`));
  }

  it("is refused at preview for a website that the program does not unprotect", () => {
    const { before, guarded, guardedUp, afterGuarded } = story();
    expect(guarded.output).toMatch(PROTECTED);
    expect(guarded.sent).toEqual([]);
    // An up without a preview may end before this resource is checked; then it prints no notice of it.
    expect(guarded.stdout).toContain(
      "if it is protected, Pulumi refuses the change until it has the option protect: false",
    );
    expect(guardedUp.written).toEqual([]);
    expect(afterGuarded).toEqual(before);
  });

  it("works after what the refusal says to do, without an up in between", () => {
    expect(sentFor("persuaded", story().up)).toEqual(["POST", "DELETE the old one"]);
    expect(stored("persuaded")).toEqual(["new"]);
  });

  it("creates the new website first and then deletes the old one, if protect is false", () => {
    const { preview, up, after } = story();
    expect(preview.stdout).toContain(
      'website "open.old.example.com": domain becomes "open.new.example.com"; to keep the statistics of "open.old.example.com", declare a second website beside it instead. Otherwise they are deleted',
    );
    expect(preview.sent).toEqual([]);
    expect(sentFor("open", up)).toEqual(["POST", "DELETE the old one"]);
    expect(stored("open")).toEqual(["new"]);
    const website = after.stored.find(({ domain }) => domain === "open.new.example.com");
    expect(website).toMatchObject({ privacy: 0 });
    expect(after.kept.open?.id).toBe(String(website?.id));
  });

  it("keeps the old website if retainOnDelete is set", () => {
    expect(sentFor("retained", story().up)).toEqual(["POST"]);
    expect(stored("retained")).toEqual(["old", "new"]);
  });

  it("deletes the old website first if deleteBeforeReplace is set", () => {
    expect(sentFor("eager", story().up)).toEqual(["DELETE the old one", "POST"]);
    expect(stored("eager")).toEqual(["new"]);
  });

  it("leaves one resource per website in the state, and sends nothing else", () => {
    const { up, after } = story();
    expect(Object.keys(after.kept).sort()).toEqual(Object.keys(websites).sort());
    expect(up.written).toHaveLength(7);
  });
});
