import type * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { Pixel, Website } from "../../sdk";
import { engineWithout, Group } from "./lookups-harness";

test("a website is protected unless the program says otherwise, of itself, of its parent or of its record; a pixel is not", async () => {
  await engineWithout();
  /** The protection that the engine gets, and that children inherit. */
  const isProtected = (resource: pulumi.Resource) => Reflect.get(resource, "__protect") === true;
  const website = (opts?: pulumi.CustomResourceOptions) =>
    isProtected(new Website("shop", { domain: "shop.example" }, opts));
  const silent = new Group("silent");
  const loose = new Group("loose", { protect: false });
  const guarded = new Group("guarded", { protect: true });
  expect([{}, { parent: silent }, { parent: guarded }].map(website)).toEqual([true, true, true]);
  const loosened = [{ protect: false }, { retainOnDelete: true }, { parent: loose }];
  expect([...loosened, { parent: guarded, protect: false }].map(website)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(isProtected(new Pixel("ga", { name: "GA", type: "bing", value: "1" }))).toBe(false);
});
