import { describe, expect, it } from "vitest";
import { sampleMarket } from "../../../emulator/market/samples";
import { getItem, getItems, type Item } from "../../../provider/lookups/item";
import { rejection } from "../../rejection";
import { type MarketDialect, marketDialectNames } from "../../service";
import { answering, program } from "./harness";

const ONE = "/api/items/item";
const ALL = "/api/items/all";

const harbour: Item = {
  id: 101,
  name: "Harbour Theme",
  description: "A theme for small shops.",
  category: "Themes",
  subCategory: "Shops",
  options: ["Responsive", "Dark mode"],
  version: "1.4.2",
  demoLink: "https://demo.example/harbour",
  tags: ["shop", "theme"],
  media: {
    thumbnail: "https://media.example/101/thumbnail.png",
    previewImage: "https://media.example/101/preview.png",
    previewVideo: undefined,
    previewAudio: undefined,
    screenshots: ["https://media.example/101/1.png", "https://media.example/101/2.png"],
  },
  price: { regular: 29, extended: 149.5 },
  currency: "USD",
  publishedAt: "2022-01-10T09:00:00Z",
};

/** The others, by what sets them apart. */
const timelapse = {
  id: 102,
  price: { extended: 90 },
  media: { previewVideo: "https://media.example/102/preview.mp4" },
};
const bells = {
  id: 103,
  tags: ["bells", "calm", "loop"],
  media: { previewImage: undefined, screenshots: [] },
};

/** Where a dialect says it otherwise. */
const otherwise: { readonly [name in MarketDialect]?: Item } = {
  loose: {
    ...harbour,
    version: undefined,
    demoLink: undefined,
    options: ["Responsive: yes", "Dark mode: yes"],
  },
};

/** The first item of the samples, some of it otherwise. */
const item = (changes: object) => ({ ...sampleMarket.items[0], ...changes });

describe("getItem", () => {
  it.each(marketDialectNames)("gives every field in dialect %s", async (marketDialect) => {
    const { ask, warned, lines } = await program({ marketDialect });
    for (const itemId of [101, "101"])
      expect(await ask(getItem, { itemId })).toStrictEqual(otherwise[marketDialect] ?? harbour);
    expect(lines()).toEqual([`GET ${ONE}`, `GET ${ONE}`]);
    expect(warned).toEqual([]);
  });

  it("asks for an id with every digit it has", async () => {
    const { ask, control } = await program();
    const itemId = "123456789012345678901234567890";
    const { message } = await rejection(ask(getItem, { itemId }));
    expect(message).toBe(`the marketplace account has no item ${itemId}; getItems lists its items`);
    expect(control.requests()[0]?.query.item_id).toBe(itemId);
  });

  it("takes the item from data, or bare", async () => {
    for (const body of [{ data: item({}) }, item({})]) {
      const { ask } = await answering(ONE, body);
      expect(await ask(getItem, { itemId: 101 })).toStrictEqual(harbour);
    }
  });

  it("takes a value in each form in which servers write it", async () => {
    const { ask } = await answering(
      ONE,
      item({
        id: "101",
        description: null,
        category: 5,
        version: 1.5,
        options: { Files: "a", Sizes: ["s", "m"] },
        tags: "shop,, theme ,",
        media: { thumbnail: "", screenshots: { 1: "a", 2: 5, 3: null, 4: {} } },
        price: { regular: " 12.50 ", extended: "-3" },
      }),
    );
    const media = { previewImage: undefined, previewVideo: undefined, previewAudio: undefined };
    expect(await ask(getItem, { itemId: 101 })).toStrictEqual({
      ...harbour,
      description: undefined,
      category: "5",
      version: "1.5",
      options: ["Files: a", "Sizes: s, m"],
      media: { ...media, thumbnail: "", screenshots: ["a", "5"] },
      price: { regular: 12.5, extended: -3 },
    });
  });

  it.each([
    [{}, "itemId is missing"],
    [{ itemId: "101a" }, 'itemId must be an item\'s ID: a whole number, or text of digits, not "101a"'],
    [{ itemId: 1.5 }, "itemId must be"],
    [{ itemId: 2 ** 53 }, "itemId must be"],
  ])("takes no %j", async (args, words) => {
    const { ask, lines } = await program();
    expect((await rejection(ask(getItem, args))).message).toContain(words);
    expect(lines()).toEqual([]);
  });
});

describe("getItems", () => {
  it.each(marketDialectNames)("gives every item in dialect %s, with one request", async (marketDialect) => {
    const { ask, warned, lines, control } = await program({ marketDialect });
    const [first, ...others] = await ask(getItems);
    expect(first).toStrictEqual(otherwise[marketDialect] ?? harbour);
    expect(others).toMatchObject([timelapse, bells]);
    expect(lines()).toEqual([`GET ${ALL}`]);
    expect(control.requests()[0]?.query).toEqual({ api_key: "local-key" });
    expect(warned).toEqual([]);
  });

  it("takes items as an object, in data, or bare", async () => {
    const items = sampleMarket.items;
    for (const body of [{ items: { 1: items[0], 5: items[1], 7: items[2] } }, { data: items }, items]) {
      const { ask } = await answering(ALL, body);
      expect(await ask(getItems)).toMatchObject([harbour, timelapse, bells]);
    }
  });
});
