import { describe, expect, test, vi } from "vitest";
import { create } from "../../../provider/lifecycle";
import { website } from "../../../provider/resources";
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

test("a record that a list has shown is made anew where it is gone by now", async () => {
  const { at, store } = await world();
  await at.records.findByKey("shop.example");
  await store.remove("7");
  const { id } = await create(at, shop);
  expect((await store.rows()).map((row) => String(row.id))).toEqual([id]);
});
