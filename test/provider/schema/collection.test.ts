import { describe, expect, test } from "vitest";
import { pixel, website } from "../../../provider/resources";
import { collectionOf } from "../../../provider/schema/collection";
import { goal } from "../made-up";

describe("a resource's collection", () => {
  test("is asked for a key in its one spelling, by the key's name on the wire", () => {
    expect(collectionOf(website).search("Shop.EXAMPLE.")).toEqual({
      search: "shop.example",
      search_by: "domain",
    });
    expect(collectionOf(goal).search(" GA ")).toEqual({ search: "GA", search_by: "name" });
    expect(collectionOf(pixel).search("GA")).toEqual({ search: "GA", search_by: "name" });
  });
  test("is asked for a host without www., and only without that at the start", () => {
    expect(collectionOf(website).search("www.shop.example")?.search).toBe("shop.example");
    expect(collectionOf(website).search("my.www.shop.example")?.search).toBe("my.www.shop.example");
    expect(collectionOf(website).search("wwwx.example")?.search).toBe("wwwx.example");
    expect(collectionOf(pixel).search("www.ads")?.search).toBe("www.ads");
  });
  test("is not asked for a key that some servers write otherwise", () => {
    const byType = { ...pixel, key: "type" } as const;
    expect(collectionOf(byType).search("twitter")).toBeUndefined();
    expect(collectionOf(byType).search("bing")).toEqual({ search: "bing", search_by: "type" });
  });
});
