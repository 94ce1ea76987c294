import fc from "fast-check";
import { expect, it } from "vitest";
import type { Declared } from "../faults/stack";
import { useService } from "./service";
import { parametersOf } from "./sizes";

const begin = useService();
const key = fc.constantFrom("a.example.com", "A.Example.com.", "b.example.com", "www.a.example.com");
const canonical = (domain: string) => domain.toLowerCase().replace(/\.$/, "");

/** Existing records, duplicates among them, and resources that may adopt some of them. */
const situation = fc.record({
  there: fc.array(key, { maxLength: 3 }),
  wanted: fc.array(fc.record({ domain: key, adopt: fc.boolean(), excludeBots: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
});

it("adopts a record only if asked, only if it is the right one, and only once", async () => {
  await fc.assert(
    fc.asyncProperty(situation, async ({ there, wanted }) => {
      const { control, stack } = await begin();
      // Servers store domains in lower case.
      await control.seed({
        websites: there.map((domain, at) => ({ id: 100 + at, domain: canonical(domain), privacy: 1 })),
      });
      const before = await control.websites();
      const declared = wanted.map((args, at): Declared => ({ type: "Website", name: `r${at}`, args }));

      await stack.preview(declared);
      expect((await control.requests()).filter(({ method }) => method !== "GET")).toEqual([]);

      await stack.up(declared);
      const taken = stack.ids().filter((id) => Number(id) >= 100 && Number(id) < 100 + there.length);
      expect(new Set(stack.ids()).size, "no record belongs to two").toBe(stack.ids().length);
      for (const record of before) {
        const asked = wanted.some(({ domain, adopt }) => adopt && canonical(domain) === record.domain);
        const twins = before.filter(({ domain }) => domain === record.domain).length > 1;
        if (asked && !twins) continue;
        expect(taken).not.toContain(String(record.id));
        expect(await control.websites()).toContainEqual(record);
      }
    }),
    await parametersOf("adoption"),
  );
}, 3_600_000);
