import { describe, expect, test, vi } from "vitest";
import { check, create, remove, update } from "../../../provider/lifecycle";
import { pixel, website } from "../../../provider/resources";
import type { Values } from "../../../provider/schema/resource";
import { plainOptions, rejection, run, service, shelf } from "../harness";

const shop: Values = {
  domain: "shop.example",
  privacy: "private",
  emailReports: false,
  excludeBots: true,
};
const as = (name: string) => ({ ...plainOptions, name, token: name });

async function world() {
  const { url, control } = await service({ seed: { websites: [{ id: 7, domain: "shop.example" }] } });
  return { url, store: shelf(control, website), control, at: run(website, url) };
}

describe("a record of another resource of the program", () => {
  test("is not kept as new where the service answers with it", async () => {
    const { at, control } = await world();
    at.claims.check(shop, shop, as("shop"));
    at.claims.compared("7", shop, false);
    await control.addFault({
      match: { method: "POST" },
      commit: "never",
      reply: { status: 201, body: { data: { id: 7, domain: "new.example" } } },
    });
    const error = await rejection(create(at, { ...shop, domain: "new.example" }));
    expect(error.message).toContain('answered with the record of "shop" (id 7)');
  });

  test("is not adopted where the engine has stopped before it is known whose it is", async () => {
    const { at, store } = await world();
    const there = await store.only();
    at.claims.declared({ domain: "old.example" }, "old", "old", true);
    at.claims.refused();
    const waited = vi.spyOn(at.ownership.journal, "changed").mockResolvedValue(false);
    const error = await rejection(create(at, { ...shop, privacy: "public", adopt: true }));
    expect(error.message).toMatch(
      /^website "shop\.example" exists already \(id 7\), and whether another .* run the same command again/,
    );
    expect(await store.only()).toEqual(there);
    expect(waited).toHaveBeenCalled();
  });
});

test("an update of a record that is gone lets the others know that the engine may check no more", async () => {
  const { at, store } = await world();
  await store.remove("7");
  at.claims.declared({ domain: "old.example" }, "old", "old", true);
  vi.spyOn(at.ownership.journal, "changed").mockResolvedValue(false);
  await rejection(update(at, "7", shop, { ...shop, privacy: "public" }));
  expect(await at.claims.settled()).toBe(false);
});

test("a record that a list has shown is made anew where it is gone by now", async () => {
  const { at, store } = await world();
  await at.records.findByKey("shop.example");
  await store.remove("7");
  const { id } = await create(at, shop);
  expect((await store.rows()).map((row) => String(row.id))).toEqual([id]);
});

describe("a pixel that another resource renames", () => {
  const ga = { name: "GA", type: "bing", value: "1" };
  const gb = { ...ga, name: "GB" };
  const adopted = { ...ga, adopt: true };

  async function renaming() {
    const { url, control } = await service({ seed: { pixels: [{ id: 7, ...ga }] } });
    const at = run(pixel, url);
    await at.records.findByKey("GA");
    const rename = async (id: string, to: Values) => void (await shelf(control, pixel).edit(id, { ...to }));
    const begins = () => {
      at.claims.check(ga, gb, as("moving"));
      at.claims.compared("7", gb, false);
    };
    return { at, store: shelf(control, pixel), rename, begins };
  }

  test("is not refused to another by the list of before", async () => {
    const { at, rename, begins } = await renaming();
    begins();
    await rename("7", gb);
    at.claims.updated("7");
    const { failures } = await check(
      { resource: pixel, notify: () => {}, context: () => at, claims: at.claims },
      { olds: {}, news: adopted, options: as("new") },
    );
    expect(failures).toEqual([]);
  });

  test("is waited for also where that begins while it is looked at", async () => {
    const { at, store, rename, begins } = await renaming();
    const fetch = at.records.fetch.bind(at.records);
    vi.spyOn(at.records, "fetch").mockImplementationOnce(async (id, key) => {
      const found = await fetch(id, key);
      begins();
      void Promise.resolve().then(async () => {
        await rename("7", gb);
        at.claims.updated("7");
      });
      return found;
    });
    const { id } = await create(at, adopted);
    expect((await store.rows()).map((row) => [String(row.id), row.name])).toEqual([
      ["7", "GB"],
      [id, "GA"],
    ]);
  });

  test.each([
    ["renamed", gb],
    ["deleted", undefined],
  ])("is waited for while it is %s, however slow the service is", async (_is, to) => {
    const { at, store, begins } = await renaming();
    if (to !== undefined) begins();
    const { journal } = at.ownership;
    const told = journal.append.bind(journal);
    const asked: string[] = [];
    vi.spyOn(journal, "append").mockImplementation((event) => {
      asked.push(event.is);
      told(event);
    });
    await (to === undefined ? remove(at, "7", ga).catch(() => {}) : update(at, "7", ga, to));
    expect(asked.filter((is) => is === "asks" || is === "answered")).toEqual(["asks", "answered"]);
    expect(await store.rows()).toHaveLength(to === undefined ? 0 : 1);
  });

  test("makes room for a record that somebody else has given the name by then", async () => {
    const { at, store, rename, begins } = await renaming();
    const { id: other } = await store.insert({ ...ga, name: "GC" });
    begins();
    const made = create(at, adopted);
    await rename("7", gb);
    await rename(`${other}`, ga);
    at.claims.updated("7");
    expect(await made).toMatchObject({ id: `${other}` });
    expect(await store.rows()).toHaveLength(2);
    expect(await store.sent("POST"), "seen before anything is made").toEqual([]);
  });

  test("is not deleted where a resource that may have it is not checked, and another one has failed", async () => {
    const { at, store } = await renaming();
    at.claims.declared(gb, "moving", "moving", true);
    at.claims.refused();
    vi.spyOn(at.ownership.journal, "changed").mockResolvedValue(false);
    expect((await rejection(remove(at, "7", ga))).message).toMatch(
      /^pixel "GA" \(id 7\) is not deleted, since whether another resource of this program has it is not known/,
    );
    expect(await store.rows()).toHaveLength(1);
  });
});
